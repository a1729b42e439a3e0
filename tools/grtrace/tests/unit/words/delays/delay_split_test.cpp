// SPDX-License-Identifier: GPL-2.0
//
// A wait is charged to those who caused it, and never more than all of it.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "dice.h"
#include "words/delays/delay_split.h"

namespace grtrace {

namespace {

constexpr uint32_t a = 3, b = 4, c = 5;

using Charges = std::map<uint32_t, uint64_t>;

struct Split {
	Split(uint64_t submit, uint64_t start, std::vector<BlockedSpan> blocked_by,
	      std::vector<Execution> before)
		: blocked(std::move(blocked_by)), ended(std::move(before))
	{
		split.split(submit, start, blocked, ended);
		for (const DelayShare &share : split.shares()) {
			charges[share.process] += share.ns;
			sum += share.ns;
		}
		sum += split.nobody();
	}

	std::vector<BlockedSpan> blocked;
	std::vector<Execution> ended;
	DelaySplit split;
	Charges charges;
	uint64_t sum = 0;
};

} // namespace

TEST(DelaySplit, charges_who_executed_meanwhile)
{
	Split split(100, 200, {}, {{50, 120, 9, 1, a}, {130, 150, 8, 1, b}, {150, 190, 9, 2, a}});

	EXPECT_EQ(split.charges, (Charges{{a, 60}, {b, 20}}));
	EXPECT_EQ(split.split.nobody(), 20u);
	// The job that most of it is due to.
	for (const DelayShare &share : split.split.shares())
		if (share.process == a) {
			EXPECT_EQ(split.split.due_to(share).ctx, 9u);
			EXPECT_EQ(split.split.due_to(share).seqno, 2u);
			EXPECT_FALSE(share.blocked);
		}
}

TEST(DelaySplit, a_fence_comes_before_what_executes)
{
	Split split(100, 200, {{120, 140, 7, 1, b}, {140, 160, 6, 1, c}}, {{100, 200, 9, 1, a}});

	EXPECT_EQ(split.charges, (Charges{{a, 60}, {b, 20}, {c, 20}}));
	EXPECT_EQ(split.split.nobody(), 0u);
}

TEST(DelaySplit, blocked_before_submit_and_beyond_start_is_no_wait)
{
	Split split(100, 200, {{50, 110, 7, 1, b}, {180, 300, 7, 2, b}}, {});

	EXPECT_EQ(split.charges, (Charges{{b, 30}}));
	EXPECT_EQ(split.split.due_to(split.split.shares()[0]).seqno, 2u);
	EXPECT_TRUE(split.split.shares()[0].blocked);
	EXPECT_EQ(split.sum, 100u);
}

TEST(DelaySplit, a_process_on_two_queues_counts_once)
{
	Split split(0, 100, {},
		    {{10, 20, 9, 1, a}, {15, 40, 9, 2, a}, {12, 50, 9, 3, a}, {60, 70, 9, 4, a}});

	EXPECT_EQ(split.charges, (Charges{{a, 50}}));
	EXPECT_EQ(split.split.nobody(), 50u);
}

TEST(DelaySplit, several_at_once_share_that_moment)
{
	// 60 ns in which anything executed; b beside a for 30 of them.
	Split split(0, 100, {}, {{30, 60, 8, 1, b}, {10, 70, 9, 1, a}});

	EXPECT_EQ(split.charges, (Charges{{a, 45}, {b, 15}}));
	EXPECT_EQ(split.split.nobody(), 40u);
}

TEST(DelaySplit, who_executed_alone_is_charged_with_that_alone)
{
	Split split(0, 100, {}, {{0, 50, 7, 1, a}, {0, 50, 8, 1, b}, {50, 100, 9, 1, c}});

	EXPECT_EQ(split.charges, (Charges{{a, 25}, {b, 25}, {c, 50}}));
}

// A process that executes two jobs has one share.
TEST(DelaySplit, a_moment_is_shared_by_processes_not_by_jobs)
{
	Split split(0, 30, {}, {{0, 30, 7, 1, a}, {0, 30, 7, 2, a}, {0, 30, 8, 1, b}});

	EXPECT_EQ(split.charges, (Charges{{a, 15}, {b, 15}}));
}

TEST(DelaySplit, a_sample_stands_for_others)
{
	Execution one = {10, 20, 9, 1, a, 4};

	EXPECT_EQ(Split(0, 100, {}, {one}).charges, (Charges{{a, 40}}));
	// ... as far as there is room.
	EXPECT_EQ(Split(0, 25, {}, {one}).charges, (Charges{{a, 25}}));
}

TEST(DelaySplit, of_jobs_at_once_the_greater_weight_counts)
{
	Execution light = {10, 30, 9, 1, a, 1}, heavy = {15, 25, 9, 2, a, 4};

	EXPECT_EQ(Split(0, 1000, {}, {heavy, light}).charges, (Charges{{a, 10 + 4 * 10}}));
	light.end = 20;
	EXPECT_EQ(Split(0, 1000, {}, {light, heavy}).charges, (Charges{{a, 5 + 4 * 10}}));
}

TEST(DelaySplit, hostile_times_do_not_overflow)
{
	constexpr uint64_t end = UINT64_MAX - 1;
	Split split(1, end, {},
		    {{0, end, 9, 1, a, UINT32_MAX},
		     {0, end, 9, 2, b, UINT32_MAX},
		     {0, end, 9, 3, c, UINT32_MAX}});

	EXPECT_EQ(split.sum, end - 1);
	EXPECT_NEAR(static_cast<double>(split.charges[a]), static_cast<double>(end) / 3, 1e4);
}

TEST(DelaySplit, nothing_waited_nothing_charged)
{
	Split split(100, 100, {{90, 110, 7, 1, b}}, {{50, 100, 9, 1, a}});

	EXPECT_TRUE(split.charges.empty());
	EXPECT_EQ(split.sum, 0u);
}

// For any input: nanosecond by nanosecond the same, where no two processes
// execute at once; and always the whole wait.
TEST(DelaySplit, agrees_with_counting)
{
	Dice dice(7);

	for (int round = 0; round < 300; round++) {
		uint64_t submit = dice.below(100);
		uint64_t start = submit + dice.below(200);
		std::vector<Execution> ended;
		std::vector<uint32_t> owner(400);
		bool alone = dice.chance(500);

		for (uint64_t at = 0; at < start; at++) {
			uint64_t end = at + dice.below(30);
			uint32_t process = a + dice.below(3);

			if (end > start || dice.chance(200))
				continue;
			ended.push_back({at, end, 9, at, process});
			for (uint64_t i = at; i < end; i++)
				owner[i] = process;
			at = alone ? end : at + dice.below(20);
		}
		std::sort(ended.begin(), ended.end(),
			  [](const Execution &x, const Execution &y) { return x.end < y.end; });
		Split split(submit, start, {}, ended);
		ASSERT_EQ(split.sum, start - submit);

		Charges counted;
		uint64_t nobody = 0;
		for (uint64_t i = submit; i < start; i++)
			owner[i] ? counted[owner[i]]++ : nobody++;
		ASSERT_EQ(split.split.nobody(), nobody);
		if (alone) {
			ASSERT_EQ(split.charges, counted);
			continue;
		}
		// Moment by moment.
		std::map<uint32_t, double> shares;
		for (uint64_t i = submit; i < start; i++) {
			std::set<uint32_t> at;

			for (const Execution &one : ended)
				if (one.start <= i && i < one.end)
					at.insert(one.process);
			for (uint32_t process : at)
				shares[process] += 1.0 / static_cast<double>(at.size());
		}
		for (const auto &[process, share] : shares)
			ASSERT_NEAR(static_cast<double>(split.charges[process]), share, 1.01);
	}
}

} // namespace grtrace
