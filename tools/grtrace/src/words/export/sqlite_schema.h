// SPDX-License-Identifier: GPL-2.0
//
// sqlite_schema: the tables of the database, made from the tables of columns.
#pragma once

#include <span>
#include <string>

#include "words/jobs/job_columns.h"
#include "words/rows/event_columns.h"

namespace grtrace {

// Columns and tables are only ever added; any other change increases this.
constexpr int sqlite_schema_version = 1;

// The columns that the tables "event" and "job" have as event_columns() and
// job_columns() describe them, after a few of their own. Columns that can be
// derived from other columns or tables are in the views event_row and job_row,
// which have all columns.
std::vector<const EventColumn *> sqlite_event_columns();
std::vector<const JobColumn *> sqlite_job_columns();
// Those that few events have: of the tables "note" and "ioctl", behind the id of
// the event.
std::vector<const EventColumn *> sqlite_side_columns(std::string_view table);

// Statements that make all tables and views, and fill what never changes.
std::string sqlite_tables();
// Those that make the indexes, once the tables are full.
std::string sqlite_indexes();

} // namespace grtrace
