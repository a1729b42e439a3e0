// SPDX-License-Identifier: GPL-2.0
//
// The steps of a job, one function for each record. job_settling.cpp infers when a job
// left its ring, and times without a record.
#include "words/tracker/job_tracker.h"

#include <algorithm>

#include "read/stream/ring_table.h"

namespace grtrace {

JobTracker::JobTracker(JobSink &sink, JobWatcher *watcher)
	: sink_(sink), watcher_(watcher), moves_(watcher ? watcher->watcher_of_moves() : nullptr),
	  executions_(watcher ? watcher->watcher_of_executions() : nullptr),
	  steps_(watcher ? watcher->watcher_of_steps() : nullptr), signalled_(signalled_max),
	  delivered_(delivered_max)
{
}

JobTracker::~JobTracker() = default;

// Usually this is the next step.
inline void JobTracker::move(uint32_t slot, JobPhase to, uint64_t ts)
{
	Slot &entry = slots_[slot];
	const JobPhase from = entry.job.phase;

	moved_in_loss_ = true;
	if (entry.losses == losses_ && from < to && !entry.blocked) {
		entry.job.phase = to;
		if (moves_)
			moves_->moved(entry.job, from, ts);
	} else if (from != JobPhase::over) {
		move_otherwise(entry, to, ts);
	}
}

// If several jobs have it, the others are older, because an id was reused.
uint32_t JobTracker::find_any(uint64_t ctx, uint32_t seqno) const
{
	const FenceIndex::Entry *newest = index_.find_newest(ctx, seqno);

	return newest ? newest->job() : nil;
}

// Counts the wraps of a context's 32-bit seqno.
uint64_t JobTracker::widen(uint64_t ctx, uint32_t seqno)
{
	if (contexts_.size() >= contexts_max)
		contexts_.clear();

	Context *known = contexts_.find(ctx);
	if (!known) {
		Context &fresh = contexts_.get(ctx);

		fresh.newest = fresh.passed = seqno;
		return seqno;
	}

	int64_t step = static_cast<int32_t>(seqno - static_cast<uint32_t>(known->newest));
	if (step < 0 && known->newest < static_cast<uint64_t>(-step))
		return seqno;
	uint64_t wide = known->newest + static_cast<uint64_t>(step);
	known->newest = std::max(known->newest, wide);
	return wide;
}

uint32_t JobTracker::create(const Event &event)
{
	static constexpr Slot fresh; // copied in one piece
	uint32_t slot;

	if (active_.size >= in_flight_max)
		deliver(active_.first);
	if (free_.empty()) {
		slot = static_cast<uint32_t>(slots_.size());
		slots_.emplace_back();
		links_.push_back({});
	} else {
		slot = free_.back();
		free_.pop_back();
		slots_[slot] = fresh;
	}

	Job &job = slots_[slot].job;
	job.ctx = event.ctx;
	job.seqno = widen(event.ctx, event.seqno);
	job.ring = event.ring;
	job.slot = slot;
	job.weight = event.weight;
	job.touched = event.ts <= lost_until_;
	early_errors_.give(job, event);
	job.begun_before = event.type != GRTRACE_SUBMIT && !era_ && !losses_;
	slots_[slot].era = era_;
	slots_[slot].losses = losses_;
	active_.append(links_, slot);
	index_.insert(event.ctx, event.seqno, slot);
	return slot;
}

void JobTracker::deliver(uint32_t slot)
{
	Slot &leaving = slots_[slot];
	Job &job = leaving.job;

	(leaving.lingers ? lingering_ : active_).remove(links_, slot);
	if (leaving.lingers)
		expect_expiry();
	index_.erase(job.ctx, job.seqno_low(), slot);
	if (leaving.hardware.used)
		index_.erase(leaving.hardware.ctx, leaving.hardware.seqno, slot,
			     FenceRole::hardware);
	if (leaving.out.used)
		index_.erase(leaving.out.ctx, leaving.out.seqno, slot, FenceRole::out);
	RingState &ring = ring_state(job.ring);
	if (ring.running == slot)
		ring.running = nil;
	note_cut(leaving);
	job.at_end = ended_ && job.over_by() == Job::none;
	move(slot, JobPhase::over, now_);
	if (leaving.leaves) {
		settle_until(ring, slot);
		settle_leaving(ring);
	} else if (!leaving.job.settled) {
		execute(slot);
	}
	delivered(job.ctx, job.seqno_low()) = {job.ctx, job.seqno_low(), true};
	free_.push_back(slot);
	sink_.job(job);
	if (watcher_ && ++passed_on_ > std::max(forget_every, active_.size))
		let_forget();
}

// May deliver the slot at once, so the caller must not use it afterwards.
void JobTracker::linger(uint32_t slot, uint64_t now)
{
	active_.remove(links_, slot);
	slots_[slot].lingers = true;
	slots_[slot].lingers_since = now;
	lingering_.append(links_, slot);
	expect_expiry();
	expire(now);
}

// The list is not sorted by time: another job may expire before the first one.
void JobTracker::expect_expiry()
{
	if (lingering_.first == nil)
		return;

	const uint64_t since = slots_[lingering_.first].lingers_since;
	due_ = std::min(due_, std::max(since, since + linger_ns));
}

void JobTracker::expire(uint64_t now)
{
	while (lingering_.first != nil) {
		uint64_t since = slots_[lingering_.first].lingers_since;

		if (lingering_.size <= linger_max && (now < since || now - since < linger_ns))
			return;
		deliver(lingering_.first);
	}
}

inline void JobTracker::submit(const Event &event)
{
	uint32_t slot = find_key(event);

	// The same key again is another job: the seqno wrapped, or the end of the first
	// job was lost.
	if (slot != nil &&
	    (slots_[slot].job.submit_ts != Job::none || slots_[slot].job.complete())) {
		deliver(slot);
		slot = nil;
	}
	if (slot == nil)
		slot = create(event);

	Slot &entry = slots_[slot];
	entry.job.submit_ts = event.ts;
	entry.job.begun_before = false; // its dependencies are added before
	entry.job.pid = event.pid;
	entry.job.client = client_of(event);
	entry.job.priority = event.arg;
	if (event.has_fence &&
	    !(event.fence_ctx == event.ctx && event.fence_seqno == event.seqno)) {
		entry.out = {event.fence_ctx, event.fence_seqno, true};
		entry.job.has_out_fence = true;
		index_.insert(event.fence_ctx, event.fence_seqno, slot, FenceRole::out);
	}
	move(slot, JobPhase::queued, event.ts);
	step(slot, JobPhase::queued, event.ts);
}

const Job *JobTracker::job_of(uint64_t ctx, uint32_t seqno) const
{
	uint32_t slot = find_any(ctx, seqno);

	return slot == nil ? nullptr : &slots_[slot].job;
}

void JobTracker::depend(const Event &event)
{
	Job &job = slots_[get(event)].job;

	job.dependencies++;
	if (watcher_ && event.has_fence)
		watcher_->depends(job, event.fence_ctx, event.fence_seqno,
				  job_of(event.fence_ctx, event.fence_seqno));
}

// A job that is blocked by one fence after another is blocked all the time.
void JobTracker::block(const Event &event)
{
	uint32_t slot = get(event);
	Slot &entry = slots_[slot];
	const Job *by = job_of(event.fence_ctx, event.fence_seqno);

	unblock(entry, event.ts);
	if (entry.job.blocked_ts == Job::none)
		entry.job.blocked_ts = event.ts;
	entry.job.blocker_ctx = event.fence_ctx;
	entry.job.blocker_seqno = event.fence_seqno;
	entry.job.blocker_pid = by ? by->pid : 0;
	entry.blocked = true;
	entry.job.blocker_since = event.ts;
	move(slot, JobPhase::blocked, event.ts);
	step(slot, JobPhase::blocked, event.ts);
}

void JobTracker::unblock(Slot &slot, uint64_t ts)
{
	uint64_t since = slot.job.blocker_since;

	if (!slot.blocked)
		return;
	slot.blocked = false;
	// After a loss the end of the time is not known.
	if (watcher_ && ts > since && slot.losses == losses_)
		watcher_->blocked(slot.job, since, ts);
}

inline void JobTracker::pick(const Event &event)
{
	uint32_t slot = get(event);
	Job &job = slots_[slot].job;

	job.pick_ts = event.ts;
	job.credits = event.arg;
	move(slot, JobPhase::picked, event.ts);
	step(slot, JobPhase::picked, event.ts);
}

size_t JobTracker::signalled_place(uint64_t ctx, uint32_t seqno)
{
	return hash_id(ctx * 31 + seqno) % signalled_max;
}

// Checks whether its hardware fence was signalled before it was known to be one.
void JobTracker::end_early(const Slot &entry, uint32_t slot)
{
	const Fence &fence = entry.hardware;
	const size_t place = signalled_place(fence.ctx, fence.seqno);
	const Signalled &early = signalled_[place];

	// This is rare, so their table is not worth a cache miss.
	if (!early_[place] || early.fence.ctx != fence.ctx || early.fence.seqno != fence.seqno)
		return;
	early_[place] = false;
	end(slot, early.ts);
}

JobTracker::Fence &JobTracker::delivered(uint64_t ctx, uint32_t seqno)
{
	return delivered_[hash_id(ctx * 31 + seqno) % delivered_max];
}

bool JobTracker::was_delivered(uint64_t ctx, uint32_t seqno)
{
	const Fence &key = delivered(ctx, seqno);

	return key.used && key.ctx == ctx && key.seqno == seqno;
}

// The hardware was reset, so everything that it signalled so far was for the earlier
// try.
void JobTracker::hand_over_again(uint32_t slot, const Event &event)
{
	Slot &entry = slots_[slot];
	Job &job = entry.job;
	const JobPhase from = job.phase;

	job.hand_overs += job.hand_overs < UINT8_MAX;
	job.last_commit_ts = event.ts;
	if (!entry.job.settled) {
		stay(slot);
		job.end_ts = Job::none;
		job.start_ts = Job::none;
		job.start_inferred = false;
		job.ring_tells_preempted = false;
		job.phase = std::min(job.phase, JobPhase::committed);
	}
	if (entry.hardware.used)
		index_.erase(entry.hardware.ctx, entry.hardware.seqno, slot, FenceRole::hardware);
	entry.hardware.used = false;
	// Counters of jobs had counted it as ended.
	if (job.phase < from && entry.losses == losses_ && moves_)
		moves_->moved(job, from, event.ts);
	else
		move(slot, JobPhase::committed, event.ts);
}

inline void JobTracker::commit(const Event &event)
{
	uint32_t slot = find_key(event);

	ring_state(event.ring).tells_commit = true;
	if (slot == nil && was_delivered(event.ctx, event.seqno))
		return;
	if (slot == nil)
		slot = create(event);
	Slot &entry = slots_[slot];

	// The host of a virtual GPU may be done before it is notified of a job.
	if (entry.job.complete())
		return;
	if (entry.job.hand_overs) {
		hand_over_again(slot, event);
	} else {
		entry.job.hand_overs = 1;
		entry.job.commit_ts = event.ts;
		entry.job.last_commit_ts = event.ts;
		move(slot, JobPhase::committed, event.ts);
	}
	step(slot, JobPhase::committed, event.ts);
	if (event.fence_ctx == event.ctx && event.fence_seqno == event.seqno)
		return;
	entry.hardware = {event.fence_ctx, event.fence_seqno, true};
	index_.insert(event.fence_ctx, event.fence_seqno, slot, FenceRole::hardware);
	end_early(entry, slot);
}

inline void JobTracker::start(const Event &event)
{
	uint32_t slot = get(event);
	Slot &entry = slots_[slot];
	RingState &ring = ring_state(event.ring);

	// A preempted job starts again. Its first start counts, even if it is recorded
	// after the END.
	if (!entry.job.settled && (entry.job.start_ts == Job::none || entry.job.start_inferred)) {
		entry.job.start_ts = event.ts;
		entry.job.start_inferred = false;
	}
	ring.running = slot;
	ring.tells_start = true;
	move(slot, JobPhase::started, event.ts);
	step(slot, JobPhase::started, event.ts);
}

void JobTracker::end(uint32_t slot, uint64_t ts)
{
	Slot &entry = slots_[slot];
	Job &job = entry.job;

	if (job.end_ts != Job::none || entry.job.settled)
		return;
	// Until now COMPLETE was used as its END.
	stay(slot);
	job.end_ts = ts;
	job.passed_ts = Job::none;
	job.ring_tells_preempted |= ring_state(job.ring).tells_preempted;
	move(slot, JobPhase::ended, ts);
	if (steps_)
		step_end(slot);
	if (!entry.lingers && !entry.hardware.used && !entry.out.used)
		linger(slot, ts);
	leave(slot);
}

void JobTracker::complete(uint32_t slot, uint64_t ts, int error)
{
	Slot &entry = slots_[slot];
	Job &job = entry.job;

	job.completes += job.completes < UINT8_MAX;
	if (!job.complete()) {
		if (error)
			job.failed = true;
		if (!job.error)
			job.error = error;
		job.complete_ts = ts;
		job.passed_ts = Job::none;
		job.complete_error = error;
		job.ring_tells_preempted |= ring_state(job.ring).tells_preempted;
		// Watchers need to know whether this made the job leave its ring.
		job.handed_over |= !job.settled && had_hardware(job, ring_state(job.ring));
		move(slot, JobPhase::over, ts);
		if (!entry.lingers)
			linger(slot, ts);
		leave(slot);
		// Its END may have settled it before it was complete.
		Context *context = job.settled ? contexts_.find(job.ctx) : nullptr;
		if (context)
			pass_older(*context, job);
	}
	step(slot, JobPhase::over, ts);
}

inline void JobTracker::complete_event(const Event &event)
{
	uint32_t slot = find_key(event);

	if (slot == nil) {
		const Found found = find(event.ctx, event.seqno, GRTRACE_RING_NONE);
		if (found.role == FenceRole::hardware)
			return end(found.job, event.ts);
		if (found.role == FenceRole::out)
			slot = found.job;
	}
	// A job may be handed over with the fence of another job.
	for (uint32_t job = ended_by(event.ctx, event.seqno); job != nil;
	     job = ended_by(event.ctx, event.seqno))
		end(job, event.ts);
	// For a job from before the capture, at least its end is known.
	if (slot == nil)
		slot = create(event);
	// While its own out fence is open, waiters do not see the completion of the key
	// yet, but it may be the last thing that is reported.
	complete(slot, event.ts, event.error());
}

static bool time_inferred(const Event &event)
{
	return (event.flags & GRTRACE_TIME_MASK) == GRTRACE_TIME_INFERRED;
}

inline void JobTracker::fence(const Event &event)
{
	const Found found = find(event.ctx, event.seqno, GRTRACE_RING_NONE);

	if (found.job == nil) {
		const size_t place = signalled_place(event.ctx, event.seqno);

		signalled_[place] = {{event.ctx, event.seqno, true}, event.ts};
		early_[place] = true;
		return;
	}
	if (found.role != FenceRole::hardware)
		return complete(found.job, event.ts, event.error());
	// Several jobs may have been handed over with one fence.
	for (uint32_t job = found.job; job != nil; job = ended_by(event.ctx, event.seqno)) {
		slots_[job].job.time_inferred |=
			time_inferred(event) && slots_[job].job.end_ts == Job::none;
		end(job, event.ts);
	}
}

uint32_t JobTracker::ended_by(uint64_t ctx, uint32_t seqno) const
{
	const FenceIndex::Entry *entry = index_.find(ctx, seqno, [&](uint32_t number) {
		const Slot &slot = slots_[number];

		return slot.hardware.used && slot.hardware.ctx == ctx &&
		       slot.hardware.seqno == seqno && slot.job.end_ts == Job::none &&
		       !slot.job.settled;
	});

	return entry ? entry->job() : nil;
}

// Where the driver does not report whether the job it leaves was done, a job
// that began and has no END yet was not.
void JobTracker::context_switch(const Event &event)
{
	RingState &ring = ring_state(event.ring);
	uint32_t slot = nil;

	ring.tells_preempted |= event.arg != GRTRACE_SWITCH_UNKNOWN || ring.tells_start;
	if (event.fence_seqno)
		slot = find_any(event.fence_ctx, event.fence_seqno);
	else
		slot = ring.running;
	if (slot == nil)
		return;

	Job &job = slots_[slot].job;
	if (job.ctx != event.fence_ctx || job.end_ts != Job::none || job.complete())
		return;
	if (event.arg == GRTRACE_SWITCH_PREEMPTED ||
	    (event.arg == GRTRACE_SWITCH_UNKNOWN && job.start_ts != Job::none))
		job.preempted = true;
}

void JobTracker::wait_enter(const Event &event)
{
	waits_.enter(event.pid, event.ctx, event.seqno, event.ts);
}

void JobTracker::wait_exit(const Event &event)
{
	uint64_t since;

	if (!waits_.exit(event.pid, event.ctx, event.seqno, since))
		return;

	const uint32_t slot = find_any(event.ctx, event.seqno);
	Job *job = slot == nil ? nullptr : &slots_[slot].job;

	if (job) {
		if (event.ts > since)
			job->wait_ns += event.ts - since;
		job->waits++;
	}
	if (!watcher_)
		return;
	watcher_->waited_for_fence(job, event.ctx, event.seqno, event.pid, since, event.ts);
	if (job)
		watcher_->waited(*job, event.pid, since, event.ts);
}

void JobTracker::error(const Event &event)
{
	uint32_t slot = find_key(event);

	if (slot == nil && (event.ctx || event.seqno))
		slot = find_any(event.ctx, event.seqno);
	if (slot != nil)
		EarlyErrors::add(slots_[slot].job, event);
	else if ((event.ctx || event.seqno) && !was_delivered(event.ctx, event.seqno))
		early_errors_.keep(event);
}

void JobTracker::note_cut(Slot &slot)
{
	Job &job = slot.job;

	job.cut =
		(!job.over() && slot.era != era_) || (job.submit_ts == Job::none && slot.era != 0);
}

// A record with a derived time marks the job as inferred. A record that ends too long a
// time marks it as slow, even if it is one of its hardware fence.
void JobTracker::note_flags(const Event &event)
{
	bool inferred = time_inferred(event);
	uint32_t slot = find_key(event);
	if (slot != nil && inferred)
		slots_[slot].job.time_inferred = true;
	if (slot == nil)
		slot = find_any(event.ctx, event.seqno);
	if (slot == nil)
		return;
	slots_[slot].job.slow_queue |= event.slow_queue();
	slots_[slot].job.slow_exec |= event.slow_exec();
}

void JobTracker::lose(uint64_t from, uint64_t to)
{
	losses_++;
	lost_until_ = std::max(lost_until_, to);
	in_loss_ = true;
	due_ = std::min(due_, lost_until_);
	moved_in_loss_ = false;
	if (watcher_)
		watcher_->lost(from, to);
}

void JobTracker::pass_time(uint64_t now)
{
	if (in_loss_ && now >= lost_until_)
		end_loss();
	expire(now);
	due_ = in_loss_ ? lost_until_ : Job::none;
	expect_expiry();
}

// A loss is reported when it begins. The records of jobs during it may be incomplete, so it
// is reported again when it ends.
void JobTracker::end_loss()
{
	in_loss_ = false;
	if (!moved_in_loss_)
		return;
	losses_++;
	if (watcher_)
		watcher_->lost(lost_until_, lost_until_);
}

void JobTracker::move_otherwise(Slot &entry, JobPhase to, uint64_t ts)
{
	JobPhase from = entry.job.phase;
	bool again = to == JobPhase::blocked; // blocked by another fence

	if (entry.losses != losses_) {
		entry.blocked &= entry.job.blocker_since == ts;
		entry.losses = losses_;
		entry.job.touched = true;
		to = std::max(from, to);
		from = JobPhase::unseen;
	} else if (from > to || (from == to && !again)) {
		return;
	}
	if (to > JobPhase::blocked)
		unblock(entry, ts);
	entry.job.phase = to;
	if (moves_)
		moves_->moved(entry.job, from, ts);
}

inline void JobTracker::feed_one(const Event &event)
{
	now_ = std::max(now_, event.ts);
	if (begin_ == Job::none && event.sequenced)
		begin_ = event.ts;
	if (event.ts >= due_)
		pass_time(event.ts);
	if (time_inferred(event) || event.flags & (GRTRACE_SLOW_QUEUE | GRTRACE_SLOW_EXEC))
		note_flags(event);

	switch (event.type) {
	case GRTRACE_SUBMIT:
		submit(event);
		break;
	case GRTRACE_DEP:
		depend(event);
		break;
	case GRTRACE_BLOCKED:
		block(event);
		break;
	case GRTRACE_PICK:
		pick(event);
		break;
	case GRTRACE_COMMIT:
		commit(event);
		break;
	case GRTRACE_START:
		start(event);
		break;
	case GRTRACE_END:
		end(get(event), event.ts);
		break;
	case GRTRACE_COMPLETE:
		complete_event(event);
		break;
	case GRTRACE_CTX_SWITCH:
		context_switch(event);
		break;
	case GRTRACE_SYNC_WAIT_ENTER:
		wait_enter(event);
		break;
	case GRTRACE_SYNC_WAIT_EXIT:
		wait_exit(event);
		break;
	case GRTRACE_ERROR:
		error(event);
		break;
	case GRTRACE_FENCE:
		fence(event);
		break;
	case GRTRACE_SAMPLE:
		era_++;
		break;
	case GRTRACE_LOST:
		lose(lost_of(event).first_ts, lost_of(event).last_ts);
		break;
	}
	if (!passed_.empty())
		linger_passed();
}

void JobTracker::feed(std::span<const Event> run)
{
	if (run.size() > 1)
		expect(run);
	for (const Event &event : run)
		feed_one(event);
}

} // namespace grtrace
