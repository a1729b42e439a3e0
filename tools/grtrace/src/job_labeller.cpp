// SPDX-License-Identifier: GPL-2.0
#include "job_labeller.h"

#include "ring_table.h"

namespace grtrace {

JobLabeller::RingPace &JobLabeller::pace_of(uint32_t ring)
{
	if (ring > RingTable::max_id)
		ring = GRTRACE_RING_NONE;
	if (ring >= paces_.size())
		paces_.resize(ring + 1);
	if (!paces_[ring])
		paces_[ring] = std::make_unique<RingPace>();
	return *paces_[ring];
}

JobLabel JobLabeller::label(const Job &job)
{
	RingPace &pace = pace_of(job.ring);
	const JobLabel label = label_of(job, thresholds_, pace.exec_p90);
	const uint64_t exec = job.exec();

	// The percentile walks through the histogram: not for every job.
	if (exec != Job::none) {
		pace.exec.add(exec, job.weight);
		pace.jobs++;
		if (pace.jobs == JobThresholds::slow_after ||
		    pace.jobs % 256 == 0)
			pace.exec_p90 = pace.exec.percentile(900);
	}
	return label;
}

} // namespace grtrace
