// SPDX-License-Identifier: GPL-2.0
//
// TraceTextLine: prints an event as a line of ftrace.
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// Facts in a line that are not in its record: the scheduler's counts of jobs, and the client.
struct TraceTextCounts {
	uint64_t queued = 0; // jobs of the context that are not picked
	uint64_t hardware = 0; // jobs of the ring that are picked and not ended
	uint64_t client = 0; // which submitted the job
};

// Prints the kernel's event that reports the same fact, with the kernel's fields in
// the kernel's order, or an event of our own (grtrace_*) if the kernel has no such
// event. Appends to a buffer.
class TraceTextLine {
public:
	enum class Style { since_6_17, old };

	explicit TraceTextLine(Style style) : style_(style) {}

	static void print_header(fmt::memory_buffer &out);
	// Reports in ftrace's words how many records a CPU lost at this place.
	static void print_lost(fmt::memory_buffer &out, uint32_t cpu, uint64_t records);
	void print(fmt::memory_buffer &out, const Event &event, Session &session,
		   const TraceTextCounts &counts) const;

private:
	void print_fields(fmt::memory_buffer &out, const Event &event, Session &session,
			  const TraceTextCounts &counts) const;
	bool print_scheduler(fmt::memory_buffer &out, const Event &event, const Ring &ring,
			     const TraceTextCounts &counts) const;
	bool print_old_scheduler(fmt::memory_buffer &out, const Event &event, const Ring &ring,
				 const TraceTextCounts &counts) const;

	Style style_;
};

} // namespace grtrace
