// SPDX-License-Identifier: GPL-2.0
//
// RingActivity: when a ring was busy, and what it lacked when it was not.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "words/data/time_series.h"

namespace grtrace {

// A ring's state at a time; each state but busy is a cause of being idle, the
// first that holds.
//
//	busy		a job executes: from START, recorded or inferred, until
//			it left the ring
//	host		a job was handed over and does not execute: the host of
//			a virtual GPU has it, or firmware; or all between SUBMIT
//			and END, where a ring records no more
//	scheduler	a job is queued, nothing holds it, and it is not yet
//			handed over
//	other_process	all jobs are blocked, one by another process's job; also
//			what is queued behind a blocked job of its context is
//	dependency	all jobs are blocked
//	no_work		no job was there
//	unknown		records were lost, or a job from before the capture was
//			in flight
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

// Which steps of jobs a ring has records of, at any time of the capture.
struct RingSteps {
	bool pick = false;
	bool commit = false;
	bool start = false;

	// Is anything known of the time between SUBMIT and END?
	bool any() const { return pick || commit || start; }
};

// Times while it is read: what a queued or picked job waits for depends on which
// steps the ring records, and that is certain only at the end.
class RingTimes {
public:
	void add(RingState state, uint64_t ns) { times_[static_cast<size_t>(state)] += ns; }
	void add_picked(uint64_t ns) { picked_ += ns; }
	// All idle time may have been something else.
	void void_idle();
	StateTimes resolve(const RingSteps &steps) const;
	// How long a job could not go on.
	uint64_t held_up() const;

private:
	StateTimes times_ = {};
	uint64_t picked_ = 0; // a job was picked, and none is further
};

// A stretch in which the ring was not busy.
struct IdleGap {
	uint64_t from = 0;
	uint64_t to = 0;
	RingTimes times;

	// The cause of the greatest part of the time in which a job was held up,
	// else of all.
	static RingState cause(const StateTimes &times);
	uint64_t held_up() const { return times.held_up(); }
};

// In which queue a job is.
enum class RingPlace : uint8_t {
	none,
	queued,
	blocked,
	blocked_by_other, // another process's job blocks it
	picked,
	handed_over,
};
constexpr size_t nr_ring_places = 6;

// By which job a gap ended.
struct GapEnd {
	uint64_t ts;
	uint64_t ctx;
	uint64_t seqno;
	uint32_t pid;
};

// Gets a ring's activity while it is computed.
class RingActivityWatcher {
public:
	virtual ~RingActivityWatcher() = default;

	virtual void busy(uint64_t from, uint64_t to) = 0;
	// end: nullptr for the end of the capture.
	virtual void idle(const IdleGap &gap, const GapEnd *end) = 0;
	// Earlier gaps may not have been gaps.
	virtual void gaps_void() = 0;
};

// Fed with what jobs did. The beginning or end of a job may become known later,
// so changes wait, in the order of time, until pass() says that no older one
// will come; one that is older after all counts from there on.
class RingActivity {
public:
	// The ring's time begins here. The watcher must outlive it.
	RingActivity(uint64_t start, RingActivityWatcher &watcher)
		: watcher_(watcher), now_(start), start_(start), gap_({start, start, {}})
	{
	}

	void move(RingPlace from, RingPlace to, uint64_t weight, uint64_t ts)
	{
		insert({ts, weight, from, to, Kind::move});
	}
	void begin_execution(const GapEnd &job)
	{
		insert({job.ts, 1, {}, {}, Kind::begin});
		note_begin(job);
	}
	void end_execution(uint64_t ts) { insert({ts, 1, {}, {}, Kind::end}); }
	// Nothing is known of the jobs in flight any more, until one has left
	// that came since: settle().
	void lose(uint64_t ts) { insert({ts, 0, {}, {}, Kind::lose}); }
	void settle(uint64_t ts) { insert({ts, 0, {}, {}, Kind::settle}); }
	// A job was there since before the capture: time that seemed idle until
	// now may have been its own.
	void know_nothing_before(uint64_t ts) { insert({ts, 0, {}, {}, Kind::forget_idle}); }

	// No change will come that is older.
	void pass(uint64_t ts);
	// How many wait, and the time of the one in their middle.
	size_t waiting() const { return changes_.size(); }
	uint64_t now() const { return now_; }
	uint64_t middle() const { return changes_[changes_.size() / 2].ts; }
	// Reports how long it has been busy so far.
	void report_busy();
	// The ring's time ends here.
	void finish(uint64_t ts);

	const RingTimes &times() const { return times_; }
	// Jobs from SUBMIT until they left, of which the hardware had those
	// that were handed over; or picked, where the ring records no COMMIT.
	const TimeSeries &depth() const { return depth_series_; }
	double average_depth() const { return average(depth_integral_); }
	double average_hardware(const RingSteps &steps) const;
	uint64_t max_depth() const { return max_depth_; }
	uint64_t max_hardware(const RingSteps &steps) const
	{
		return steps.commit ? max_handed_ : max_picked_;
	}

private:
	using Wide = __uint128_t; // which all our compilers have

	enum class Kind : uint8_t {
		move,
		begin,
		end,
		lose,
		settle,
		forget_idle,
	};
	struct Change {
		uint64_t ts;
		uint64_t weight;
		RingPlace from;
		RingPlace to;
		Kind kind;
	};

	void insert(const Change &change);
	void note_begin(const GapEnd &job);
	void advance(uint64_t ts);
	void apply(const Change &change);
	void begin(uint64_t ts);
	void forget();
	void move(const Change &change);
	bool busy() const { return executing_ && !lost_; }
	uint64_t in(RingPlace place) const
	{
		const int64_t jobs = jobs_[static_cast<size_t>(place)];

		return jobs > 0 ? static_cast<uint64_t>(jobs) : 0;
	}
	void spend(RingTimes &times, uint64_t ns) const;
	double average(Wide integral) const;

	RingActivityWatcher &watcher_;
	std::vector<Change> changes_; // by time
	std::vector<GapEnd> begins_; // the same

	uint64_t now_;
	const uint64_t start_;
	// The weights of the jobs in each place. Records are in an order that
	// their times need not have, so a job may leave a place before it comes
	// there: below 0 until it does.
	std::array<int64_t, nr_ring_places> jobs_ = {};
	uint64_t depth_ = 0; // all of them
	uint64_t executing_ = 0; // jobs
	uint64_t busy_since_ = 0;
	GapEnd last_begin_ = {};
	bool lost_ = false; // and not settled since
	bool ever_lost_ = false;

	RingTimes times_;
	IdleGap gap_; // the one that is open
	TimeSeries depth_series_;
	uint64_t max_depth_ = 0;
	uint64_t max_handed_ = 0;
	uint64_t max_picked_ = 0; // or handed over
	Wide depth_integral_ = 0; // jobs times ns
	Wide handed_integral_ = 0;
	Wide picked_integral_ = 0;
};

// Nearly all come in the order of time.
inline void RingActivity::insert(const Change &change)
{
	auto at = changes_.end();

	while (at != changes_.begin() && at[-1].ts > change.ts)
		--at;
	changes_.insert(at, change);
}

} // namespace grtrace
