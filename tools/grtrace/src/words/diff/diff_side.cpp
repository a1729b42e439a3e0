// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_side.h"
#include "words/tracker/session_facts.h"

#include <algorithm>

namespace grtrace {

bool DiffSide::wants(const Job &job)
{
	return !options_.jobs.any() || options_.jobs.wants(job, number_, capture_.session());
}

// The name of a known ring is looked up only once, because it never changes.
DiffRing *DiffSide::ring_of(const Job &job)
{
	const Session &session = capture_.session();
	const bool keep = session.rings.find(job.ring).known;
	DiffRing *const *known = by_id_.find(job.ring);

	if (keep && known && *known)
		return *known;

	DiffRing *found = &rings_[options_.all_rings ? std::string("all rings") :
						       ring_title(session, job.ring)];
	if (keep)
		by_id_[job.ring] = found;
	return found;
}

void DiffSide::job(const Job &job)
{
	if (!wants(job))
		return;

	DiffRing *ring = ring_of(job);
	ring->jobs += job.weight;
	for (uint64_t ts : {job.submit_ts, job.pick_ts, job.commit_ts, job.start_ts, job.end_ts,
			    job.complete_ts}) {
		if (ts == Job::none)
			continue;
		ring->first_ts = std::min(ring->first_ts, ts);
		ring->last_ts = std::max(ring->last_ts, ts);
	}
	for (size_t i = 0; i < Stages::nr_stages; i++) {
		const uint64_t duration = Stages::of(job, Stages::Stage(i));

		if (duration != Job::none)
			ring->stages[i].add(duration, job.weight);
	}
}

void DiffSide::waited(const Job &job, uint32_t, uint64_t from, uint64_t to)
{
	// A task that began to wait after COMPLETE did not wait.
	if (!job.complete() || from > job.complete_ts)
		return;

	const uint64_t duration = Job::between(job.complete_ts, to);
	if (duration != Job::none && wants(job))
		ring_of(job)->stages[Stages::c2w].add(duration, job.weight);
}

} // namespace grtrace
