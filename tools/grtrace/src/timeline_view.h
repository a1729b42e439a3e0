// SPDX-License-Identifier: GPL-2.0
//
// TimelineView: one drawing of grtrace timeline.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "capture.h"
#include "event_filter.h"
#include "job.h"
#include "job_filter.h"
#include "job_watcher.h"
#include "paint.h"

namespace grtrace {

// Which jobs are drawn, and what of them. All jobs of a capture are followed,
// so that no filter and no interval takes a job apart.
struct TimelineChoice {
	EventFilter time; // -w
	JobFilter jobs;

	// In ns of the session's clock.
	uint64_t from(const Session &session) const
	{
		return later(session.start_ts, time.from_ns());
	}
	uint64_t to(const Session &session) const
	{
		return later(session.start_ts, time.to_ns());
	}

private:
	static uint64_t later(uint64_t ts, uint64_t ns)
	{
		return ns > UINT64_MAX - ts ? UINT64_MAX : ts + ns;
	}
};

// Fed with one capture: its events, and then what the tracker makes of each.
// end() comes before the tracker hands over the jobs that are still in flight.
class TimelineView : public JobSink, public JobWatcher {
public:
	void job(const Job &) override {}
	void moved(const Job &, JobPhase, uint64_t) override {}
	virtual void event(const Event &) {}
	// The time of the capture's last event.
	virtual void end(uint64_t) {}

	virtual void print(fmt::memory_buffer &out) = 0;
};

// A line that says that jobs were sampled, if they were.
void put_sampling(Paint &paint, const Capture &capture, size_t columns);

} // namespace grtrace
