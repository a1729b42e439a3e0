// SPDX-License-Identifier: GPL-2.0
//
// JobTracker: turns events in order into jobs.
//
// A job's key is {ctx, ring, seqno}. Its life, as far as the capture shows it:
//
//	SUBMIT  (BLOCKED)  PICK  COMMIT  START  END  COMPLETE
//	  |                        |               |     |
//	  +-- out fence            +-- hw fence    |     +-- also FENCE or
//	      (virtio-gpu)                         |         COMPLETE of the
//	                                           |         out fence
//	                                           +-- also FENCE of the hw fence
//
// Any of them may be missing: the job began before the capture, its source does not report
// the step, or the record was lost. Then the time stays "none". Only START is inferred, and
// marked as such: an in-order ring began the job when it had it (COMMIT, else PICK) and the
// previous job had left.
//
// A job leaves its ring with its END. If no record has the END, COMPLETE takes its place,
// provided that the hardware had the job: a killed job may complete without it. After a
// reset a job is handed over again, and an END before that does not count. So neither START
// nor END is final when END is recorded: jobs that left a ring are kept in a list, in that
// order, and the first ones are *settled* when no later record can change them. Busy time,
// executions and delays are derived only from settled jobs, so no two figures disagree.
//
// When the sampling changes, the earlier or the later records of a job may be missing. A
// job that was in flight then and never ends, and a job after it that never began, are
// called cut.
//
// The host of a virtual GPU that is still working takes jobs before it is notified of them,
// and may finish them first: so a COMMIT of a job that left does not begin a new job. A
// ring is not in order either if a job ended before an older job of its context; then START
// is not later than COMMIT.
//
// After a loss nothing is assumed about the jobs in flight: they are marked, and unseen for
// a watcher until their next record.
//
// A complete job *lingers* for a while, because a task may still wait for it and its END or
// COMMIT may be recorded late; for at most linger_ns, and with at most linger_max jobs
// lingering. A job that ended without a fence that would complete it (a virtio-gpu command)
// lingers as
// well: its END may be the last record. So memory is needed for jobs in flight only, and
// they are limited in number, because a source that reports neither END nor COMPLETE would
// keep every job.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "read/stream/event.h"
#include "read/stream/ring_map.h"
#include "read/stream/stream_stats.h"
#include "words/data/id_map.h"
#include "words/tracker/early_errors.h"
#include "words/tracker/fence_index.h"
#include "words/tracker/job.h"
#include "words/tracker/job_watcher.h"
#include "words/tracker/open_waits.h"
#include "words/tracker/slot_list.h"

namespace grtrace {

// Tracks one capture. Passes each job to the sink once: complete jobs in the order in which
// they finished lingering, the others at the end or when there are too many, oldest first.
class JobTracker {
public:
	static constexpr uint64_t linger_ns = 100 * 1000 * 1000;
	static constexpr uint32_t linger_max = 1024;
	// At most this many jobs are in flight: 33 MiB.
	static constexpr uint32_t in_flight_max = 131072;
	// The number of jobs after which watchers hear again what they may forget.
	static constexpr uint32_t forget_every = 2048;
	// A record comes at most about so much later than others of its time.
	static constexpr uint64_t late_ns = 1000 * 1000;
	// At most this many contexts are known: half a million places of 20 MiB in all.
	static constexpr size_t contexts_max = 3 << 17;

	// The sink and the watcher must outlive the tracker.
	explicit JobTracker(JobSink &sink, JobWatcher *watcher = nullptr);
	~JobTracker();

	void feed(std::span<const Event> run);
	void feed(const Event &event) { feed({&event, 1}); }
	// Records were lost between these times. A LOST event goes to feed() instead.
	void lose(uint64_t from, uint64_t to);
	void lose(const std::vector<Gap> &gaps)
	{
		for (const Gap &gap : gaps)
			lose(gap.from_ts, gap.to_ts);
	}
	// Ends the capture: no more events will come. ts: when it ended, if that is later than
	// its last event.
	void finish(uint64_t ts = 0);

