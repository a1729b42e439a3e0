// SPDX-License-Identifier: GPL-2.0
//
// The columns of a job for other programs.
#pragma once

#include <span>
#include <string>

#include "read/stream/session.h"
#include "words/columns/column.h"
#include "words/jobs/job_label.h"
#include "words/tracker/job.h"

namespace grtrace {

// A job, its label, and the session that has its names.
struct JobRow {
	JobRow(const Job &job, JobLabel label, Session &session);

	const Job &job;
	const Session &session;
	JobLabel label;
	const Ring &ring;
	const Task *task; // submitter; nullptr: not known
};

using JobColumn = Column<JobRow>;

// Returns the columns in the order of --csv.
std::span<const JobColumn> job_columns();

} // namespace grtrace
