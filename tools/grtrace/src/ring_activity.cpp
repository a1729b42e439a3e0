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
enum : unsigned int {
	has_queued = 1 << 0,
	has_blocked = 1 << 1,
	has_picked = 1 << 2,
	has_committed = 1 << 3,
	has_started = 1 << 4,
	is_by_other = 1 << 5,
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

RingState RingActivity::state() const
{
	static constexpr std::array<RingState, nr_cases> states = all_states();
	unsigned int bits = 0;
	auto set = [&](bool is, unsigned int bit) { bits |= is * bit; };

	if (lost_)
		return RingState::unknown;
	set(jobs_[index(JobPhase::queued)], has_queued);
	set(jobs_[index(JobPhase::blocked)], has_blocked);
	set(jobs_[index(JobPhase::picked)], has_picked);
	set(jobs_[index(JobPhase::committed)], has_committed);
	set(jobs_[index(JobPhase::started)], has_started);
	set(by_other_, is_by_other);
	set(tells_pick_, does_tell_pick);
	set(tells_commit_, does_tell_commit);
	set(tells_start_, does_tell_start);
	return states[bits];
}

void RingActivity::advance(uint64_t ts)
{
	gap_ended_ = false;
	gaps_void_ = false;
	if (ts <= now_)
		return;

	uint64_t step = ts - now_;

	times_[static_cast<size_t>(state_)] += step;
	// While it is busy there is no gap, and nobody asks for that time.
	gap_.times[static_cast<size_t>(state_)] += step;
	now_ = ts;
}

// A job of a phase from which nothing is left to be done is nowhere.
void RingActivity::count(JobPhase phase, bool other, int64_t weight)
{
	uint64_t one = weight < 0 ? UINT64_MAX : 1;

	if (phase == JobPhase::unseen || phase >= JobPhase::ended)
		return;
	jobs_[index(phase)] += one;
	weights_[index(phase)] += static_cast<uint64_t>(weight);
	if (other)
		by_other_ += one;
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

// Until now the ring seemed to tell nothing between SUBMIT and END.
void RingActivity::learn(JobPhase to)
{
	auto make_scheduler = [](StateTimes &times) {
		times[static_cast<size_t>(RingState::scheduler)] +=
			std::exchange(
				times[static_cast<size_t>(RingState::host)], 0);
	};

	if (to < JobPhase::blocked || to > JobPhase::started)
		return;
	if (!tells_pick_) {
		make_scheduler(times_);
		make_scheduler(gap_.times);
		sum_depth();
		hardware_ = 0;
		hardware_integral_ = 0;
		max_hardware_ = 0;
	}
	tells_pick_ = true;
	tells_commit_ |= to == JobPhase::committed;
	tells_start_ |= to == JobPhase::started;
}

void RingActivity::settle(JobPhase from, JobPhase to, bool submitted)
{
	if (to < JobPhase::ended || from >= JobPhase::ended)
		return;
	if (from != JobPhase::unseen && submitted) {
		settled_ = true;
		lost_ = false;
	} else if (!settled_at_loss_ && (from != JobPhase::unseen || !settled_)) {
		void_idle_time();
	}
}

// As deep as it was until now.
void RingActivity::sum_depth()
{
	double held = static_cast<double>(now_ - depth_since_);

	depth_series_.hold(depth_since_, now_, depth_);
	depth_integral_ += held * static_cast<double>(depth_);
	hardware_integral_ += held * static_cast<double>(hardware_);
	depth_since_ = now_;
}

// Most steps change neither.
void RingActivity::hold_depth()
{
	auto in = [&](JobPhase phase) { return weights_[index(phase)]; };
	uint64_t hardware = in(JobPhase::committed) + in(JobPhase::started);
	uint64_t depth = hardware + in(JobPhase::queued) +
			 in(JobPhase::blocked) + in(JobPhase::picked);

	if (!tells_pick_)
		hardware = depth;
	else if (!tells_commit_)
		hardware += in(JobPhase::picked);
	if (depth == depth_ && hardware == hardware_)
		return;
	sum_depth();
	depth_ = depth;
	hardware_ = hardware;
	max_depth_ = std::max(max_depth_, depth);
	max_hardware_ = std::max(max_hardware_, hardware);
}

void RingActivity::update()
{
	RingState state = this->state();

	hold_depth();
	if (state == state_)
		return;
	if (state == RingState::busy) {
		gap_.to = now_;
		gap_ended_ = gap_.to > gap_.from;
	} else if (busy()) {
		gap_ = {now_, now_, {}};
	}
	state_ = state;
}

void RingActivity::move(JobPhase from, bool from_other, JobPhase to,
			bool to_other, uint32_t weight, uint64_t ts,
			bool submitted)
{
	advance(ts);
	count(from, from_other, -int64_t(weight));
	count(to, to_other, int64_t(weight));
	learn(to);
	settle(from, to, submitted);
	update();
}

void RingActivity::lose(uint64_t ts)
{
	advance(ts);
	jobs_ = {};
	weights_ = {};
	by_other_ = 0;
	settled_at_loss_ |= settled_;
	settled_ = false;
	lost_ = true;
	update();
}

void RingActivity::finish(uint64_t ts)
{
	advance(ts);
	if (!busy()) {
		gap_.to = now_;
		gap_ended_ = gap_.to > gap_.from;
	}
	sum_depth();
}

double RingActivity::average_depth() const
{
	double span = static_cast<double>(now_ - start_);

	return span > 0 ? depth_integral_ / span : 0;
}

double RingActivity::average_hardware() const
{
	double span = static_cast<double>(now_ - start_);

	return span > 0 ? hardware_integral_ / span : 0;
}

} // namespace grtrace
