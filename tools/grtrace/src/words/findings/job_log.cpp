// SPDX-License-Identifier: GPL-2.0
#include "words/findings/job_log.h"

#include <memory>

#include "words/data/id_map.h"

namespace grtrace {

size_t JobLog::place_of(uint64_t ctx, uint64_t seqno)
{
	// Contexts are numbered in a row, and so are the jobs of a context.
	return hash_id(ctx << 32 ^ ctx >> 32 ^ static_cast<uint32_t>(seqno)) % places;
}

// A call of memmove() would cost more than everything else here.
void JobLog::index_last()
{
	Place &place = index_[last_place_];

	if (indexed_ != added_)
		place = {added_, place[0], place[1], place[2]};
	indexed_ = added_;
}

WaitingJob &JobLog::add(const Job &job, uint32_t process)
{
	const size_t at = added_ % limit;

	index_last();
	if (at == jobs_.size())
		jobs_.emplace_back(job, process);
	else
		std::construct_at(&jobs_[at], job, process);
	added_++;
	last_place_ = place_of(job.ctx, job.seqno);
	__builtin_prefetch(&index_[last_place_], 1);
	// The place of the next job has two cache lines.
	if (const size_t next = added_ % limit; next < jobs_.size()) {
		__builtin_prefetch(&jobs_[next], 1);
		__builtin_prefetch(&jobs_[next].complete, 1);
	}
	return jobs_[at];
}

WaitingJob *JobLog::find(uint64_t ctx, uint64_t seqno)
{
	index_last();
	for (const uint32_t number : index_[place_of(ctx, seqno)]) {
		if (!number || added_ - number >= limit)
			continue;

		WaitingJob &job = jobs_[(number - 1) % limit];
		if (job.name.ctx == ctx &&
		    static_cast<uint32_t>(job.name.seqno) == static_cast<uint32_t>(seqno))
			return &job;
	}
	return nullptr;
}

} // namespace grtrace
