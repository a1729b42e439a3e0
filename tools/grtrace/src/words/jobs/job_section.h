// SPDX-License-Identifier: GPL-2.0
//
// ReportSection: one table of a report.
#pragma once

#include <fmt/format.h>

#include "words/jobs/job_label.h"
#include "words/tracker/job.h"
#include "words/tracker/job_watcher.h"

namespace grtrace {

// Receives the jobs of one capture, and their steps if it asks for them; prints at the end.
// It looks up names while the capture is read, because a pid may be another process later.
class ReportSection : public JobWatcher {
public:
	// No more records can come for the job.
	virtual void job(const Job &, JobLabel) {}
	// Returns whether the section also wants jobs that were not chosen for the report.
	virtual bool wants_all() const { return false; }
	virtual void other_job(const Job &) {}
	// Steps are frequent: only watchers that ask for them get them.
	JobWatcher *watcher_of_moves() override { return nullptr; }
	JobWatcher *watcher_of_executions() override { return nullptr; }
	void moved(const Job &, JobPhase, uint64_t) override {}
	// Receive the time of the capture's first event, and the time of its
	// last event.
	virtual void begin(uint64_t) {}
	virtual void finish(uint64_t) {}

	virtual void print(fmt::memory_buffer &out) = 0;
};

} // namespace grtrace
