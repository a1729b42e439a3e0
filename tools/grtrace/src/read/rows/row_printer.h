// SPDX-License-Identifier: GPL-2.0
//
// RowPrinter: events in, lines for other programs out.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "read/jobs/job.h"
#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// All columns of all events and notes, as CSV or as one JSON object a line.
// Appends to a buffer and does no I/O.
class RowPrinter {
public:
	enum class Form { csv, json };

	explicit RowPrinter(Form form) : form_(form) {}

	// CSV has a line of names.
	void print_header(fmt::memory_buffer &out) const;
	void print(fmt::memory_buffer &out, const Event &event, Session &session,
		   std::string_view capture, uint64_t elapsed = Job::none) const;

private:
	Form form_;
};

} // namespace grtrace
