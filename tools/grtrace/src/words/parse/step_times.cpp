// SPDX-License-Identifier: GPL-2.0
//
// A step takes its time from blkparse's idea of an I/O: from the previous step of the
// same job.
#include "words/parse/step_times.h"

namespace grtrace {

static uint64_t first_known(uint64_t ts, uint64_t other)
{
	return ts == Job::none ? other : ts;
}

// Returns the time of the job's previous step.
static uint64_t since(const Job &job, JobPhase what)
{
	switch (what) {
	case JobPhase::blocked:
	case JobPhase::picked:
		return job.submit_ts;
	case JobPhase::committed:
		// Nothing else happened until it was handed over again.
		if (job.hand_overs > 1)
			return job.commit_ts;
		return first_known(job.pick_ts, job.submit_ts);
	case JobPhase::started:
		return job.last_commit_ts;
	case JobPhase::ended:
		return job.start_ts;
	case JobPhase::over:
		return first_known(job.commit_ts, job.pick_ts);
	case JobPhase::unseen:
	case JobPhase::queued:
		break;
	}
	return Job::none;
}

void StepTimes::stepped(const Job &job, JobPhase what, uint64_t ts)
{
	// A late COMMIT may complete a job at once.
	if (type_ == GRTRACE_COMMIT && what != JobPhase::committed)
		return;
	elapsed_ = Job::between(since(job, what), ts);
}

void StepTimes::waited_for_fence(const Job *, uint64_t, uint32_t, uint32_t, uint64_t from,
				 uint64_t to)
{
	elapsed_ = Job::between(from, to);
}

} // namespace grtrace
