// SPDX-License-Identifier: GPL-2.0
//
// RingActivity: when a ring was busy, and what it lacked when it was not.
#pragma once

#include <array>
#include <cstdint>

#include "held_jobs.h"
#include "job.h"
#include "time_series.h"

namespace grtrace {

// What a ring does at a time; what is not busy is a cause of being idle, the
// first that holds.
//
//	busy		a job is on the hardware: from START, where the ring
//			tells it, else from COMMIT, else from PICK; to END, else
//			COMPLETE
//	host		a job was handed over and has not begun, on a ring that
//			tells START: the host of a virtual GPU, or firmware; or
//			all between SUBMIT and END, where a ring tells no more
//	scheduler	a job is queued, nothing holds it, and it is not yet
//			handed over
//	other_process	all jobs are blocked, one by another process's job; also
//			what is queued behind a blocked job of its context is
//	dependency	all jobs are blocked
//	no_work		no job was there
//	unknown		records were lost, or a job from before the capture was
//			in flight
//
// A ring is taken to tell COMMIT or START from its first one on, and whether it
// tells PICK is found out by the first step after SUBMIT.
enum class RingState : uint8_t {
	busy,
	host,
	scheduler,
	other_process,
	dependency,
	no_work,
	unknown,
};
constexpr size_t nr_ring_states = 7;

const char *ring_state_name(RingState state);

// ns in each state.
using StateTimes = std::array<uint64_t, nr_ring_states>;

// A stretch in which the ring was not busy.
struct IdleGap {
	uint64_t from = 0;
	uint64_t to = 0;
	StateTimes times = {};

	// What took the greatest part of held_up(), else of all.
	RingState cause() const;
	// How long there was a job that could not go on, ns.
	uint64_t held_up() const;
};

// Where a job stands.
struct JobStand {
	JobPhase phase;
	bool by_other = false; // another process's job blocks it
};

// Fed with the steps of the ring's jobs in the order of the events; a time
// that is older than the one before counts as that. Memory is constant.
class RingActivity {
public:
	// The ring's time begins here.
	explicit RingActivity(uint64_t start)
		: now_(start), depth_since_(start), start_(start),
		  gap_({start, start, {}})
	{
	}

	// submitted: its SUBMIT was seen. weight: at least 1. held: the job
	// itself counts as held.was_held and is_held say.
	void move(JobStand from, JobStand to, uint32_t weight, uint64_t ts,
		  bool submitted = true, const HeldJobs::Step &held = {});
	// Nothing is known of the jobs in flight any more.
	void lose(uint64_t ts);
	// The ring's time ends here.
	void finish(uint64_t ts);

	bool busy() const { return state_ == RingState::busy; }
	uint64_t now() const { return now_; }
	const StateTimes &times() const { return times_; }
	// The gap that the last call ended, if it did.
	const IdleGap *ended_gap() const
	{
		return gap_ended_ ? &gap_ : nullptr;
	}
	// The last call found that earlier gaps may have been none.
	bool gaps_void() const { return gaps_void_; }

	// Jobs from SUBMIT to END or COMPLETE, of which the hardware had those
	// from COMMIT, or PICK, on.
	const TimeSeries &depth() const { return depth_series_; }
	double average_depth() const;
	double average_hardware() const;
	uint64_t max_depth() const { return max_depth_; }
	uint64_t max_hardware() const { return max_hardware_; }

private:
	using Wide = __uint128_t; // which all our compilers have

	void advance(uint64_t ts);
	void open_gap();
	void end_gap();
	void count(JobStand from, JobStand to, uint64_t weight);
	void count_by_other(JobStand from, JobStand to, uint64_t weight);
	void learn_pick();
	void learn(JobPhase to);
	void settle(JobPhase from, bool submitted);
	void void_idle_time();
	RingState state() const;
	void sum_depth();
	void hold_depth();
	void update();

	uint64_t now_;
	RingState state_ = RingState::no_work;
	bool gap_ended_ = false;
	bool gaps_void_ = false;
	// Since the start or a loss a job was seen from SUBMIT to END, so those
	// that were in flight before should be over, too.
	bool settled_ = false;
	bool lost_ = false; // not settled because of a loss
	bool settled_at_loss_ = false; // once: what was idle before it stays so
	uint16_t tells_ = 0; // bits, see ring_activity.cpp
	uint16_t has_ = 0; // likewise: of which phases there are jobs
	uint64_t by_other_ = 0; // of the blocked ones
	uint64_t depth_ = 0;
	uint64_t hardware_ = 0;
	uint64_t depth_since_;

	// What the jobs of each phase stand for.
	std::array<uint64_t, 8> jobs_ = {};
	StateTimes times_ = {};

	TimeSeries depth_series_;
	uint64_t max_depth_ = 0;
	uint64_t max_hardware_ = 0;
	Wide depth_integral_ = 0; // jobs times ns
	Wide hardware_integral_ = 0;

	uint64_t start_;
	IdleGap gap_; // the one that is open, or was last
};

} // namespace grtrace
