// SPDX-License-Identifier: GPL-2.0
//
// RingActivity: finds out when a ring was busy, and what it lacked when it was
// idle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "words/data/time_series.h"

namespace grtrace {

// The state of a ring at a time. Each state except busy is a cause of being idle; the first
// one that applies is reported.
//
//	busy            a job executes: from START, recorded or inferred, until
//	                it left the ring
//	host            a job was handed over and does not execute: the host of
//	                a virtual GPU has it, or firmware; also the whole time from
//	                SUBMIT to END if the ring records nothing in between
//	scheduler       a job is queued, nothing holds it, and it is not yet
//	                handed over
//	other_process   all jobs are blocked, at least one by a job of another
//	                process; jobs queued behind a blocked one count as blocked
//	dependency      all jobs are blocked
//	no_work         there was no job
//	unknown         records were lost, or a job from before the capture was
//	                in flight
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

// The steps of jobs for which the ring has records, anywhere in the capture.
struct RingSteps {
	bool pick = false;
	bool commit = false;
	bool start = false;

	// Returns whether anything is known about the time between SUBMIT and END.
	bool any() const { return pick || commit || start; }
};

// Times collected while reading. The reason why a queued or picked job waits depends on the steps
// that the ring records, which is certain only at the end.
class RingTimes {
public:
	void add(RingState state, uint64_t ns) { times_[static_cast<size_t>(state)] += ns; }
	void add_picked(uint64_t ns) { picked_ += ns; }
	// Marks all idle time so far as unknown.
	void void_idle();
	StateTimes resolve(const RingSteps &steps) const;
	// Returns for how long a job could not continue.
	uint64_t held_up() const;

private:
	StateTimes times_ = {};
	uint64_t picked_ = 0; // a job was picked, and none has gone further
};

// A stretch in which the ring was not busy.
struct IdleGap {
	uint64_t from = 0;
	uint64_t to = 0;
	RingTimes times;

	// Returns the main cause of the time in which jobs were held up or, if no job
	// was held up, of the whole gap.
	static RingState cause(const StateTimes &times);
	uint64_t held_up() const { return times.held_up(); }
};

// The queue that a job is in.
enum class RingPlace : uint8_t {
	none,
	queued,
	blocked,
	blocked_by_other, // another process's job blocks it
	picked,
	handed_over,
};
constexpr size_t nr_ring_places = 6;

// The job that ended a gap.
struct GapEnd {
	uint64_t ts;
	uint64_t ctx;
	uint64_t seqno;
	uint32_t pid;
};

// Receives a ring's activity while it is computed.
class RingActivityWatcher {
public:
	virtual ~RingActivityWatcher() = default;

	virtual void busy(uint64_t from, uint64_t to) = 0;
	// end: nullptr for the end of the capture.
	virtual void idle(const IdleGap &gap, const GapEnd *end) = 0;
	// Earlier gaps may not have been idle.
	virtual void gaps_void() = 0;
};

// Receives the changes of jobs. The beginning or end of a job may become known late, so
// changes wait, in the order of time, until pass() says that no older one will come; an
// older change that comes nevertheless counts from that time on.
class RingActivity {
public:
	// The ring's time begins at start. The watcher must outlive it.
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
		note(begins_, job);
	}
	void end_execution(uint64_t ts) { insert({ts, 1, {}, {}, Kind::end}); }
	// The jobs in flight are unknown until a job that came later has left; see
	// settle().
	void lose(uint64_t ts) { insert({ts, 0, {}, {}, Kind::lose}); }
	void settle(const GapEnd &job)
	{
		insert({job.ts, 0, {}, {}, Kind::settle});
		note(settles_, job);
	}
	// A job from before the capture was there: time that seemed idle until now may have
	// been its execution.
	void know_nothing_before(uint64_t ts) { insert({ts, 0, {}, {}, Kind::forget_idle}); }

	// No older change will come.
	void pass(uint64_t ts);
	// Returns how many changes wait, and the time of the middle one.
	size_t waiting() const { return changes_.size(); }
	uint64_t now() const { return now_; }
	uint64_t middle() const { return changes_[changes_.size() / 2].ts; }
	// Reports how long the ring has been busy so far.
	void report_busy();
	// The ring's time ends at ts.
	void finish(uint64_t ts);

	const RingTimes &times() const { return times_; }
	// The jobs between SUBMIT and leaving the ring, and how many of these the hardware
	// had: jobs handed over, or jobs picked if the ring records no COMMIT.
	const TimeSeries &depth() const { return depth_series_; }
	double average_depth() const { return average(depth_integral_); }
	double average_hardware(const RingSteps &steps) const;
	uint64_t max_depth() const { return max_depth_; }
	uint64_t max_hardware(const RingSteps &steps) const
	{
		return steps.commit ? max_handed_ : max_picked_;
	}

private:
	using Wide = __uint128_t; // all supported compilers have it

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
	static void note(std::vector<GapEnd> &jobs, const GapEnd &job);
	void advance(uint64_t ts);
	void apply(const Change &change);
	void begin(uint64_t ts);
	void settled(uint64_t ts);
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
	std::vector<GapEnd> begins_; // by time
	std::vector<GapEnd> settles_; // by time

	uint64_t now_;
	const uint64_t start_;
	// The weights of the jobs in each place. Times may contradict the order of the
	// records, so a job may leave a place before it enters; the number is negative
	// until it does.
	std::array<int64_t, nr_ring_places> jobs_ = {};
	uint64_t depth_ = 0; // sum of all places
	uint64_t executing_ = 0; // number of jobs
	uint64_t busy_since_ = 0;
	GapEnd last_begin_ = {}; // or the job that left when the ring's jobs became known
	bool lost_ = false; // records were lost, and nothing settled since
	bool ever_lost_ = false;

	RingTimes times_;
	IdleGap gap_; // the open gap
	TimeSeries depth_series_;
	uint64_t max_depth_ = 0;
	uint64_t max_handed_ = 0;
	uint64_t max_picked_ = 0; // or handed over
	Wide depth_integral_ = 0; // jobs times ns
	Wide handed_integral_ = 0;
	Wide picked_integral_ = 0;
};

// Nearly all changes come in the order of time.
inline void RingActivity::insert(const Change &change)
{
	auto at = changes_.end();

	while (at != changes_.begin() && at[-1].ts > change.ts)
		--at;
	changes_.insert(at, change);
}

} // namespace grtrace
