// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_grid.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace grtrace {

using Sums = std::vector<uint64_t>;

TEST(TimelineGrid, begins_with_a_nanosecond_for_each_column)
{
	TimelineGrid grid(10);
	TimelineSums sums;

	grid.begin(100);
	EXPECT_EQ(grid.columns(), 1u);
	grid.reach(104);
	EXPECT_EQ(grid.columns(), 4u);
	EXPECT_EQ(grid.column_ns(), 1u);
	sums.add(grid, 101, 103, 1);
	EXPECT_EQ(sums.columns(grid), (Sums{0, 1, 1, 0}));
}

TEST(TimelineGrid, doubles_its_slices_when_time_runs_out_of_them)
{
	TimelineGrid grid(4); // 64 slices
	TimelineSums sums;

	grid.begin(1000);
	grid.reach(1064);
	EXPECT_EQ(grid.shift(), 0u);
	sums.add(grid, 1000, 1064, 1);
	grid.reach(1065);
	EXPECT_EQ(grid.shift(), 1u);
	grid.reach(1512);
	EXPECT_EQ(grid.shift(), 3u);
	EXPECT_EQ(grid.column_ns(), 128u);
	EXPECT_EQ(grid.column_start(1), 1128u);
	EXPECT_EQ(sums.columns(grid), (Sums{64, 0, 0, 0}));
}

TEST(TimelineGrid, has_a_last_column_that_may_be_shorter)
{
	TimelineGrid grid(4);

	grid.begin(0);
	grid.reach(130);
	EXPECT_EQ(grid.columns(), 4u);
	EXPECT_EQ(grid.column_ns(), 36u);
	EXPECT_EQ(grid.column_length(0), 36u);
	EXPECT_EQ(grid.column_length(3), 130u - 3 * 36);
}

TEST(TimelineGrid, fills_at_least_eight_ninths_of_the_room)
{
	TimelineGrid grid(93);

	grid.begin(5);
	for (uint64_t span = 93 * 8; span < 5000000; span += span / 50 + 1) {
		grid.reach(5 + span);
		EXPECT_LE(grid.columns(), 93u);
		EXPECT_GE(grid.columns() * 9, 93u * 8 - 9) << span;
		EXPECT_LT(grid.column_start(grid.columns() - 1), grid.end());
		EXPECT_GE(grid.column_start(grid.columns()), grid.end());
	}
}

TEST(TimelineGrid, takes_any_time)
{
	TimelineGrid grid(40);
	TimelineSums sums;

	grid.begin(0);
	grid.reach(UINT64_MAX);
	sums.add(grid, 0, UINT64_MAX, 1);
	Sums columns = sums.columns(grid);
	EXPECT_LE(columns.size(), 40u);
	EXPECT_EQ(std::accumulate(columns.begin(), columns.end(), uint64_t(0)), UINT64_MAX);
}

TEST(TimelineSums, leaves_out_what_is_outside)
{
	TimelineGrid grid(10);
	TimelineSums sums;

	grid.begin(100);
	grid.reach(104);
	sums.add(grid, 90, 101, 1);
	sums.add(grid, 103, 900, 2);
	sums.add(grid, 102, 102, 1);
	sums.add(grid, 103, 102, 1);
	EXPECT_EQ(sums.columns(grid), (Sums{1, 0, 0, 2}));
}

// Against one counter for each nanosecond.
TEST(TimelineSums, are_those_of_each_nanosecond)
{
	std::mt19937_64 dice(7);

	for (int round = 0; round < 50; round++) {
		const uint64_t origin = dice() % 1000;
		TimelineGrid grid(1 + dice() % 20);
		TimelineSums sums;
		Sums truth(20000);
		uint64_t now = origin;

		grid.begin(origin);
		for (int i = 0; i < 300; i++) {
			now += dice() % 60;
			grid.reach(now);
			uint64_t from = now - dice() % (now - origin + 1);
			uint64_t to = from + dice() % (now - from + 1);
			uint64_t weight = 1 + dice() % 3;
			sums.add(grid, from, to, weight);
			for (uint64_t ts = from; ts < to; ts++)
				truth[ts - origin] += weight;
		}

		Sums columns(grid.columns());
		for (uint64_t ns = 0; ns < grid.span(); ns++)
			columns[ns / grid.column_ns()] += truth[ns];
		ASSERT_EQ(sums.columns(grid), columns) << round;
		ASSERT_EQ(sums.columns(grid), columns) << "asked again";
	}
}

} // namespace grtrace
