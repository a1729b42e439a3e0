// SPDX-License-Identifier: GPL-2.0
//
// The columns of an event for other programs: --csv, --json and their manual
// are made from one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/vocabulary.h"
#include "read/jobs/job.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/columns/column.h"

namespace grtrace {

// An event and what its numbers stand for.
struct EventRow {
	EventRow(const Event &event, Session &session, std::string_view capture, uint64_t elapsed);

	const Event &event;
	const Session &session;
	std::string_view capture; // its name
	const RecordKind *kind; // nullptr: unknown type
	const Ring &ring; // of RING: the one it describes
	const Task *task; // nullptr: no TASK has named the pid
	uint64_t elapsed; // ns since the step before, or Job::none
	std::string made; // text that stands nowhere else
};

using EventColumn = Column<EventRow>;

// In the order of --csv.
std::span<const EventColumn> event_columns();

// The table as text for --help.
std::string describe_event_columns();

// A line for each event, or note.
enum class RowForm { csv, json };

} // namespace grtrace
