// SPDX-License-Identifier: GPL-2.0
#include "words/data/running_percentile.h"

#include <gtest/gtest.h>

#include "dice.h"

namespace grtrace {

TEST(RunningPercentile, is_none_of_none)
{
	EXPECT_EQ(RunningPercentile(900).get(), 0u);
}

TEST(RunningPercentile, follows_values_that_grow)
{
	RunningPercentile p90(900);

	for (int i = 0; i < 20; i++)
		p90.add(10, 1);
	EXPECT_EQ(p90.get(), 10u);
	// 2 of 22 are above it, then 3 of 23.
	p90.add(50, 1);
	p90.add(50, 1);
	EXPECT_EQ(p90.get(), 10u);
	p90.add(50, 1);
	EXPECT_EQ(p90.get(), 50u);
}

TEST(RunningPercentile, a_value_counts_as_often_as_it_weighs)
{
	RunningPercentile p90(900);

	p90.add(10, 8);
	p90.add(20, 1);
	EXPECT_EQ(p90.get(), 20u);
	p90.add(1, 20);
	EXPECT_EQ(p90.get(), 10u);
}

// Each prefix has the same percentile as a histogram of it.
TEST(RunningPercentile, is_that_of_a_histogram)
{
	Dice dice(3);
	RunningPercentile p90(900);
	Histogram histogram;

	for (int i = 0; i < 2000; i++) {
		const uint64_t value = dice.below(1ull << dice.below(40));
		const uint32_t weight = dice.below(4) + 1;

		p90.add(value, weight);
		histogram.add(value, weight);
		ASSERT_EQ(p90.get(), histogram.percentile(900));
	}
}

} // namespace grtrace
