// SPDX-License-Identifier: GPL-2.0
//
// JobLabeller: jobs in, labels out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "read/jobs/job.h"
#include "words/data/running_percentile.h"
#include "words/jobs/job_label.h"

namespace grtrace {

// For one capture, in the order in which its jobs are handed out: what is slow
// is measured by the jobs before it on the ring. Memory grows with rings.
class JobLabeller {
public:
	explicit JobLabeller(const JobThresholds &thresholds) : thresholds_(thresholds) {}

	// Once for each job.
	JobLabel label(const Job &job);

private:
	// A job's label is measured by EXEC of the jobs before it.
	RunningPercentile &pace_of(uint32_t ring);

	JobThresholds thresholds_;
	std::vector<std::unique_ptr<RunningPercentile>> paces_; // by ring id
};

} // namespace grtrace
