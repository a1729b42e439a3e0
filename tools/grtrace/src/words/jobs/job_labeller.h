// SPDX-License-Identifier: GPL-2.0
//
// JobLabeller: gives each job its label.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "read/stream/ring_map.h"
#include "read/stream/session.h"
#include "words/data/running_percentile.h"
#include "words/jobs/job_label.h"
#include "words/tracker/job.h"

namespace grtrace {

// Handles the jobs of one capture in the order of the tracker, because a job is slow
// compared with earlier jobs on its ring. Memory grows with rings.
class JobLabeller {
public:
	// The session must outlive it.
	JobLabeller(const JobThresholds &thresholds, const Session &session)
		: thresholds_(thresholds), session_(session)
	{
	}

	// To be called once for each job.
	JobLabel label(const Job &job);

private:
	// A job's label depends on EXEC of the jobs before it.
	RunningPercentile &pace_of(uint32_t ring);

	bool is_unknown(const Job &job) const;

	JobThresholds thresholds_;
	const Session &session_;
	RingMap<std::unique_ptr<RunningPercentile>> paces_;
};

} // namespace grtrace
