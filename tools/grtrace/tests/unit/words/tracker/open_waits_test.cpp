// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/open_waits.h"

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

TEST(OpenWaits, many_at_once_are_all_known)
{
	OpenWaits waits;
	uint64_t since = 0;

	for (uint32_t seqno = 0; seqno < ThreadWaits::most; seqno++)
		waits.enter(1, 5, seqno, seqno * 100);
	EXPECT_EQ(waits.forgotten(), 0u);
	for (uint32_t seqno = 0; seqno < ThreadWaits::most; seqno++) {
		ASSERT_TRUE(waits.exit(1, 5, seqno, since));
		EXPECT_EQ(since, seqno * 100u);
	}
}

TEST(OpenWaits, of_too_many_the_oldest_goes_and_is_counted)
{
	OpenWaits waits;
	uint64_t since = 0;

	waits.enter(1, 5, 1000000, 50);
	waits.enter(1, 5, 2000000, 20);
	for (uint32_t seqno = 0; seqno < ThreadWaits::most - 1; seqno++)
		waits.enter(1, 5, seqno, 100 + seqno);
	// Again is not one more.
	waits.enter(1, 5, 7, 5000);
	EXPECT_EQ(waits.forgotten(), 1u);
	EXPECT_FALSE(waits.exit(1, 5, 2000000, since));
	ASSERT_TRUE(waits.exit(1, 5, 1000000, since));
	EXPECT_EQ(since, 50u);
	ASSERT_TRUE(waits.exit(1, 5, 7, since));
	EXPECT_EQ(since, 5000u);
}
