// SPDX-License-Identifier: GPL-2.0
#include "words/export/slice_lanes.h"

#include <gtest/gtest.h>

namespace grtrace {
namespace {

TEST(SliceLanes, OneAfterTheOtherShareALane)
{
	SliceLanes lanes;

	EXPECT_EQ(lanes.place(10, 20), 0u);
	EXPECT_EQ(lanes.place(20, 30), 0u);
	EXPECT_EQ(lanes.place(31, 31), 0u);
	EXPECT_EQ(lanes.place(31, 40), 0u);
}

TEST(SliceLanes, OverlappingOnesDoNot)
{
	SliceLanes lanes;

	EXPECT_EQ(lanes.place(10, 20), 0u);
	EXPECT_EQ(lanes.place(15, 25), 1u);
	EXPECT_EQ(lanes.place(19, 30), 2u);
	// Two are free: the one that was used last.
	EXPECT_EQ(lanes.place(27, 35), 1u);
	EXPECT_EQ(lanes.place(28, 36), 0u);
}

TEST(SliceLanes, OneThatNeverEndsKeepsItsLane)
{
	SliceLanes lanes;

	EXPECT_EQ(lanes.place(10, UINT64_MAX), 0u);
	EXPECT_EQ(lanes.place(1000, 1001), 1u);
	EXPECT_EQ(lanes.place(2000, 2001), 1u);
}

TEST(SliceLanes, AnEarlierOneThatComesLateGetsAnother)
{
	SliceLanes lanes;

	EXPECT_EQ(lanes.place(50, 60), 0u);
	EXPECT_EQ(lanes.place(10, 20), 1u);
}

} // namespace
} // namespace grtrace
