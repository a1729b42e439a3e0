// SPDX-License-Identifier: GPL-2.0
#include "words/findings/job_log.h"

#include "lib/data/id_map.h"

namespace grtrace {

size_t JobLog::place_of(uint64_t ctx, uint64_t seqno)
{
	return hash_id(ctx * 31 + static_cast<uint32_t>(seqno)) % places;
}

void JobLog::add(const WaitingJob &job)
{
	const size_t at = added_ % limit;
	Place &place = index_[place_of(job.name.ctx, job.name.seqno)];

	if (at < jobs_.size())
		jobs_[at] = job;
	else
		jobs_.push_back(job);
	// A call of memmove() would be the most that this costs.
	place = {++added_, place[0], place[1], place[2]};
}

const WaitingJob *JobLog::find(uint64_t ctx, uint64_t seqno) const
{
	for (const uint32_t number : index_[place_of(ctx, seqno)]) {
		if (!number || added_ - number >= limit)
			continue;

		const WaitingJob &job = jobs_[(number - 1) % limit];
		if (job.name.ctx == ctx &&
		    static_cast<uint32_t>(job.name.seqno) == static_cast<uint32_t>(seqno))
			return &job;
	}
	return nullptr;
}

} // namespace grtrace
