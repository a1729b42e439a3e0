// SPDX-License-Identifier: GPL-2.0
//
// The columns of an event for other programs. One table generates --csv, --json and the
// manual of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/vocabulary.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/columns/column.h"
#include "words/tracker/job.h"

namespace grtrace {

// An event, and the names behind its numbers.
struct EventRow {
	EventRow(const Event &event, Session &session, std::string_view capture, uint64_t elapsed);

	const Event &event;
	const Session &session;
	std::string_view capture; // name of the capture
	const RecordKind *kind; // nullptr: unknown type
	const Ring &ring; // for a RING: the ring that it describes
	const Task *task; // nullptr: no TASK record has named the pid
	uint64_t elapsed; // ns since the previous step, or Job::none
	std::string made; // text that is made for this row only
};

using EventColumn = Column<EventRow>;

// Returns the columns in the order of --csv.
std::span<const EventColumn> event_columns();

// Returns the table as text for --help.
std::string describe_event_columns();

// Each event or note is one line.
enum class RowForm { csv, json };

} // namespace grtrace
