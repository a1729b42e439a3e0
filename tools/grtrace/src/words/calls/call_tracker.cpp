// SPDX-License-Identifier: GPL-2.0
#include "words/calls/call_tracker.h"

#include <algorithm>

#include "words/ioctl/ioctl_call.h"
#include "words/jobs/job_span.h"

namespace grtrace {

uint32_t CallTracker::find_key(const JobKey &key) const
{
	const FenceIndex::Entry *entry = by_key_.find(key.ctx, key.seqno, [&](uint32_t slot) {
		return slots_[slot].key.ring == key.ring;
	});

	return entry ? entry->job() : nil;
}

uint32_t CallTracker::find(const Job &job) const
{
	const uint32_t slot = find_key({job.ctx, job.seqno_low(), job.ring});

	return slot != nil && slots_[slot].ts == job.submit_ts ? slot : nil;
}

void CallTracker::append(uint32_t slot)
{
	Submission &mine = slots_[slot];
	Thread &thread = threads_.get(mine.pid);

	mine.previous = thread.last;
	mine.next = nil;
	(thread.last == nil ? thread.first : slots_[thread.last].next) = slot;
	thread.last = slot;
}

void CallTracker::unlink(uint32_t slot)
{
	const Submission &mine = slots_[slot];
	Thread &thread = threads_.get(mine.pid);

	(mine.previous == nil ? thread.first : slots_[mine.previous].next) = mine.next;
	(mine.next == nil ? thread.last : slots_[mine.next].previous) = mine.previous;
}

void CallTracker::release(uint32_t slot)
{
	const JobKey &key = slots_[slot].key;

	by_key_.erase(key.ctx, key.seqno, slot);
	slots_[slot].serial++;
	free_.push_back(slot);
}

// A fact that is not known now will never be known.
void CallTracker::settle(uint32_t slot)
{
	const Submission &mine = slots_[slot];

	if (!mine.has_call)
		unlink(slot);
	if (mine.has_job)
		tell(mine.job, mine.has_call ? &mine.call : nullptr, mine.waiter_ts);
	release(slot);
}

static JobKey key_of(const Event &event)
{
	return {event.ctx, event.seqno, event.ring};
}

void CallTracker::submit(const Event &event, bool chosen)
{
	uint32_t slot = find_key(key_of(event));

	// The seqno wrapped, or the record of the first job's end was lost.
	if (slot != nil)
		settle(slot);
	if (free_.empty()) {
		slot = static_cast<uint32_t>(slots_.size());
		slots_.emplace_back();
	} else {
		slot = free_.back();
		free_.pop_back();
	}
	Submission &mine = slots_[slot];
	const uint32_t serial = mine.serial;

	mine = {};
	mine.serial = serial;
	mine.key = key_of(event);
	mine.ts = event.ts;
	mine.pid = event.pid;
	mine.chosen = chosen;
	by_key_.insert(event.ctx, event.seqno, slot);
	append(slot);
}

// The SUBMITs of a thread come in order, so those before the entry end the search.
void CallTracker::take_return(const Event &event, bool chosen)
{
	const IoctlCall found(event);
	const uint64_t enter = event.ts - std::min(event.ts, found.duration);
	const Call call = {enter,        event.ts, found.result, event.pid, kinds_.id_of(found),
			   found.handles};
	const Thread *thread = threads_.find(event.pid);
	uint32_t slot = thread ? thread->last : nil;

	taken_.clear();
	keys_.clear();
	while (slot != nil && slots_[slot].ts >= call.enter) {
		Submission &mine = slots_[slot];
		const uint32_t previous = mine.previous;

		if (mine.ts <= call.exit) {
			unlink(slot);
			mine.call = call;
			mine.has_call = true;
			chosen |= mine.chosen;
			taken_.push_back(slot);
			keys_.push_back(mine.key);
		}
		slot = previous;
	}
	std::reverse(keys_.begin(), keys_.end());
	if (chosen && in_interval(call.enter, call.exit))
		watcher_.called(call, keys_);
	for (size_t i = taken_.size(); i--;)
		if (slots_[taken_[i]].has_job)
			settle(taken_[i]);
}

void CallTracker::wait_lost(const OpenWait &open, uint32_t pid, bool end_lost)
{
	if (open.chosen && open.since <= choice_.to(session_))
		watcher_.wait_over({open.since,
				    Job::none,
				    {open.ctx, open.seqno, GRTRACE_RING_NONE},
				    pid,
				    false,
				    end_lost});
}

// A task that waits does nothing else: if records were lost, those that ended its open waits
// were among them.
void CallTracker::lose_waits(uint32_t pid, uint64_t ts)
{
	Thread *thread = threads_.find(pid);

	if (!thread || !lossy_)
		return;
	std::erase_if(thread->waits.all(), [&](const OpenWait &open) {
		if (open.since >= ts)
			return false;
		wait_lost(open, pid, true);
		return true;
	});
}

// A wait that is forgotten is reported as one whose end was lost.
void CallTracker::wait_enter(const Event &event, bool chosen)
{
	const std::optional<OpenWait> forgotten =
		threads_.get(event.pid).waits.enter({event.ctx, event.ts, event.seqno, chosen});

	if (forgotten)
		wait_lost(*forgotten, event.pid, true);
}

void CallTracker::wait_exit(const Event &event, bool chosen)
{
	Thread *thread = threads_.find(event.pid);
	const std::optional<OpenWait> open =
		thread ? thread->waits.exit(event.ctx, event.seqno) : std::nullopt;

	if (!open)
		return;
	Wait wait = {open->since,
		     std::max(open->since, event.ts),
		     {event.ctx, event.seqno, GRTRACE_RING_NONE},
		     event.pid,
		     waited_};

	if (waited_)
		wait.fence = waited_for_;
	if (chosen && in_interval(wait.from, wait.to))
		watcher_.wait_over(wait);
}

void CallTracker::event(const Event &event)
{
	const bool chosen = choice_.jobs.wants(event, session_);

	switch (event.type) {
	case GRTRACE_SUBMIT:
		// In an interrupt the task of pid is not related to the event.
		if (!event.in_task())
			break;
		lose_waits(event.pid, event.ts);
		submit(event, chosen);
		break;
	case GRTRACE_IOCTL:
		lose_waits(event.pid, event.ts);
		take_return(event, chosen);
		break;
	case GRTRACE_SYNC_WAIT_ENTER:
		wait_enter(event, chosen);
		break;
	case GRTRACE_SYNC_WAIT_EXIT:
		wait_exit(event, chosen);
		break;
	}
	waited_ = false;
}

void CallTracker::waited(const Job &job, uint64_t to)
{
	waited_ = true;
	waited_for_ = {job.ctx, job.seqno_low(), job.ring};

	// A task that gave up, or that only looked, was not delayed by the job.
	const uint32_t slot = find(job);
	if (slot != nil && job.complete() && to >= job.complete_ts)
		slots_[slot].waiter_ts = std::min(slots_[slot].waiter_ts, to);
}

void CallTracker::job(const Job &job)
{
	const uint32_t slot = find(job);

	if (slot == nil)
		return tell(job, nullptr, Job::none);
	slots_[slot].job = job;
	slots_[slot].has_job = true;
	if (slots_[slot].has_call)
		return settle(slot);

	undecided_.push_back({slot, slots_[slot].serial});
	if (undecided_.size() <= undecided_max)
		return;
	const Undecided oldest = undecided_.front();
	undecided_.pop_front();
	if (slots_[oldest.slot].serial == oldest.serial)
		settle(oldest.slot);
}

void CallTracker::tell(const Job &job, const Call *call, uint64_t waiter_ts)
{
	const JobSpan span(job);

	if (in_interval(span.first, span.last) && choice_.jobs.wants(job, index_, session_))
		watcher_.submitted(job, call, waiter_ts);
}

void CallTracker::finish()
{
	for (const Undecided &left : undecided_)
		if (slots_[left.slot].serial == left.serial)
			settle(left.slot);
	undecided_.clear();
	threads_.for_each([this](uint64_t pid, Thread &thread) {
		for (const OpenWait &open : thread.waits.all())
			wait_lost(open, static_cast<uint32_t>(pid), false);
	});
}

} // namespace grtrace
