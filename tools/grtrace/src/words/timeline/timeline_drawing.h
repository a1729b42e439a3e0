// SPDX-License-Identifier: GPL-2.0
//
// TimelineDrawing: passes one capture's events to its views.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "words/calls/call_tracker.h"
#include "words/jobs/job_watchers.h"
#include "words/reading/interval_check.h"
#include "words/timeline/timeline_view.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

// Owns the views, and passes everything to each of them, in the order in which they were
// added. Memory is needed by the views and the trackers.
class TimelineDrawing : private JobSink, private JobWatchers, private CallWatcher {
public:
	// Both must outlive the drawing.
	TimelineDrawing(TimelineChoice &choice, uint32_t index, Capture &capture)
		: tracker_(*this, this), calls_(*this, choice, index, capture.session())
	{
	}

	void add(std::unique_ptr<TimelineView> view)
	{
		JobWatchers::add(*view);
		views_.push_back(std::move(view));
	}
	const CallKinds &kinds() const { return calls_.kinds(); }

	// The capture found these losses before the next event.
	void lose(const std::vector<Gap> &gaps);
	void feed(const Event &event);
	// ts: when the recording ended.
	void finish(uint64_t ts = 0);
	void print(fmt::memory_buffer &out);
	const CoveredTime &covered() const { return covered_; }

private:
	// Views are added after the tracker has called this.
	JobWatcher *watcher_of_moves() override { return this; }
	JobWatcher *watcher_of_executions() override { return this; }
	void job(const Job &job) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void lost(uint64_t from, uint64_t to) override;

	void called(const Call &call, std::span<const JobKey> jobs) override;
	void wait_over(const Wait &wait) override;
	void submitted(const Job &job, const Call *call, uint64_t waiter_ts) override;

	JobTracker tracker_;
	CallTracker calls_;
	std::vector<std::unique_ptr<TimelineView>> views_;
	CoveredTime covered_;
	uint64_t last_ts_ = 0;
};

} // namespace grtrace
