// SPDX-License-Identifier: GPL-2.0
//
// ReportSection: one table of a report.
#pragma once

#include <fmt/format.h>

#include "read/jobs/job.h"
#include "read/jobs/job_watcher.h"
#include "words/jobs/job_label.h"

namespace grtrace {

// Fed with the jobs of one capture, and with their steps where it wants them;
// prints at the end. It looks up names in the
// capture while it is fed: a pid may be another process later.
class ReportSection : public JobWatcher {
public:
	// Nothing more can come for the job.
	virtual void job(const Job &, JobLabel) {}
	// Whether it also wants jobs that the report is not about.
	virtual bool wants_all() const { return false; }
	virtual void other_job(const Job &) {}
	// The steps of all jobs are many: only watchers that ask for them get them.
	JobWatcher *watcher_of_moves() override { return nullptr; }
	JobWatcher *watcher_of_executions() override { return nullptr; }
	void moved(const Job &, JobPhase, uint64_t) override {}
	// The time of the capture's first event, and of its last.
	virtual void begin(uint64_t) {}
	virtual void finish(uint64_t) {}

	virtual void print(fmt::memory_buffer &out) = 0;
};

} // namespace grtrace
