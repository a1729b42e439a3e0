// SPDX-License-Identifier: GPL-2.0
//
// Which step a job waited for is blkparse's idea of a step: what it adds up for an I/O.
#include "grparse/step_times.h"

namespace grtrace {

static uint64_t first_known(uint64_t ts, uint64_t other)
{
	return ts == Job::none ? other : ts;
}

// From which step of the job this one took its time.
static uint64_t since(const Job &job, JobPhase what)
{
	switch (what) {
	case JobPhase::blocked:
	case JobPhase::picked:
		return job.submit_ts;
	case JobPhase::committed:
		// Until it was handed over once more nothing else happened.
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
	// With a COMMIT that is recorded late a job may be done with at once.
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
