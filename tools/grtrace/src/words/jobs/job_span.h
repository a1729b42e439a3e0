// SPDX-License-Identifier: GPL-2.0
//
// JobSpan: the time from a job's first record to its last.
#pragma once

#include <algorithm>
#include <cstdint>

#include "words/tracker/job.h"

namespace grtrace {

// The first and the last of its steps, even if they came in another order. For a job
// without steps, first is Job::none and last is 0.
struct JobSpan {
	explicit JobSpan(const Job &job)
	{
		for (uint64_t ts : {job.submit_ts, job.blocked_ts, job.pick_ts, job.commit_ts,
				    job.start_ts, job.end_ts, job.complete_ts}) {
			if (ts == Job::none)
				continue;
			first = std::min(first, ts);
			last = std::max(last, ts);
		}
	}

	uint64_t first = Job::none;
	uint64_t last = 0;
};

} // namespace grtrace
