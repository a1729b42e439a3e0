// SPDX-License-Identifier: GPL-2.0
//
// When a job left its ring, and since when the ring had it: the part of JobTracker that
// infers times without a record.
#include "words/tracker/job_tracker.h"

#include <algorithm>

namespace grtrace {

// A short job may end before the CPU has recorded its COMMIT. For a job that was handed
// over again it is then not known since when the ring had it.
uint64_t JobTracker::on_ring_since(const Job &job, uint64_t limit)
{
	if (job.last_commit_ts != Job::none && job.last_commit_ts <= limit)
		return job.last_commit_ts;
	return job.hand_overs > 1 ? Job::none : job.pick_ts;
}

// previous: when the previous job left the ring; none if the ring is not in order.
void JobTracker::infer_start(Job &job, const RingState &ring, uint64_t previous)
{
	const uint64_t limit = job.left_ts();
	const uint64_t since = on_ring_since(job, limit);
	// The record of its START may be lost.
	const bool lost = job.touched && ring.tells_start;

	if (limit == Job::none || since == Job::none || lost)
		return;

	// A missing time is greater than any other.
	const bool waited = previous > since && previous <= limit;

	job.start_ts = std::min(waited ? previous : since, limit);
	job.start_inferred = true;
}

// Returns whether a newer job of its context was done while the ring had this one. For
// jobs from before the capture the wraps are not known, so 32 bits are compared.
bool JobTracker::overtaken(const Job &job, const Context &context, uint64_t ts)
{
	const uint64_t since = on_ring_since(job, ts);
	const uint32_t behind = context.ended_seqno - job.seqno_low();

	return context.ended_ring == job.ring && static_cast<int32_t>(behind) > 0 &&
	       (since == Job::none || context.ended_ts > since);
}

bool JobTracker::had_hardware(const Job &job, const RingState &ring)
{
	// A job from before the capture was on the hardware if it did not fail.
	return job.commit_ts != Job::none || job.end_ts != Job::none || job.start_ts != Job::none ||
	       (job.pick_ts != Job::none ? !ring.tells_commit :
					   job.submit_ts == Job::none && !job.failed);
}

// Returns whether its END and START are final.
bool JobTracker::is_final(uint32_t slot) const
{
	return slots_[slot].lingers && slots_[slot].job.end_ts != Job::none;
}

// Its END or COMPLETE was recorded: it is the last job that left, unless it is known to
// have left earlier.
void JobTracker::leave(uint32_t slot)
{
	Slot &entry = slots_[slot];
	RingState &ring = ring_state(entry.job.ring);

	if (entry.job.settled || !had_hardware(entry.job, ring))
		return;
	if (!entry.leaves) {
		entry.leaves = true;
		entry.job.handed_over = true;
		entry.job.ring_tells_commit = ring.tells_commit;
		ring.leaving.push_back(slot);
	}
	settle_leaving(ring);
}

void JobTracker::stay(uint32_t slot)
{
	if (!slots_[slot].leaves)
		return;
	slots_[slot].leaves = false;
	std::erase(ring_state(slots_[slot].job.ring).leaving, slot);
}

// A job that waits for its COMPLETE is not handed over again once a later one is
// complete. A job without END holds up all later ones until it is delivered.
void JobTracker::settle_leaving(RingState &ring)
{
	const std::vector<uint32_t> &leaving = ring.leaving;
	size_t sure = leaving.size();
	size_t settled = 0;

	while (sure && !is_final(leaving[sure - 1]))
		sure--;
	if (leaving.size() > leaving_max)
		sure = std::max(sure, leaving.size() - leaving_max);
	while (settled < sure && slots_[leaving[settled]].job.end_ts != Job::none)
		settle(leaving[settled++]);
	ring.leaving.erase(ring.leaving.begin(),
			   ring.leaving.begin() + static_cast<ptrdiff_t>(settled));
}

void JobTracker::settle_until(RingState &ring, uint32_t slot)
{
	size_t settled = 0;

	while (slots_[slot].leaves)
		settle(ring.leaving[settled++]);
	ring.leaving.erase(ring.leaving.begin(),
			   ring.leaving.begin() + static_cast<ptrdiff_t>(settled));
}

// The caller removes it from the list.
void JobTracker::settle(uint32_t slot)
{
	Slot &entry = slots_[slot];
	Job &job = entry.job;
	RingState &ring = ring_state(job.ring);
	Context *context = contexts_.find(job.ctx);
	const uint64_t left = job.left_ts();
	const bool in_order = !context || !overtaken(job, *context, left);

	entry.leaves = false;
	job.overtaken = !in_order;
	job.previous_left_ts = in_order ? ring.last_left_ts : Job::none;
	if (in_order && context) {
		context->ended_ring = job.ring;
		context->ended_seqno = job.seqno_low();
		context->ended_ts = left;
	}
	if (ring.last_left_ts == Job::none || left > ring.last_left_ts)
		ring.last_left_ts = left;
	if (job.start_ts == Job::none || job.start_inferred) {
		job.start_ts = Job::none;
		job.start_inferred = false;
		infer_start(job, ring, job.previous_left_ts);
	}
	execute(slot);
}

void JobTracker::execute(uint32_t slot)
{
	Slot &entry = slots_[slot];

	entry.job.settled = true;
	if (!entry.job.handed_over)
		entry.job.ring_tells_commit = ring_state(entry.job.ring).tells_commit;
	if (executions_)
		executions_->executed(entry.job);
}

// Reports the step if it is now known since when the ring had the job.
void JobTracker::step_end(uint32_t slot)
{
	Job job = slots_[slot].job;
	const RingState &ring = ring_state(job.ring);
	uint64_t previous = ring.last_left_ts;

	for (uint32_t before : ring.leaving) {
		const uint64_t left = slots_[before].job.left_ts();

		if (previous == Job::none || left > previous)
			previous = left;
	}
	if (job.start_ts == Job::none)
		infer_start(job, ring, previous);
	steps_->stepped(job, JobPhase::ended, job.end_ts);
}

// Returns the first time of all jobs that are yet to be passed to the sink.
uint64_t JobTracker::first_time() const
{
	uint64_t first = now_ - std::min(now_, late_ns);

	for (const SlotList *list : {&active_, &lingering_})
		for (uint32_t slot = list->first; slot != nil; slot = links_[slot].next)
			first = std::min(first, slots_[slot].job.first_ts());
	return first;
}

void JobTracker::let_forget()
{
	passed_on_ = 0;
	watcher_->forget_before(first_time());
}

} // namespace grtrace
