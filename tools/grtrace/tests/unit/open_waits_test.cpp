// SPDX-License-Identifier: GPL-2.0
#include "open_waits.h"

#include <gtest/gtest.h>

using namespace grtrace;

TEST(OpenWaits, from_enter_to_exit)
{
	OpenWaits waits;
	uint64_t since = 0;

	EXPECT_FALSE(waits.exit(1, 5, 9, since));
	waits.enter(1, 5, 9, 100);
	waits.enter(2, 5, 9, 150);
	EXPECT_FALSE(waits.exit(1, 5, 8, since));
	EXPECT_FALSE(waits.exit(1, 6, 9, since));
	ASSERT_TRUE(waits.exit(1, 5, 9, since));
	EXPECT_EQ(since, 100u);
	EXPECT_FALSE(waits.exit(1, 5, 9, since));
	ASSERT_TRUE(waits.exit(2, 5, 9, since));
	EXPECT_EQ(since, 150u);
}

TEST(OpenWaits, the_same_again_begins_anew)
{
	OpenWaits waits;
	uint64_t since = 0;

	waits.enter(1, 5, 9, 100);
	waits.enter(1, 5, 9, 200);
	ASSERT_TRUE(waits.exit(1, 5, 9, since));
	EXPECT_EQ(since, 200u);
	EXPECT_FALSE(waits.exit(1, 5, 9, since));
}

TEST(OpenWaits, of_too_many_the_oldest_goes)
{
	OpenWaits waits;
	uint64_t since = 0;

	for (uint32_t seqno : {3, 1, 2, 4, 5})
		waits.enter(1, 5, seqno, seqno * 100);
	EXPECT_FALSE(waits.exit(1, 5, 1, since));
	for (uint32_t seqno : {2, 3, 4, 5}) {
		ASSERT_TRUE(waits.exit(1, 5, seqno, since));
		EXPECT_EQ(since, seqno * 100u);
	}
}
