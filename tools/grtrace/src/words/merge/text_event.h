// SPDX-License-Identifier: GPL-2.0
//
// TextEvent: one event as trace-cmd or perf prints it.
#pragma once

#include <cstdint>
#include <string_view>

namespace grtrace {

struct TextEvent {
	uint64_t ts = 0; // ns of the file's clock
	uint32_t cpu = 0;
	uint32_t pid = 0; // of the thread
	uint32_t tgid = 0; // 0: unknown
	uint64_t lost = 0; // not an event, but so many that are missing
	std::string_view comm;
	std::string_view name; // with its system, where that is known
	std::string_view text; // its fields
};

// A line of trace-cmd report -t. False: it has none.
bool parse_trace_cmd(std::string_view line, TextEvent &event);
// A line of perf script --ns -F comm,pid,tid,cpu,time,event,trace.
bool parse_perf(std::string_view line, TextEvent &event);

} // namespace grtrace
