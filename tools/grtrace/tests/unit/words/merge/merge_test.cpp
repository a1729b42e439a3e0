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
