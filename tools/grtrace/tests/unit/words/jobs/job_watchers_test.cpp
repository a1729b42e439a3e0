// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_watchers.h"

#include <gtest/gtest.h>

#include <string>

namespace grtrace {

struct Heard : JobWatcher {
	Heard(std::string &to, char name, bool moves) : text(to), name(name), moves(moves) {}

	JobWatcher *watcher_of_moves() override { return moves ? this : nullptr; }
	JobWatcher *watcher_of_executions() override { return nullptr; }
	void moved(const Job &, JobPhase, uint64_t) override { (text += name) += 'm'; }
	void blocked(const Job &, uint64_t, uint64_t) override { (text += name) += 'b'; }
	void executed(const Job &) override { (text += name) += 'e'; }
	void lost(uint64_t, uint64_t) override { (text += name) += 'l'; }

	std::string &text;
	char name;
	bool moves;
};

TEST(JobWatchers, all_hear_it_in_their_order)
{
	std::string text;
	Heard one(text, '1', true), two(text, '2', false), three(text, '3', true);
	JobWatchers watchers;

	for (Heard *watcher : {&one, &two, &three})
		watchers.add(*watcher);
	watchers.blocked(Job(), 1, 2);
	watchers.lost(1, 2);
	EXPECT_EQ(text, "1b2b3b1l2l3l");
}

TEST(JobWatchers, moves_and_executions_are_for_those_who_want_them)
{
	std::string text;
	Heard one(text, '1', true), two(text, '2', false), three(text, '3', true);
	JobWatchers watchers;

	EXPECT_EQ(watchers.watcher_of_moves(), nullptr);
	watchers.add(two);
	EXPECT_EQ(watchers.watcher_of_moves(), nullptr);
	watchers.add(one);
	EXPECT_EQ(watchers.watcher_of_moves(), &one);
	watchers.add(three);
	EXPECT_EQ(watchers.watcher_of_moves(), &watchers);
	EXPECT_EQ(watchers.watcher_of_executions(), nullptr);
	watchers.moved(Job(), JobPhase(), 1);
	watchers.executed(Job());
	EXPECT_EQ(text, "1m3m");
}

} // namespace grtrace
