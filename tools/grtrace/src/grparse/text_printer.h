// SPDX-License-Identifier: GPL-2.0
//
// TextPrinter: events in, lines out.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "grparse/format.h"
#include "read/jobs/job.h"
#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// Every kind of record has a format of its own, blkparse's unless the user
// gives another. Appends to a buffer and does no I/O; a line costs no
// allocation.
class TextPrinter {
public:
	TextPrinter();

	// -t: the defaults show how long a step took. Before -f and -F.
	void track_times();
	// -f: for all actions.
	Status set_format(std::string_view format);
	// -F X,format: for the action X.
	Status set_format_of(std::string_view spec);

	// elapsed: ns since the step before, where it is known.
	void print(fmt::memory_buffer &out, const Event &event, Session &session,
		   uint64_t elapsed = Job::none);

private:
	// Formats by type: unknown, 15 events, 8 notes, and SUBMIT with a
	// fence.
	static constexpr size_t nr_formats = 25;

	struct Line;

	void set_defaults(std::string_view more);
	static size_t format_index(const Event &event);
	void print_field(Line &line, const Format::Step &step);
	void print_time(Line &line, const Format::Step &step);
	void print_elapsed(Line &line, const Format::Step &step);
	void print_number(Line &line, const Format::Step &step);
	void print_name(Line &line, const Format::Step &step);
	void print_wall_clock(Line &line, const Format::Step &step);
	void print_ring(Line &line);
	void print_fence(Line &line, const Format::Step &step);
	void print_header(Line &line);

	std::array<Format, nr_formats> formats_;
	std::array<bool, nr_formats> headed_ = {}; // with the default header
	// One second's broken-down local time, because asking is slow.
	int64_t clock_second_ = -1;
	char clock_text_[16] = {};
};

} // namespace grtrace
