// SPDX-License-Identifier: GPL-2.0
#include "words/activity/ring_activity.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace grtrace {

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

static uint64_t &in(StateTimes &times, RingState state)
{
	return times[static_cast<size_t>(state)];
}

// From the state after busy up to, but not including, no_work.
static constexpr size_t first_held = static_cast<size_t>(RingState::host);
static constexpr size_t end_held = static_cast<size_t>(RingState::no_work);

static uint64_t held_time(const StateTimes &times)
{
	return std::accumulate(times.begin() + first_held, times.begin() + end_held, uint64_t(0));
}

void RingTimes::void_idle()
{
	uint64_t sum = std::exchange(picked_, 0);

	for (size_t i = first_held; i < nr_ring_states; i++)
		sum += std::exchange(times_[i], 0);
	in(times_, RingState::unknown) = sum;
}

StateTimes RingTimes::resolve(const RingSteps &steps) const
{
	StateTimes times = times_;

	// If nothing is recorded between SUBMIT and END, the host counts as having the job
	// all the time. It is not known what was executed, except by jobs that hung before the
	// capture.
	if (!steps.any()) {
		in(times, RingState::host) += std::exchange(in(times, RingState::scheduler), 0);
		in(times, RingState::unknown) += std::exchange(in(times, RingState::busy), 0);
	}
	in(times, steps.commit ? RingState::scheduler : RingState::host) += picked_;
	return times;
}

uint64_t RingTimes::held_up() const
{
	return held_time(times_) + picked_;
}

RingState IdleGap::cause(const StateTimes &times)
{
	auto end = held_time(times) ? times.begin() + end_held : times.end();
	auto most = std::max_element(times.begin() + first_held, end);

	return RingState(most - times.begin());
}

void RingActivity::note(std::vector<GapEnd> &jobs, const GapEnd &job)
{
	auto at = jobs.end();

	while (at != jobs.begin() && at[-1].ts > job.ts)
		--at;
	jobs.insert(at, job);
}

void RingActivity::spend(RingTimes &times, uint64_t ns) const
{
	if (lost_)
		times.add(RingState::unknown, ns);
	else if (executing_)
		times.add(RingState::busy, ns);
	else if (in(RingPlace::handed_over))
		times.add(RingState::host, ns);
	else if (in(RingPlace::picked))
		times.add_picked(ns);
	else if (in(RingPlace::queued))
		times.add(RingState::scheduler, ns);
	else if (in(RingPlace::blocked_by_other))
		times.add(RingState::other_process, ns);
	else if (in(RingPlace::blocked))
		times.add(RingState::dependency, ns);
	else
		times.add(RingState::no_work, ns);
}

// Adds the time since the last change, in which the state was the same.
void RingActivity::advance(uint64_t ts)
{
	if (ts <= now_)
		return;

	const uint64_t step = ts - now_;
	const uint64_t handed = in(RingPlace::handed_over);
	const uint64_t picked = in(RingPlace::picked) + handed;

	spend(times_, step);
	// This also runs while the ring is busy, when its result is not used.
	spend(gap_.times, step);
	depth_integral_ += Wide(step) * depth_;
	handed_integral_ += Wide(step) * handed;
	picked_integral_ += Wide(step) * picked;
	max_depth_ = std::max(max_depth_, depth_);
	max_handed_ = std::max(max_handed_, handed);
	max_picked_ = std::max(max_picked_, picked);
	depth_series_.hold(now_, ts, depth_);
	now_ = ts;
}

void RingActivity::report_busy()
{
	if (busy() && now_ > busy_since_)
		watcher_.busy(busy_since_, now_);
	busy_since_ = now_;
}

void RingActivity::begin(uint64_t ts)
{
	const auto job = std::find_if(begins_.begin(), begins_.end(),
				      [&](const GapEnd &one) { return one.ts == ts; });

	executing_++;
	if (job != begins_.end())
		last_begin_ = *job;
}

// A job that came after the loss has left. If others execute, the gap ends here, by this
// job, unless one of them begins just now.
void RingActivity::settled(uint64_t ts)
{
	const auto job = std::find_if(settles_.begin(), settles_.end(),
				      [&](const GapEnd &one) { return one.ts == ts; });
	const bool was_lost = std::exchange(lost_, false);

	if (was_lost && executing_ && last_begin_.ts != ts && job != settles_.end())
		last_begin_ = *job;
}

void RingActivity::forget()
{
	executing_ = 0;
	jobs_ = {};
	depth_ = 0;
	lost_ = true;
	ever_lost_ = true;
}

void RingActivity::move(const Change &change)
{
	const int64_t weight = static_cast<int64_t>(change.weight);

	if (change.from != RingPlace::none) {
		int64_t &from = jobs_[static_cast<size_t>(change.from)];

		// After a loss, this may be a job that was forgotten.
		from -= ever_lost_ ? std::clamp(from, int64_t(0), weight) : weight;
	}
	if (change.to != RingPlace::none)
		jobs_[static_cast<size_t>(change.to)] += weight;

	const int64_t depth = std::accumulate(jobs_.begin() + 1, jobs_.end(), int64_t(0));

	depth_ = depth > 0 ? static_cast<uint64_t>(depth) : 0;
}

void RingActivity::apply(const Change &change)
{
	const bool was_busy = busy();

	switch (change.kind) {
	case Kind::move:
		move(change);
		break;
	case Kind::begin:
		begin(change.ts);
		break;
	case Kind::end:
		executing_ -= executing_ != 0;
		break;
	case Kind::lose:
		if (was_busy)
			report_busy();
		forget();
		break;
	case Kind::settle:
		settled(change.ts);
		break;
	case Kind::forget_idle:
		times_.void_idle();
		gap_.times.void_idle();
		watcher_.gaps_void();
		break;
	}
	if (busy() == was_busy)
		return;
	if (was_busy) {
		if (now_ > busy_since_)
			watcher_.busy(busy_since_, now_);
		gap_ = {now_, now_, {}};
		return;
	}
	busy_since_ = now_;
	gap_.to = now_;
	if (gap_.to > gap_.from)
		watcher_.idle(gap_, &last_begin_);
}

void RingActivity::pass(uint64_t ts)
{
	auto change = changes_.begin();

	for (; change != changes_.end() && change->ts <= ts; ++change) {
		advance(change->ts);
		apply(*change);
	}
	changes_.erase(changes_.begin(), change);
	for (std::vector<GapEnd> *jobs : {&begins_, &settles_})
		jobs->erase(jobs->begin(),
			    std::find_if(jobs->begin(), jobs->end(),
					 [&](const GapEnd &job) { return job.ts > ts; }));
}

void RingActivity::finish(uint64_t ts)
{
	pass(ts);
	advance(ts);
	report_busy();
	gap_.to = now_;
	if (!busy() && gap_.to > gap_.from)
		watcher_.idle(gap_, nullptr);
}

double RingActivity::average(Wide integral) const
{
	double span = static_cast<double>(now_ - start_);

	return span > 0 ? static_cast<double>(integral) / span : 0;
}

double RingActivity::average_hardware(const RingSteps &steps) const
{
	return average(steps.commit ? handed_integral_ : picked_integral_);
}

} // namespace grtrace
