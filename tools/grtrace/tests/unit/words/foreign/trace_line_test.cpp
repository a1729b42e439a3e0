// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/trace_line.h"

#include <drm/grtrace_drm.h>
#include <gtest/gtest.h>

namespace grtrace {

constexpr uint16_t hardirq = GRTRACE_IN_HARDIRQ | GRTRACE_TIME_INTERRUPT;

// One event, in the columns that each program and option prints.
struct Columns {
	const char *text;
	uint64_t ts;
	uint16_t flags;
	uint32_t tgid;
};

class Line : public testing::TestWithParam<Columns> {};

TEST_P(Line, HasTheSameEvent)
{
	TraceLine line;

	ASSERT_EQ(read_trace_line(GetParam().text, line), LineKind::event);
	EXPECT_EQ(line.ts, GetParam().ts);
	EXPECT_EQ(line.flags, GetParam().flags);
	EXPECT_EQ(line.tgid, GetParam().tgid);
	EXPECT_EQ(line.cpu, 1u);
	EXPECT_EQ(line.pid, 237u);
	EXPECT_EQ(line.comm, "a game-x");
	EXPECT_EQ(line.name, "drm_sched_process_job");
	EXPECT_EQ(line.text, "fence=0000000089440dd5 signaled");
}

#define EVENT "drm_sched_process_job: fence=0000000089440dd5 signaled"

INSTANTIATE_TEST_SUITE_P(
	Programs, Line,
	testing::Values(
		Columns{"        a game-x-237     [001] d.h2.    16.842829: " EVENT, 16842829000,
			hardirq, 0},
		Columns{"        a game-x-237     [001] ..s1     16.842829: " EVENT, 16842829000,
			GRTRACE_IN_SOFTIRQ, 0},
		Columns{"        a game-x-237     [001] dNH1.    16.842829: " EVENT, 16842829000,
			hardirq, 0},
		Columns{"        a game-x-237     [001]    16.842829: " EVENT, 16842829000, 0, 0},
		Columns{"        a game-x-237     (    230) [001] .....    16.842829: " EVENT,
			16842829000, 0, 230},
		Columns{"        a game-x-237     (-------) [001] .....    16.842829: " EVENT,
			16842829000, 0, 0},
		Columns{"        a game-x-237     [001] .....    16.842829017: " EVENT, 16842829017,
			0, 0},
		Columns{"        a game-x-237       1d.h2    16.842829: " EVENT, 16842829000,
			hardirq, 0},
		Columns{"        a game-x-237   [001]    16.842829: drm_sched_process_job:  fence="
			"0000000089440dd5 signaled",
			16842829000, 0, 0},
		Columns{"        a game-x   237 [001]    16.842829: gpu_scheduler:" EVENT,
			16842829000, 0, 0},
		Columns{"        a game-x   230/237   [001]    16.842829017:   "
			"gpu_scheduler:" EVENT,
			16842829017, 0, 230},
		Columns{"        a game-x   237 [001]    16.842829:          1 "
			"gpu_scheduler:" EVENT,
			16842829000, 0, 0},
		Columns{"        a game-x-237     [001] d.h2.    16.842829: " EVENT "\r",
			16842829000, hardirq, 0}));

struct Loss {
	const char *text;
	uint32_t cpu;
	uint64_t lost;
};

class LossLine : public testing::TestWithParam<Loss> {};

TEST_P(LossLine, HasItsCpuAndNumber)
{
	TraceLine line;

	ASSERT_EQ(read_trace_line(GetParam().text, line), LineKind::loss);
	EXPECT_EQ(line.cpu, GetParam().cpu);
	EXPECT_EQ(line.lost, GetParam().lost);
}

INSTANTIATE_TEST_SUITE_P(
	Programs, LossLine,
	testing::Values(Loss{"CPU:1 [LOST 12 EVENTS]", 1, 12}, Loss{"CPU:3 [LOST EVENTS]", 3, 1},
			Loss{"CPU:0 [77 EVENTS DROPPED]", 0, 77},
			Loss{"CPU:2 [EVENTS DROPPED]", 2, 1},
			Loss{"  game  230/237 [002]  1.5: PERF_RECORD_LOST lost 9", 2, 9}));

TEST(TraceLine, OtherLinesHaveNoEvent)
{
	TraceLine line;

	for (const char *text :
	     {"", "# tracer: nop", "cpus=2", "version = 6", "CPU 1 is empty",
	      "CPU:x [LOST 1 EVENTS]", "CPU:1 online", "game-237 [001] .....",
	      "game-237 [001] ..... 16.8", "game [001] 1.5: x",
	      "game-237 [x] ..... 16.842829: x: y", "game-237 [001] ..... 16.: x: y",
	      "game-237 [001] ..... 1.0000000001: x: y", "game-237 [99999999999] 1.5: x: y",
	      "game-237 [001] 99999999999999.5: x: y",
	      "game-237 [001] 1.5: ", "game 230/237 [002]  1.5: PERF_RECORD_COMM: x"})
		EXPECT_EQ(read_trace_line(text, line), LineKind::other) << text;
}

TEST(TraceLine, ACounterIsNoTime)
{
	TraceLine line;

	EXPECT_EQ(read_trace_line("game-237     [001] d..1. 49280173521: x: y", line),
		  LineKind::counter);
}

TEST(TraceLine, NamesThatTheKernelDoesNotKnow)
{
	TraceLine line;

	ASSERT_EQ(read_trace_line("   <...>-237     [001] .....    1.5: x: y", line),
		  LineKind::event);
	EXPECT_EQ(line.comm, "");
	ASSERT_EQ(read_trace_line("  <idle>-0       [001] d.h2.    1.5: x: y", line),
		  LineKind::event);
	EXPECT_EQ(line.comm, "swapper");
	ASSERT_EQ(read_trace_line("     :-1     -1/-1    [000]    1.5: sched:x: y", line),
		  LineKind::event);
	EXPECT_EQ(line.pid, 0u);
}

TEST(TraceLine, ANameWithEverythingInIt)
{
	TraceLine line;

	ASSERT_EQ(read_trace_line("[a] b-c: d-77 [002] d..2. 1.5: x:", line), LineKind::event);
	EXPECT_EQ(line.comm, "[a] b-c: d");
	EXPECT_EQ(line.pid, 77u);
	EXPECT_EQ(line.name, "x");
	EXPECT_EQ(line.text, "");
	ASSERT_EQ(read_trace_line("  Web Content  12/34   [003]  60.2: sched:x: y", line),
		  LineKind::event);
	EXPECT_EQ(line.comm, "Web Content");
	EXPECT_EQ(line.name, "x");
	EXPECT_EQ(line.full_name, "sched:x");
}

TEST(TraceLine, ThatIsNone)
{
	TraceLine line;

	for (const char *text :
	     {"", "cpus=2", "[", "]", "[0]", "a-1 [000]", "a-1 [000] :", "a-1 [000] x.5: b",
	      "a-1 [x] 1.5: b", "a-x [000] 1.5: b", "a [000] 1.5: b",
	      "a-1 [000] 1.5:", "a-1 [99999999999] 1.5: b", "a-1 [000] 99999999999999.5: b",
	      "a-1 [000] 1.1234567890: b", "CPU:x [1 EVENTS DROPPED]", "[EVENTS DROPPED] CPU:1"})
		EXPECT_EQ(read_trace_line(text, line), LineKind::other) << text;
}

} // namespace grtrace
