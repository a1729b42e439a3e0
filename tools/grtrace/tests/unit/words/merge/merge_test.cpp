// SPDX-License-Identifier: GPL-2.0
//
// What trace-cmd and perf print, and what two clocks have in common.
#include <gtest/gtest.h>

#include "words/merge/clock_facts.h"
#include "words/merge/text_event.h"

using namespace grtrace;

namespace {

TEST(TextEvent, of_trace_cmd)
{
	TextEvent event;

	ASSERT_TRUE(parse_trace_cmd(" kworker/u4:2-31    [001]    23.842605432: drm_run_job: a: b",
				    event));
	EXPECT_EQ(event.comm, "kworker/u4:2");
	EXPECT_EQ(event.pid, 31u);
	EXPECT_EQ(event.cpu, 1u);
	EXPECT_EQ(event.ts, 23842605432u);
	EXPECT_EQ(event.name, "drm_run_job");
	EXPECT_EQ(event.text, "a: b");
}

TEST(TextEvent, a_name_with_everything_in_it)
{
	TextEvent event;

	ASSERT_TRUE(parse_trace_cmd("[a] b-c: d-77 [002] d..2. 1.5: x:", event));
	EXPECT_EQ(event.comm, "[a] b-c: d");
	EXPECT_EQ(event.pid, 77u);
	EXPECT_EQ(event.ts, 1500000000u);
	EXPECT_EQ(event.name, "x");
	EXPECT_EQ(event.text, "");
}

TEST(TextEvent, of_perf)
{
	TextEvent event;

	ASSERT_TRUE(parse_perf("  Web Content  12/34   [003]  60.200261483: "
			       "sched:sched_switch: prev_comm=a",
			       event));
	EXPECT_EQ(event.comm, "Web Content");
	EXPECT_EQ(event.tgid, 12u);
	EXPECT_EQ(event.pid, 34u);
	EXPECT_EQ(event.name, "sched:sched_switch");
	EXPECT_EQ(event.text, "prev_comm=a");
	EXPECT_EQ(event.lost, 0u);
}

TEST(TextEvent, the_idle_task_of_perf_may_have_no_number)
{
	TextEvent event;

	ASSERT_TRUE(parse_perf("swapper -1/-1 [000] 1.000000001: a:b: c", event));
	EXPECT_EQ(event.pid, 0u);
	EXPECT_EQ(event.tgid, 0u);
}

TEST(TextEvent, losses)
{
	TextEvent event;

	ASSERT_TRUE(parse_trace_cmd("CPU:2 [123 EVENTS DROPPED]", event));
	EXPECT_EQ(event.cpu, 2u);
	EXPECT_EQ(event.lost, 123u);
	ASSERT_TRUE(parse_trace_cmd("CPU:0 [EVENTS DROPPED]", event));
	EXPECT_EQ(event.lost, 1u);
	ASSERT_TRUE(parse_perf("a 1/1 [000] 1.0: PERF_RECORD_LOST lost 9", event));
	EXPECT_EQ(event.lost, 9u);
}

TEST(TextEvent, a_line_that_is_none)
{
	TextEvent event;

	for (const char *line :
	     {"", "cpus=2", "[", "]", "[0]", "a-1 [000]", "a-1 [000] :", "a-1 [000] 1: b",
	      "a-1 [000] x.5: b", "a-1 [x] 1.5: b", "a-x [000] 1.5: b", "a [000] 1.5: b",
	      "a-1 [000] 1.5:", "a-1 [99999999999] 1.5: b", "a-1 [000] 99999999999999.5: b",
	      "a-1 [000] 1.1234567890: b", "CPU:x [1 EVENTS DROPPED]", "[EVENTS DROPPED] CPU:1"}) {
		EXPECT_FALSE(parse_trace_cmd(line, event)) << line;
		EXPECT_FALSE(parse_perf(line, event)) << line;
	}
}

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
	// Two clocks that nobody knows are not the same one.
	EXPECT_FALSE(offset_between(local, local, false, offset).ok());
	EXPECT_FALSE(offset_between(facts(ClockId::monotonic, 1), facts(ClockId::monotonic, 2),
				    false, offset)
			     .ok());
	// A file that tells no boot, and is said to be of another machine.
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
	// What the boots say counts more than a name.
	ASSERT_TRUE(offset_between(facts(ClockId::monotonic, 1, 5, 1000),
				   facts(ClockId::monotonic, 1, 105, 1000), true, offset)
			    .ok());
	EXPECT_EQ(offset.ns, 0);
}

} // namespace
