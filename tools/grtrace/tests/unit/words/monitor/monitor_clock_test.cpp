// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_clock.h"

#include <gtest/gtest.h>

namespace grtrace {

class MonitorClockTest : public testing::Test {
protected:
	std::optional<double> interval_at(uint64_t ts)
	{
		now_ = ts;
		return clock_.take_interval();
	}

	uint64_t now_ = 5'000'000'000;
	MonitorClock clock_{1000, [this] { return now_; }};
};

TEST_F(MonitorClockTest, tables_are_an_interval_apart)
{
	clock_.start();
	EXPECT_FALSE(interval_at(5'999'999'999));
	// A table that comes late does not make the next one early.
	EXPECT_EQ(interval_at(6'500'000'000), 1.5);
	EXPECT_FALSE(interval_at(7'000'000'000));
	EXPECT_EQ(interval_at(7'500'000'000), 1.0);
}

TEST_F(MonitorClockTest, seconds_are_since_the_start)
{
	clock_.start();
	interval_at(6'000'000'000);
	now_ = 7'500'000'000;
	EXPECT_EQ(clock_.started(), 5'000'000'000u);
	EXPECT_EQ(clock_.seconds(), 2.5);
}

} // namespace grtrace
