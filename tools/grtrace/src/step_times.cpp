// SPDX-License-Identifier: GPL-2.0
#include "step_times.h"

namespace grtrace {

// A fence has no ring and its own key: it is known by the time it gave the job.
bool StepTimes::is_of(const Job &job) const
{
	if (job.ctx == event_->ctx && job.seqno_low() == event_->seqno)
		return job.ring == event_->ring ||
		       event_->ring == GRTRACE_RING_NONE;
	return job.end_ts == event_->ts || job.complete_ts == event_->ts;
}

void StepTimes::moved(const Job &job, JobPhase, uint64_t ts)
{
	if (!is_of(job))
		return;
	switch (event_->type) {
	case GRTRACE_BLOCKED:
	case GRTRACE_PICK:
	case GRTRACE_COMMIT:
		elapsed_ = Job::between(job.submit_ts, ts);
		break;
	case GRTRACE_START:
		elapsed_ = Job::between(job.commit_ts, ts);
		break;
	case GRTRACE_COMPLETE:
	case GRTRACE_FENCE:
		elapsed_ =
			Job::between(job.commit_ts == Job::none ? job.pick_ts :
								  job.commit_ts,
				     ts);
		break;
	}
}

// Comes after moved(), so that what signals the hardware fence is an END.
void StepTimes::executed(const Job &job)
{
	if (is_of(job) && job.end_ts == event_->ts)
		elapsed_ = Job::between(job.start_ts, job.end_ts);
}

void StepTimes::waited(const Job &, uint32_t, uint64_t from, uint64_t to)
{
	elapsed_ = Job::between(from, to);
}

} // namespace grtrace
