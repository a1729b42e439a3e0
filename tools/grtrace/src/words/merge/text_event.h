// SPDX-License-Identifier: GPL-2.0
//
// TextEvent: one event in the text of trace-cmd or perf.
#pragma once

#include <cstdint>
#include <string_view>

namespace grtrace {

struct TextEvent {
	uint64_t ts = 0; // ns of the file's clock
	uint32_t cpu = 0;
	uint32_t pid = 0; // of the thread
	uint32_t tgid = 0; // 0: unknown
	uint64_t lost = 0; // this is not an event: so many are missing
	std::string_view comm;
	std::string_view name; // with its system, if that is known
	std::string_view text; // its fields
};

// Reads a line of trace-cmd report -t. Returns false if the line is not an event.
bool parse_trace_cmd(std::string_view line, TextEvent &event);
// Reads a line of perf script --ns -F comm,pid,tid,cpu,time,event,trace.
bool parse_perf(std::string_view line, TextEvent &event);

} // namespace grtrace
