// SPDX-License-Identifier: GPL-2.0
//
// TimelineChoice: the jobs and the interval to be drawn.
#pragma once

#include <cstdint>

#include "read/filter/event_filter.h"
#include "read/stream/session.h"
#include "words/filter/job_filter.h"

namespace grtrace {

// Jobs of a capture are followed even if they are not drawn, so that no filter and no
// interval splits a job.
struct TimelineChoice {
	EventFilter time; // -w
	JobFilter jobs;

	// The interval in ns of the session's clock.
	uint64_t from(const Session &session) const
	{
		return later(session.start_ts, time.from_ns());
	}
	uint64_t to(const Session &session) const { return later(session.start_ts, time.to_ns()); }

private:
	static uint64_t later(uint64_t ts, uint64_t ns)
	{
		return ns > UINT64_MAX - ts ? UINT64_MAX : ts + ns;
	}
};

} // namespace grtrace
