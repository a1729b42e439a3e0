// SPDX-License-Identifier: GPL-2.0
#include "ring_activity.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace grtrace {

static constexpr size_t index(JobPhase phase)
{
	return static_cast<size_t>(phase);
}

const char *ring_state_name(RingState state)
{
	static const char *const names[nr_ring_states] = {
		"busy",
		"waiting for the host",
		"scheduler",
		"blocked by another process",
		"blocked by a dependency",
		"no work submitted",
		"not known",
	};

	return names[static_cast<size_t>(state)];
}

// From the state after busy to the one before no_work.
static constexpr size_t first_held = static_cast<size_t>(RingState::host);
static constexpr size_t end_held = static_cast<size_t>(RingState::no_work);

RingState IdleGap::cause() const
{
	auto end = held_up() ? times.begin() + end_held : times.end();
	auto most = std::max_element(times.begin() + first_held, end);

	return RingState(most - times.begin());
}

uint64_t IdleGap::held_up() const
{
	return std::accumulate(times.begin() + first_held,
			       times.begin() + end_held, uint64_t(0));
}

// What a ring's state depends on, a bit each: jobs of which phases it has, and
// what it tells.
static constexpr unsigned int bit(JobPhase phase)
{
	return 1u << index(phase);
}

enum : unsigned int {
	has_queued = bit(JobPhase::queued),
	has_blocked = bit(JobPhase::blocked),
	has_picked = bit(JobPhase::picked),
	has_committed = bit(JobPhase::committed),
	has_started = bit(JobPhase::started),
	has_any = has_queued | has_blocked | has_picked | has_committed |
		  has_started,
	is_by_other = 1 << 0,
	does_tell_pick = 1 << 6,
	does_tell_commit = 1 << 7,
	does_tell_start = 1 << 8,
	nr_cases = 1 << 9,
};

static constexpr RingState state_of(unsigned int bits)
{
	if (bits & has_started)
		return RingState::busy;
	if (bits & has_committed ||
	    (bits & has_picked && !(bits & does_tell_commit)))
		return bits & does_tell_start ? RingState::host :
						RingState::busy;
	if (bits & (has_picked | has_queued))
		return bits & does_tell_pick ? RingState::scheduler :
					       RingState::host;
	if (bits & has_blocked)
		return bits & is_by_other ? RingState::other_process :
					    RingState::dependency;
	return RingState::no_work;
}

// Of all cases: no processor foresees in which a ring is.
static constexpr std::array<RingState, nr_cases> all_states()
{
	std::array<RingState, nr_cases> states = {};

	for (unsigned int bits = 0; bits < nr_cases; bits++)
		states[bits] = state_of(bits);
	return states;
}

inline RingState RingActivity::state() const
{
	static constexpr std::array<RingState, nr_cases> states = all_states();

	return lost_ ? RingState::unknown : states[tells_ | has_];
}

inline void RingActivity::advance(uint64_t ts)
{
	const uint64_t step = std::max(ts, now_) - now_;

	gap_ended_ = false;
	gaps_void_ = false;
	times_[static_cast<size_t>(state_)] += step;
	// Also while it is busy: nobody asks then.
	gap_.times[static_cast<size_t>(state_)] += step;
	now_ += step;
}

void RingActivity::open_gap()
{
	gap_.from = now_;
	gap_.times = {};
}

void RingActivity::end_gap()
{
	gap_.to = now_;
	gap_ended_ = gap_.to > gap_.from;
}

void RingActivity::count_by_other(JobStand from, JobStand to, uint64_t weight)
{
	by_other_ += to.by_other * weight - from.by_other * weight;
	has_ = static_cast<uint16_t>(by_other_ ? has_ | is_by_other :
						 has_ & ~is_by_other);
}

// Also where nothing is left to be done: nobody asks for that.
inline void RingActivity::count(JobStand from, JobStand to, uint64_t weight)
{
	uint64_t &left = jobs_[index(from.phase)];

	jobs_[index(to.phase)] += weight;
	left -= weight;
	has_ = static_cast<uint16_t>(
		(has_ & ~((left == 0) * bit(from.phase) & has_any)) |
		(bit(to.phase) & has_any));
	if (from.by_other | to.by_other)
		count_by_other(from, to, weight);
}

