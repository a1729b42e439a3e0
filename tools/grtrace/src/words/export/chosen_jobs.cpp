// SPDX-License-Identifier: GPL-2.0
#include "words/export/chosen_jobs.h"

namespace grtrace {

void ChosenJobs::job(const Job &job)
{
	const JobLabel label = labeller_.label(job);

	if (job.slot < followed_.size())
		followed_[job.slot] = false;
	if (wants(job))
		out_.job(job, label);
	else
		out_.other_job(job, label);
}

// Returns whether the export has had a move of the job, and from now on that it has.
bool ChosenJobs::follow(const Job &job)
{
	if (job.slot >= followed_.size())
		followed_.resize(job.slot + size_t(1));

	const bool was_followed = followed_[job.slot];

	followed_[job.slot] = true;
	return was_followed;
}

void ChosenJobs::moved(const Job &job, JobPhase from, uint64_t ts)
{
	if (wants(job))
		out_.moved(job, follow(job) ? from : JobPhase::unseen, ts);
}

void ChosenJobs::stepped(const Job &job, JobPhase what, uint64_t ts)
{
	if (what == JobPhase::queued && wants(job) && !follow(job))
		out_.moved(job, JobPhase::unseen, ts);
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
