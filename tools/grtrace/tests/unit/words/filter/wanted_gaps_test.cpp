// SPDX-License-Identifier: GPL-2.0
#include "words/filter/wanted_gaps.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(WantedGaps, gaps_outside_the_interval_are_not_wanted)
{
	EventFilter filter;
	Session session;
	const std::vector<Gap> gaps = {
		{0, 900, 0, 1}, {900, 1100, 1, 2}, {1500, 1600, 2, 3}, {3100, 4000, 3, 4}};

	EXPECT_EQ(wanted_gaps(filter, gaps, session).size(), gaps.size());
	ASSERT_TRUE(filter.set_since("1us").ok());
	ASSERT_TRUE(filter.set_until("3us").ok());

	const std::vector<Gap> wanted = wanted_gaps(filter, gaps, session);
	ASSERT_EQ(wanted.size(), 2);
	EXPECT_EQ(wanted[0].cpu, 1);
	EXPECT_EQ(wanted[1].cpu, 2);
}

} // namespace grtrace