// All idle time so far may have been busy with a job from before.
void RingActivity::void_idle_time()
{
	auto make_unknown = [](StateTimes &times) {
		uint64_t sum = 0;

		for (size_t i = 1; i < nr_ring_states; i++)
			sum += std::exchange(times[i], 0);
		times[static_cast<size_t>(RingState::unknown)] = sum;
	};

	make_unknown(times_);
	make_unknown(gap_.times);
	gaps_void_ = true;
}

// What a ring tells that has a job in the phase.
static constexpr std::array<uint16_t, 8> told_by = {
	0,
	0,
	does_tell_pick,
	does_tell_pick,
	does_tell_pick | does_tell_commit,
	does_tell_pick | does_tell_start,
	0,
	0,
};

// Until now the ring seemed to tell nothing between SUBMIT and END.
void RingActivity::learn_pick()
{
	auto make_scheduler = [](StateTimes &times) {
		times[static_cast<size_t>(RingState::scheduler)] +=
			std::exchange(
				times[static_cast<size_t>(RingState::host)], 0);
	};

	make_scheduler(times_);
	make_scheduler(gap_.times);
	sum_depth();
	hardware_ = 0;
	hardware_integral_ = 0;
	max_hardware_ = 0;
}

inline void RingActivity::learn(JobPhase to)
{
	const uint16_t tells = tells_ | told_by[index(to)];

	if (tells == tells_)
		return;
	if (!(tells_ & does_tell_pick))
		learn_pick();
	tells_ = tells;
}

// The last step of a job of this phase that had one to do.
void RingActivity::settle(JobPhase from, bool submitted)
{
	if (from != JobPhase::unseen && submitted) {
		settled_ = true;
		lost_ = false;
	} else if (!settled_at_loss_ &&
		   (from != JobPhase::unseen || !settled_)) {
		void_idle_time();
	}
}

// As deep as it was until now.
inline void RingActivity::sum_depth()
{
	const uint64_t since = depth_since_;
	const uint64_t held = now_ - since;

	depth_integral_ += Wide(held) * depth_;
	hardware_integral_ += Wide(held) * hardware_;
	depth_since_ = now_;
	depth_series_.hold(since, now_, depth_);
}

// Most steps change neither.
inline void RingActivity::hold_depth()
{
	auto in = [&](JobPhase phase) { return jobs_[index(phase)]; };
	uint64_t hardware = in(JobPhase::committed) + in(JobPhase::started);
	uint64_t depth = hardware + in(JobPhase::queued) +
			 in(JobPhase::blocked) + in(JobPhase::picked);

	if (!(tells_ & does_tell_pick))
		hardware = depth;
	else if (!(tells_ & does_tell_commit))
		hardware += in(JobPhase::picked);
	if (depth == depth_ && hardware == hardware_)
		return;
	sum_depth();
	depth_ = depth;
	hardware_ = hardware;
	max_depth_ = std::max(max_depth_, depth);
	max_hardware_ = std::max(max_hardware_, hardware);
}

inline void RingActivity::update()
{
	const bool was_busy = busy();

	hold_depth();
	state_ = state();
	if (busy() == was_busy)
		return;
	if (was_busy)
		open_gap();
	else
		end_gap();
}

void RingActivity::move(JobStand from, JobStand to, uint32_t weight,
			uint64_t ts, bool submitted,
			const HeldJobs::Step &held)
{
	const JobStand free = {JobPhase::queued}, behind = {JobPhase::blocked};

	advance(ts);
	// It was nowhere, and there it stays.
	if (from.phase >= JobPhase::ended)
		return;
	count(held.was_held ? behind : from, held.is_held ? behind : to,
	      weight);
	if (held.caught)
		count(free, behind, held.caught);
	if (held.freed)
		count(behind, free, held.freed);
	learn(to.phase);
	if (to.phase >= JobPhase::ended)
		settle(from.phase, submitted);
	update();
}

void RingActivity::lose(uint64_t ts)
{
	advance(ts);
	jobs_ = {};
	has_ = 0;
	by_other_ = 0;
	settled_at_loss_ |= settled_;
	settled_ = false;
	lost_ = true;
	update();
}

void RingActivity::finish(uint64_t ts)
{
	advance(ts);
	if (!busy())
		end_gap();
	sum_depth();
}

double RingActivity::average_depth() const
{
	double span = static_cast<double>(now_ - start_);

	return span > 0 ? static_cast<double>(depth_integral_) / span : 0;
}

double RingActivity::average_hardware() const
{
	double span = static_cast<double>(now_ - start_);

	return span > 0 ? static_cast<double>(hardware_integral_) / span : 0;
}

} // namespace grtrace
