// SPDX-License-Identifier: GPL-2.0
//
// TraceLine: one line of the text that ftrace, trace-cmd and perf print.
#pragma once

#include <cstdint>
#include <string_view>

namespace grtrace {

// More than any kernel loses; a reader takes greater numbers for damage.
inline constexpr uint64_t lost_max = 1ull << 40;

// An event, or a loss. The views are parts of the line.
struct TraceLine {
	uint64_t ts = 0; // ns of the file's clock
	uint32_t cpu = 0;
	uint32_t pid = 0; // of the thread
	uint32_t tgid = 0; // 0: unknown
	uint16_t flags = 0; // GRTRACE_IN_* and GRTRACE_TIME_*
	bool has_flags = false; // the line has a column of them
	uint64_t lost = 0; // not an event, but a number of events that the CPU lost
	bool has_ts = false; // a loss has its time only from perf
	std::string_view comm; // empty: unknown
	std::string_view name; // without its system
	std::string_view full_name; // with it, if the line has it
	std::string_view text; // its fields
};

enum class LineKind : uint8_t {
	other, // a comment, a heading, or something else
	event,
	loss,
	counter, // an event whose time is a counter, or cycles
};

// Reads these lines, where flags, TGID and digits of the time may be missing:
//
//	      game-237     (  230) [001] d.h2.    16.842829: drm_run_job: ring=gfx_0
//	      game-237     1d.h2    16.842829: drm_run_job: ring=gfx_0
//	[  105.200100]     game-237     1d.h2. 16842829us : drm_run_job: ring=gfx_0
//	      game   230/237   [001]    16.842829123: gpu_scheduler:drm_run_job: ring=gfx_0
//	CPU:1 [LOST 12 EVENTS]
//	CPU:1 [12 EVENTS DROPPED]
LineKind read_trace_line(std::string_view text, TraceLine &line);

} // namespace grtrace
