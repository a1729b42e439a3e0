// SPDX-License-Identifier: GPL-2.0
#include "words/data/histogram.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(Histogram, empty_is_all_zero)
{
	Histogram histogram;

	EXPECT_EQ(histogram.min(), 0u);
	EXPECT_EQ(histogram.max(), 0u);
	EXPECT_EQ(histogram.average(), 0u);
	EXPECT_EQ(histogram.percentile(990), 0u);
}

TEST(Histogram, small_values_are_exact)
{
	Histogram histogram;

	for (uint64_t i = 1; i <= 50; i++)
		histogram.add(i);
	EXPECT_EQ(histogram.percentile(500), 25u);
	EXPECT_EQ(histogram.percentile(900), 45u);
	EXPECT_EQ(histogram.percentile(1000), 50u);
	EXPECT_EQ(histogram.average(), 26u);
}

TEST(Histogram, large_values_are_at_most_3_percent_too_high)
{
	for (uint64_t value = 64; value < 1ull << 62; value = value * 5 / 3) {
		Histogram histogram;

		histogram.add(0);
		histogram.add(value);
		histogram.add(UINT64_MAX);
		uint64_t found = histogram.percentile(500);
		EXPECT_GE(found, value);
		EXPECT_LE(found - value, value / 32);
	}
}

TEST(Histogram, an_average_is_rounded)
{
	Histogram thirds, halves;

	for (uint64_t value : {8000, 8000, 10000})
		thirds.add(value); // 8666.67
	EXPECT_EQ(thirds.average(), 8667u);
	thirds.add(8001); // 8500.25
	EXPECT_EQ(thirds.average(), 8500u);
	halves.add(1);
	halves.add(2);
	EXPECT_EQ(halves.average(), 2u);
}

TEST(Histogram, an_average_is_no_more_than_the_greatest)
{
	Histogram histogram;

	histogram.add(UINT64_MAX);
	EXPECT_EQ(histogram.average(), UINT64_MAX);
	histogram.add(UINT64_MAX, 3);
	EXPECT_EQ(histogram.average(), UINT64_MAX);
	Histogram large;
	large.add((1ull << 53) + 1);
	EXPECT_EQ(large.average(), (1ull << 53) + 1);
	large.add((1ull << 53) + 5);
	EXPECT_EQ(large.average(), (1ull << 53) + 3);
}

TEST(Histogram, a_value_may_stand_for_many)
{
	Histogram histogram;

	histogram.add(10, 1);
	histogram.add(20, 9);
	EXPECT_EQ(histogram.count(), 10u);
	EXPECT_EQ(histogram.average(), 19u);
	EXPECT_EQ(histogram.percentile(100), 10u);
	EXPECT_EQ(histogram.percentile(200), 20u);
	// More than a 32-bit count.
	histogram.add(20, UINT32_MAX);
	histogram.add(20, UINT32_MAX);
	EXPECT_EQ(histogram.count(), 10u + 2ull * UINT32_MAX);
	// A value whose bucket was not there at that time.
	histogram.add(5000, UINT32_MAX);
	EXPECT_EQ(histogram.percentile(600), 20u);
	EXPECT_EQ(histogram.percentile(700), 5000u);
	EXPECT_EQ(histogram.by_microseconds()[0], 10u + 2ull * UINT32_MAX);
	EXPECT_EQ(histogram.by_microseconds()[3], uint64_t(UINT32_MAX));
}

// One by one, more than 16 bits hold.
TEST(Histogram, a_bucket_holds_any_number)
{
	Histogram histogram;

	for (int i = 0; i < 200001; i++)
		histogram.add(i % 2 ? 5000 : 20);
	EXPECT_EQ(histogram.by_microseconds()[0], 100001u);
	EXPECT_EQ(histogram.by_microseconds()[3], 100000u);
	EXPECT_EQ(histogram.percentile(500), 20u);
	EXPECT_EQ(histogram.percentile(501), 5000u);
}

// Values wait before they are added, which no caller sees.
TEST(Histogram, each_value_counts_at_once)
{
	Histogram histogram;

	for (uint64_t i = 1; i <= 100; i++) {
		histogram.add(1000 + i, 2);
		EXPECT_EQ(histogram.count(), 2 * i);
		EXPECT_EQ(histogram.min(), 1001u);
		EXPECT_EQ(histogram.max(), 1000 + i);
		EXPECT_EQ(histogram.percentile(1000), 1000 + i);
	}
	EXPECT_EQ(histogram.average(), 1051u);
}

} // namespace grtrace
