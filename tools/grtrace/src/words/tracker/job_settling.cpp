// SPDX-License-Identifier: GPL-2.0
//
// When a job left its ring, and since when the ring had it: the part of JobTracker that
// infers times without a record. Also the end of the capture, when some did not leave.
#include "words/tracker/job_tracker.h"

#include <algorithm>
#include <utility>

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
	const bool hung_before = job.begun_before && job.hung() && job.pick_ts == Job::none &&
				 job.commit_ts == Job::none;
	// A job that hung when the capture began had the ring from then on.
	const uint64_t since = hung_before ? begin_ : on_ring_since(job, limit);
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

// A later job of the context is complete. Each seqno is looked for once.
void JobTracker::pass_older(Context &context, const Job &job)
{
	if (job.seqno < context.passed)
		return;

	const uint64_t skipped = std::min(job.seqno - context.passed, skipped_max);

	for (uint64_t seqno = job.seqno - skipped; seqno < job.seqno; seqno++) {
		const Found found = find(job.ctx, static_cast<uint32_t>(seqno), job.ring);

		if (found.job == nil || found.role != FenceRole::key)
			continue;

		Job &older = slots_[found.job].job;

		if (older.over() || older.passed_ts != Job::none ||
		    !had_hardware(older, ring_state(older.ring)))
			continue;
		older.passed_ts = job.complete_ts;
		passed_.push_back({older.ctx, older.seqno_low(), older.ring});
	}
	context.passed = job.seqno + 1;
}

// Their own records may only be late, so they are kept for as long as complete jobs.
void JobTracker::linger_passed()
{
	for (const JobKey &key : std::exchange(passed_, {})) {
		const Found found = find(key.ctx, key.seqno, key.ring);

		if (found.job != nil && found.role == FenceRole::key && !slots_[found.job].lingers)
			linger(found.job, now_);
	}
}

// Finds which jobs have the rings when the capture ends: those with a START; on a ring that
// records none, the one that it got first, or all where jobs do not leave in order.
void JobTracker::find_holders()
{
	RingMap<uint32_t> first; // slot + 1
	RingMap<uint8_t> lost; // a job's later records may be lost

	for (uint32_t slot = active_.first; slot != nil; slot = links_[slot].next) {
		Job &job = slots_[slot].job;
		const RingState &ring = ring_state(job.ring);
		const uint64_t since = on_ring_since(job, Job::none);

		if (job.over_by() != Job::none || !had_hardware(job, ring))
			continue;
		if (job.touched || slots_[slot].losses != losses_) {
			lost[job.ring] = 1;
			continue;
		}
		if (job.start_ts != Job::none || ring.tells_start || since == Job::none) {
			job.has_ring_since = job.start_ts;
			continue;
		}
		if (ring.overtakes) {
			job.has_ring_since = since;
			continue;
		}

		uint32_t &known = first[job.ring];

		if (!known || since < on_ring_since(slots_[known - 1].job, Job::none))
			known = slot + 1;
	}
	first.each([&](uint32_t id, uint32_t known) {
		if (!known || lost[id])
			return;

		Job &job = slots_[known - 1].job;
		const uint64_t left = ring_state(id).last_left_ts;

		job.has_ring_since = on_ring_since(job, Job::none);
		if (left != Job::none)
			job.has_ring_since = std::max(job.has_ring_since, left);
	});
}

bool JobTracker::had_hardware(const Job &job, const RingState &ring)
{
	// A job from before the capture was on the hardware if it did not fail there, or only
	// because it hung.
	return job.commit_ts != Job::none || job.end_ts != Job::none || job.start_ts != Job::none ||
	       (job.pick_ts != Job::none ?
			!ring.tells_commit :
			job.submit_ts == Job::none && (!job.failed || job.hung()));
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
	ring.overtakes |= !in_order;
	if (context && job.complete())
		pass_older(*context, job);
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

// A wait that was open when records were lost may be over. So is one whose fence is signalled:
// then the task only did not run yet.
void JobTracker::tell_open_waits()
{
	waits_.each([&](uint32_t pid, const OpenWait &wait) {
		const Job *job = job_of(wait.ctx, wait.seqno);
		const size_t place = signalled_place(wait.ctx, wait.seqno);
		const Fence &early = signalled_[place].fence;
		const bool signalled = early.ctx == wait.ctx && early.seqno == wait.seqno;

		if (wait.since > lost_until_ && (job ? job->over_by() == Job::none : !signalled) &&
		    !was_delivered(wait.ctx, wait.seqno))
			watcher_->still_waits(job, wait.ctx, wait.seqno, pid, wait.since);
	});
}

void JobTracker::finish(uint64_t ts)
{
	now_ = std::max(now_, ts);
	linger_passed();
	if (watcher_)
		tell_open_waits();
	while (lingering_.first != nil)
		deliver(lingering_.first);
	ended_ = true;
	find_holders();
	while (active_.first != nil)
		deliver(active_.first);
}

} // namespace grtrace
