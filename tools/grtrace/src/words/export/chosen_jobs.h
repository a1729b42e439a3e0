// SPDX-License-Identifier: GPL-2.0
//
// ChosenJobs: passes the chosen ones of one capture's jobs to the export.
#pragma once

#include <cstdint>
#include <vector>

#include "words/export/export_options.h"
#include "words/export/exporter.h"
#include "words/jobs/job_labeller.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

// All jobs are followed, because those that are not chosen decide when others began and whether
// they were slow.
class ChosenJobs : public JobSink, public JobWatcher {
public:
	ChosenJobs(ExportOptions &options, uint32_t index, Session &session, CaptureExport &out)
		: filter_(options.jobs), index_(index), session_(session), out_(out),
		  labeller_({}, session)
	{
	}

	// chosen: whether the event passes the filter.
	void feed(JobTracker &tracker, const Event &event, bool chosen)
	{
		chosen_event_ = chosen;
		tracker.feed(event);
	}

	void job(const Job &job) override;
	// Moves are frequent, so they are not only forwarded.
	JobWatcher *watcher_of_moves() override
	{
		return filter_.any() ? this : out_.watcher_of_moves();
	}
	JobWatcher *watcher_of_executions() override { return nullptr; }
	// A record may come before that of SUBMIT, which is what shows whose the job is.
	JobWatcher *watcher_of_steps() override
	{
		return filter_.any() && out_.watcher_of_moves() ? this : nullptr;
	}
	void stepped(const Job &job, JobPhase what, uint64_t ts) override;
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override;
	void lost(uint64_t from, uint64_t to) override { out_.lost(from, to); }

private:
	bool wants(const Job &job)
	{
		return !filter_.any() || filter_.wants(job, index_, session_);
	}

	bool follow(const Job &job);

	JobFilter &filter_;
	uint32_t index_;
	Session &session_;
	CaptureExport &out_;
	JobLabeller labeller_;
	std::vector<bool> followed_; // by slot
	bool chosen_event_ = false;
};

} // namespace grtrace