	uint32_t in_flight() const { return active_.size; }

private:
	static constexpr uint32_t nil = SlotList::nil;
	// These are powers of 2, so that finding a place in a table needs no division.
	static constexpr size_t signalled_max = 4096;
	static constexpr size_t delivered_max = 1024;
	// Limits the list of a ring that never reports COMPLETE.
	static constexpr size_t leaving_max = 64;
	// At most this many seqnos are looked for that a context may have skipped.
	static constexpr uint64_t skipped_max = 256;

	struct Fence {
		uint64_t ctx = 0;
		uint32_t seqno = 0;
		bool used = false;
	};
	// The members that nearly each record of a job needs are in the first two cache
	// lines: the fields before the job, its key, its times.
	struct alignas(64) Slot {
		uint32_t losses = 0; // number of losses before its last step
		uint32_t era = 0; // number of sampling changes before it
		bool blocked = false; // by its blocker
		bool lingers = false;
		bool leaves = false; // it is in its ring's list of leaving jobs
		Job job;
		Fence hardware;
		Fence out;
		uint64_t lingers_since = 0;
	};
	static_assert(offsetof(Slot, job) + offsetof(Job, submit_ts) == 64);
	static_assert(offsetof(Slot, job) + offsetof(Job, previous_left_ts) < 128);
	struct RingState {
		uint64_t last_left_ts = Job::none;
		uint32_t running = nil; // last job that has a START
		bool tells_commit = false;
		bool tells_start = false;
		bool tells_preempted = false; // its CTX_SWITCHes report preemptions
		bool overtakes = false; // its jobs do not leave in the order of a context
		// Jobs that left and are not settled, in the order of leaving.
		std::vector<uint32_t> leaving;
	};
	struct Context {
		uint64_t newest = 0; // widened seqno
		uint64_t passed = 0; // all jobs below it are over, or known to be passed
		// The newest time at which one of its jobs was done. The context moves to
		// another ring when it has no job in flight.
		uint64_t ended_ts = 0;
		uint32_t ended_seqno = 0;
		uint32_t ended_ring = GRTRACE_RING_NONE;
	};
	// A fence that was signalled before any job named it.
	struct Signalled {
		Fence fence;
		uint64_t ts = 0;
	};

	struct JobKey {
		uint64_t ctx;
		uint32_t seqno;
		uint32_t ring;
	};

	// The job to which a fence or a key belongs, and the fence's role in it.
	struct Found {
		uint32_t job = nil;
		FenceRole role = FenceRole::key;
	};

	// ring: GRTRACE_RING_NONE for any. Whether a job is found depends on the type of
	// the record, so each type has its own inlined copy of these functions.
	[[gnu::always_inline]] Found find(uint64_t ctx, uint32_t seqno, uint32_t ring) const
	{
		const FenceIndex::Entry *entry = index_.find(ctx, seqno, [&](uint32_t slot) {
			return ring == GRTRACE_RING_NONE || slots_[slot].job.ring == ring;
		});

		return entry ? Found{entry->job(), entry->role()} : Found();
	}
	[[gnu::always_inline]] uint32_t find_key(const Event &event) const
	{
		const Found found = find(event.ctx, event.seqno, event.ring);

		return found.role == FenceRole::key ? found.job : nil;
	}
	uint32_t find_any(uint64_t ctx, uint32_t seqno) const;
	// Finds a job that was handed over with this fence and has no END yet.
	uint32_t ended_by(uint64_t ctx, uint32_t seqno) const;
	uint32_t create(const Event &event);
	[[gnu::always_inline]] uint32_t get(const Event &event)
	{
		uint32_t slot = find_key(event);

		return slot == nil ? create(event) : slot;
	}
	uint64_t widen(uint64_t ctx, uint32_t seqno);
	RingState &ring_state(uint32_t ring) { return rings_[ring]; }

	void expect(std::span<const Event> run) const;
	// Frequent types are inlined into feed(), where the processor nearly always
	// mispredicts the type: a call would add another wait.
	[[gnu::always_inline]] void feed_one(const Event &event);
	[[gnu::always_inline]] void submit(const Event &event);
	[[gnu::always_inline]] void pick(const Event &event);
	[[gnu::always_inline]] void commit(const Event &event);
	[[gnu::always_inline]] void start(const Event &event);
	[[gnu::always_inline]] void complete_event(const Event &event);
	[[gnu::always_inline]] void fence(const Event &event);
	void end(uint32_t slot, uint64_t ts);
	void complete(uint32_t slot, uint64_t ts, int error);
	void hand_over_again(uint32_t slot, const Event &event);
	void context_switch(const Event &event);
	void wait_enter(const Event &event);
	void wait_exit(const Event &event);
	void error(const Event &event);
	void depend(const Event &event);
	void block(const Event &event);

