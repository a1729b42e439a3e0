// SPDX-License-Identifier: GPL-2.0
#include "words/export/chosen_jobs.h"

namespace grtrace {

void ChosenJobs::job(const Job &job)
{
	const JobLabel label = labeller_.label(job);

	if (wants(job))
		out_.job(job, label);
	else
		out_.other_job(job, label);
}

void ChosenJobs::moved(const Job &job, JobPhase from, uint64_t ts)
{
	if (wants(job))
		out_.moved(job, from, ts);
}

void ChosenJobs::depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on)
{
	if (wants(job))
		out_.depends(job, ctx, seqno, on);
}

void ChosenJobs::blocked(const Job &job, uint64_t from, uint64_t to)
{
	if (wants(job))
		out_.blocked(job, from, to);
}

// A wait is also chosen by the thread that waits.
void ChosenJobs::waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to)
{
	if (chosen_event_ || wants(job))
		out_.waited(job, pid, from, to);
}

void ChosenJobs::waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
				  uint64_t from, uint64_t to)
{
	if (chosen_event_ || (job && wants(*job)))
		out_.waited_for_fence(job, ctx, seqno, pid, from, to);
}

} // namespace grtrace
