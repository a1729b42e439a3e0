// SPDX-License-Identifier: GPL-2.0
//
// A number over time, compared with one bucket for each nanosecond.
#include <random>

#include <gtest/gtest.h>

#include "words/data/time_series.h"

namespace grtrace {

TEST(TimeSeries, keeps_the_maximum_however_often_it_halves)
{
	std::mt19937_64 random(1);

	for (int round = 0; round < 50; round++) {
		TimeSeries series;
		std::vector<uint64_t> slow; // by ns from the start
		uint64_t now = random() % 1000000;
		const uint64_t start = now;
		uint64_t most = 1ull << random() % 16;

		for (int i = 0; i < 60; i++) {
			uint64_t length = random() % most;
			uint64_t value = random() % 100;

			series.hold(now, now + length, value);
			slow.insert(slow.end(), length, value);
			now += length;
		}
		if (slow.empty())
			continue;
		ASSERT_LE(series.buckets().size(), TimeSeries::limit);
		EXPECT_EQ(series.start(), start);
		for (size_t i = 0; i < series.buckets().size(); i++) {
			uint64_t max = 0;

			for (uint64_t at = i * series.width();
			     at < (i + 1) * series.width() && at < slow.size(); at++)
				max = std::max(max, slow[at]);
			EXPECT_EQ(series.buckets()[i], max);
		}
		EXPECT_GE(series.buckets().size() * series.width(), slow.size());
	}
}

TEST(TimeSeries, survives_all_of_time)
{
	TimeSeries series;

	series.hold(0, UINT64_MAX, 3);
	series.hold(UINT64_MAX - 1, UINT64_MAX, 9);
	ASSERT_LE(series.buckets().size(), TimeSeries::limit);
	EXPECT_EQ(series.buckets().back(), 9u);
	EXPECT_EQ(series.buckets().front(), 3u);
	// Backwards is nothing.
	series.hold(100, 50, 100);
	EXPECT_EQ(series.buckets().front(), 3u);
}

} // namespace grtrace