	void pass_time(uint64_t now);
	void end_loss();
	void move(uint32_t slot, JobPhase to, uint64_t ts);
	void move_otherwise(Slot &entry, JobPhase to, uint64_t ts);
	void unblock(Slot &slot, uint64_t ts);
	const Job *job_of(uint64_t ctx, uint32_t seqno) const;

	void note_flags(const Event &event);
	void note_cut(Slot &slot);
	static uint64_t on_ring_since(const Job &job, uint64_t limit);
	static bool had_hardware(const Job &job, const RingState &ring);
	static bool overtaken(const Job &job, const Context &context, uint64_t ts);
	void pass_older(Context &context, const Job &job);
	void linger_passed();
	void find_holders();
	void tell_open_waits();
	void infer_start(Job &job, const RingState &ring, uint64_t previous);
	bool is_final(uint32_t slot) const;
	void leave(uint32_t slot);
	void stay(uint32_t slot);
	void settle_leaving(RingState &ring);
	void settle_until(RingState &ring, uint32_t slot);
	void settle(uint32_t slot);
	void execute(uint32_t slot);
	void step_end(uint32_t slot);
	void step(uint32_t slot, JobPhase what, uint64_t ts)
	{
		if (steps_)
			steps_->stepped(slots_[slot].job, what, ts);
	}
	void linger(uint32_t slot, uint64_t now);
	void deliver(uint32_t slot);
	uint64_t first_time() const;
	void let_forget();
	void expire(uint64_t now);
	void expect_expiry();
	static size_t signalled_place(uint64_t ctx, uint32_t seqno);
	void end_early(const Slot &entry, uint32_t slot);
	Fence &delivered(uint64_t ctx, uint32_t seqno);
	bool was_delivered(uint64_t ctx, uint32_t seqno);

	JobSink &sink_;
	JobWatcher *watcher_; // may be nullptr
	JobWatcher *const moves_; // wants moves; may be nullptr
	JobWatcher *const executions_; // wants executions; may be nullptr
	JobWatcher *const steps_; // wants steps; may be nullptr
	FenceIndex index_;
	std::vector<Slot> slots_;
	std::vector<SlotLink> links_; // one per slot
	std::vector<uint32_t> free_;
	SlotList active_;
	SlotList lingering_;
	uint32_t era_ = 0; // number of sampling changes so far
	uint32_t losses_ = 0; // number of losses so far
	uint64_t lost_until_ = 0;
	bool in_loss_ = false; // lost_until_ has not passed
	bool moved_in_loss_ = false; // some job moved during it
	// Before this time no loss ends, and no job has lingered too long.
	uint64_t due_ = Job::none;
	uint64_t now_ = 0; // the latest time so far
	uint64_t begin_ = Job::none; // the first one
	bool ended_ = false; // the capture
	uint32_t passed_on_ = 0; // number of jobs since watchers heard what they may forget
	RingMap<RingState> rings_;
	IdMap<Context, true> contexts_;
	OpenWaits waits_;
	std::vector<Signalled> signalled_; // by hash; a newer fence replaces an older one
	std::bitset<signalled_max> early_; // which of signalled_ wait for a job
	std::vector<Fence> delivered_; // keys of delivered jobs, by hash
	EarlyErrors early_errors_;
	std::vector<JobKey> passed_; // jobs that a later one of their context has just passed
};

// Prefetches the data of the next events. There is no branch to mispredict, so all loads
// run in parallel.
inline void JobTracker::expect(std::span<const Event> run) const
{
	if (slots_.empty())
		return;
	for (const Event &event : run)
		index_.expect(event.ctx, event.seqno);
	for (const Event &event : run) {
		// A job's number is always less than the number of slots, even if the fence
		// has left.
		const Slot *slot = &slots_[index_.guess(event.ctx, event.seqno)];

		__builtin_prefetch(slot, 1);
		__builtin_prefetch(&slot->job.submit_ts, 1);
	}
}

} // namespace grtrace
