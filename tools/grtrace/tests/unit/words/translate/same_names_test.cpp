// SPDX-License-Identifier: GPL-2.0
#include "words/translate/same_names.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

constexpr uint64_t game = 0x1111, other = 0x2222, third = 0x3333;

} // namespace

class SameNamesTest : public testing::Test {
protected:
	size_t submit(uint64_t entity, uint64_t number)
	{
		return names.submit("gfx", entity, number, &mixed);
	}

	SameNames names;
	bool mixed = false;
};

TEST_F(SameNamesTest, NumbersThatGoOnAreOfOneRing)
{
	for (uint64_t number = 100; number < 110; number++)
		EXPECT_EQ(submit(number % 2 ? game : other, number), 0u);
	// Some were not recorded, and one was queued late.
	EXPECT_EQ(submit(third, 5000), 0u);
	EXPECT_EQ(submit(game, 4990), 0u);
	EXPECT_EQ(names.count("gfx"), 1u);
	EXPECT_FALSE(mixed);
}

TEST_F(SameNamesTest, NumbersThatGoBackAreOfAnother)
{
	EXPECT_EQ(submit(game, 5000), 0u);
	EXPECT_EQ(submit(other, 100), 1u);
	EXPECT_EQ(submit(game, 5001), 0u);
	EXPECT_EQ(submit(other, 101), 1u);
	EXPECT_EQ(names.find("gfx", other), 1u);
	EXPECT_EQ(names.find("compute", other), 0u);
	EXPECT_FALSE(mixed);
}

// Until it goes back, the other one's numbers pass for a gap.
TEST_F(SameNamesTest, WhatWasTakenForAGapMixesThem)
{
	EXPECT_EQ(submit(game, 100), 0u);
	EXPECT_EQ(submit(other, 5000), 0u);
	EXPECT_FALSE(mixed);
	EXPECT_EQ(submit(game, 101), 1u);
	EXPECT_TRUE(mixed);
	EXPECT_EQ(submit(other, 5001), 0u);
	EXPECT_EQ(submit(game, 102), 1u);
}

TEST_F(SameNamesTest, UnlessTheFirstJobsWereForeseen)
{
	const std::vector<SameNames::Job> jobs = {
		{"gfx", game, 100}, {"gfx", other, 5000}, {"gfx", game, 101}, {"gfx", other, 5001}};

	names.foresee(jobs);
	const size_t ring = submit(game, 100);
	EXPECT_EQ(submit(other, 5000), 1 - ring);
	EXPECT_EQ(submit(game, 101), ring);
	EXPECT_EQ(submit(other, 5001), 1 - ring);
	EXPECT_FALSE(mixed);
}

// Both began to count when the machine did.
TEST_F(SameNamesTest, ANumberThatComesTwiceIsOfAnother)
{
	EXPECT_EQ(submit(game, 39), 0u);
	EXPECT_EQ(submit(other, 39), 1u);
	EXPECT_EQ(submit(game, 40), 0u);
	EXPECT_EQ(submit(other, 40), 1u);
	EXPECT_FALSE(mixed);
	// It fits both.
	submit(third, 42);
	EXPECT_TRUE(mixed);
}

TEST_F(SameNamesTest, NoMoreRingsThanAMachineHasGpus)
{
	for (uint64_t entity = 1; entity < 100; entity++)
		submit(entity, 7);
	EXPECT_EQ(names.count("gfx"), 16u);
}

} // namespace grtrace
