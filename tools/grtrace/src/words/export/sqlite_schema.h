// SPDX-License-Identifier: GPL-2.0
//
// sqlite_schema: the tables of the database, generated from the tables of columns.
#pragma once

#include <span>
#include <string>

#include "words/jobs/job_columns.h"
#include "words/rows/event_columns.h"

namespace grtrace {

// Increased with each change of the tables, also by columns: a query may depend on them.
constexpr int sqlite_schema_version = 2;

// Return the columns of the tables "event" and "job" that are described by event_columns()
// and job_columns(); each table also has a few columns of its own. Columns that can be
// derived from other columns or tables are only in the views event_row and job_row, which
// have all columns.
std::vector<const EventColumn *> sqlite_event_columns();
std::vector<const JobColumn *> sqlite_job_columns();
// Returns the columns that few events have. They are in the tables "note", "ioctl" and
// "queue", after the id of the event.
std::vector<const EventColumn *> sqlite_side_columns(std::string_view table);

// Returns statements that create all tables and views, and fill the constant ones.
std::string sqlite_tables();
// Returns statements that create the indexes, once the tables are full.
std::string sqlite_indexes();

} // namespace grtrace
