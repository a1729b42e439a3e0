// SPDX-License-Identifier: GPL-2.0
//
// The last jobs of a ring stay in order, and it is known which are forgotten.
#include <gtest/gtest.h>

#include "words/delays/exec_window.h"

namespace grtrace {

static void add(ExecWindow<> &window, uint64_t start, uint64_t end, uint64_t seqno)
{
	Execution &execution = window.add(end);

	execution.start = start;
	execution.ctx = 5;
	execution.seqno = seqno;
}

TEST(ExecWindow, gives_what_ended_by_a_time)
{
	ExecWindow<> window;

	EXPECT_TRUE(window.ended_by(UINT64_MAX).empty());
	add(window, 10, 20, 1);
	add(window, 20, 40, 3);
	// Its record came late.
	add(window, 15, 30, 2);

	EXPECT_TRUE(window.ended_by(19).empty());
	ASSERT_EQ(window.ended_by(30).size(), 2u);
	EXPECT_EQ(window.ended_by(30)[1].seqno, 2u);
	EXPECT_EQ(window.ended_by(40)[2].seqno, 3u);
	EXPECT_EQ(window.forgot_until(), 0u);
}

TEST(ExecWindow, forgets_the_oldest)
{
	ExecWindow<> window;

	for (uint64_t i = 0; i <= ExecWindow<>::limit; i++)
		add(window, i, i + 1, i);
	EXPECT_EQ(window.ended_by(UINT64_MAX).size(), ExecWindow<>::limit / 2 + 1);
	EXPECT_EQ(window.forgot_until(), ExecWindow<>::limit / 2);
	EXPECT_EQ(window.ended_by(UINT64_MAX)[0].end, ExecWindow<>::limit / 2 + 1);
}

TEST(ExecWindow, forgets_what_nobody_asks_for)
{
	ExecWindow<> window;
	uint64_t sum = 0;
	auto forget = [&](const Execution &old) { sum += old.seqno; };

	window.forget_until(50, forget);
	for (uint64_t i = 1; i <= 10; i++)
		add(window, 10 * i, 10 * i + 5, i);
	window.forget_until(14, forget);
	EXPECT_EQ(window.forgot_until(), 0u);
	window.forget_until(35, forget);
	EXPECT_EQ(sum, 6u);
	EXPECT_EQ(window.forgot_until(), 35u);
	EXPECT_EQ(window.all().size(), 7u);
	EXPECT_EQ(window.find(5, 3, 35), nullptr);
	ASSERT_NE(window.find(5, 4, 45), nullptr);
}

// Earlier questions and later additions change nothing in the answer.
TEST(ExecWindow, goes_on_where_it_was)
{
	ExecWindow<> window;
	auto ended = [&](uint64_t ts) { return window.ended_next(ts).size(); };

	EXPECT_EQ(ended(5), 0u);
	for (uint64_t i = 1; i <= 100; i++)
		add(window, 10 * i - 5, 10 * i, i);
	for (const uint64_t ts : {10, 19, 30, 20, 1000, 15, 500, 510, 505, 5, 2000, 80, 160, 70})
		EXPECT_EQ(ended(ts), window.ended_by(ts).size());
	EXPECT_EQ(ended(500), 50u);
	// Its record came late.
	add(window, 20, 25, 101);
	EXPECT_EQ(ended(500), 51u);
	window.forget_until(100, [](const Execution &) {});
	EXPECT_EQ(ended(500), 40u);
	EXPECT_EQ(window.ended_next(500).back().end, 500u);
	window.forget_until(990, [](const Execution &) {});
	EXPECT_EQ(ended(500), 0u);
	EXPECT_EQ(ended(1000), 1u);
}

} // namespace grtrace
