// SPDX-License-Identifier: GPL-2.0
//
// The offset of two clocks follows from their ids, their boots and the wall clock.
#include <gtest/gtest.h>

#include "words/merge/clock_facts.h"

using namespace grtrace;

namespace {

ClockFacts facts(ClockId id, uint8_t boot, uint64_t ts = 0, uint64_t real = 0)
{
	ClockFacts clock;

	clock.id = id;
	clock.said = clock_name(id);
	clock.boot_id[0] = boot;
	clock.has_real = real;
	clock.ts = ts;
	clock.real = real;
	return clock;
}

TEST(ClockOffset, the_same_clock_needs_none)
{
	ClockOffset offset;

	ASSERT_TRUE(offset_between(facts(ClockId::boot, 1, 5, 1000),
				   facts(ClockId::boot, 1, 9, 2000), false, offset)
			    .ok());
	EXPECT_EQ(offset.ns, 0);
	EXPECT_EQ(offset.uncertainty_ns, 0u);
	EXPECT_TRUE(offset_between(facts(ClockId::monotonic, 1), facts(ClockId::monotonic, 0),
				   false, offset)
			    .ok());
	EXPECT_NE(offset.how.find("assumed to be"), std::string::npos);
}

TEST(ClockOffset, by_the_wall_clock)
{
	ClockOffset offset;

	// The moment 1000: 5 here, 105 there; so there is 100 ahead.
	ASSERT_TRUE(offset_between(facts(ClockId::monotonic, 1, 5, 1000),
				   facts(ClockId::boot, 1, 105, 1000), false, offset)
			    .ok());
	EXPECT_EQ(offset.ns, -100);
	EXPECT_EQ(offset.uncertainty_ns, 2000u);
	ASSERT_TRUE(offset_between(facts(ClockId::monotonic, 1, 5, 1000),
				   facts(ClockId::monotonic, 2, 3, 1010), false, offset)
			    .ok());
	EXPECT_EQ(offset.ns, 12);
	EXPECT_EQ(offset.uncertainty_ns, ClockOffset::not_known);
}

TEST(ClockOffset, by_marks_in_the_trace)
{
	ClockOffset offset;
	ClockFacts local = facts(ClockId::other, 0);

	// The local clock is 1000 behind mono; an event is 10 to 40 later than its line.
	local.marks = {{510, {1500, 9500, 37500}},
		       {700, {1660, 9660, 37660}},
		       {725, {1720, 9720, 37720}},
		       {760, {1730, 9730, 37730}}};
	ASSERT_TRUE(offset_between(facts(ClockId::monotonic, 1), local, false, offset).ok());
	EXPECT_EQ(offset.ns, 1730 - 725 - 5);
	EXPECT_EQ(offset.uncertainty_ns, 5u);
	ASSERT_TRUE(offset_between(facts(ClockId::tai, 1), local, false, offset).ok());
	EXPECT_EQ(offset.ns, 37730 - 725 - 5);
	// They are of no use on another machine, and a single one has no upper bound.
	EXPECT_FALSE(offset_between(facts(ClockId::monotonic, 1), local, true, offset).ok());
	local.marks.resize(1);
	EXPECT_FALSE(offset_between(facts(ClockId::monotonic, 1), local, false, offset).ok());
}

TEST(ClockMark, is_a_line_of_record)
{
	ClockMark mark;

	ASSERT_TRUE(read_clock_mark("print: 0xffff: grtrace_sync mono=12 boot=34 tai=56", mark));
	EXPECT_EQ(mark.clocks, (std::array<uint64_t, 3>{12, 34, 56}));
	EXPECT_FALSE(read_clock_mark("grtrace_sync mono=12 boot=34", mark));
	EXPECT_FALSE(read_clock_mark("grtrace_sync mono=x boot=34 tai=56", mark));
	EXPECT_FALSE(read_clock_mark("mono=12 boot=34 tai=56", mark));
}

TEST(ClockOffset, nothing_in_common)
{
	ClockOffset offset;
	ClockFacts local = facts(ClockId::other, 0);

	EXPECT_FALSE(
		offset_between(facts(ClockId::monotonic, 1, 5, 1000), local, false, offset).ok());
	// Two unknown clocks are not the same one.
	EXPECT_FALSE(offset_between(local, local, false, offset).ok());
	EXPECT_FALSE(offset_between(facts(ClockId::monotonic, 1), facts(ClockId::monotonic, 2),
				    false, offset)
			     .ok());
	// A file that names no boot, and which the user calls one of another machine.
	EXPECT_FALSE(offset_between(facts(ClockId::monotonic, 1), facts(ClockId::monotonic, 0),
				    true, offset)
			     .ok());
}

TEST(ClockOffset, apart_only_the_wall_clock_counts)
{
	ClockOffset offset;

	ASSERT_TRUE(offset_between(facts(ClockId::monotonic, 1, 5, 1000),
				   facts(ClockId::monotonic, 0, 105, 1000), true, offset)
			    .ok());
	EXPECT_EQ(offset.ns, -100);
	EXPECT_EQ(offset.uncertainty_ns, ClockOffset::not_known);
	// The boots count more than a name.
	ASSERT_TRUE(offset_between(facts(ClockId::monotonic, 1, 5, 1000),
				   facts(ClockId::monotonic, 1, 105, 1000), true, offset)
			    .ok());
	EXPECT_EQ(offset.ns, 0);
}

} // namespace
