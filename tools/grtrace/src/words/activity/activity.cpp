// SPDX-License-Identifier: GPL-2.0
#include "words/activity/activity.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "words/data/worst.h"

namespace grtrace {

uint32_t Activity::tgid_of(uint32_t pid)
{
	const Task *task = capture_.session().tasks.find(pid);

	return task ? task->tgid : pid;
}

// False if no SUBMIT shows which process the job belongs to.
bool Activity::meets_other(const Job &job)
{
	return job.blocker_pid && job.submit_ts != Job::none &&
	       tgid_of(job.blocker_pid) != tgid_of(job.pid);
}

// After a loss nothing is known about jobs that were seen before it.
Activity::Stand &Activity::stand_of(const Job &job)
{
	if (job.slot >= stands_.size())
		stands_.resize(job.slot + 1);

	Stand &stand = stands_[job.slot];

	if (stand.losses != nr_losses_)
		stand = {RingPlace::none, nr_losses_};
	return stand;
}

Activity::Ring &Activity::ring_of(uint32_t id)
{
	const std::unique_ptr<Ring> &known = rings_[id];

	return known ? *known : new_ring(id);
}

Activity::Ring &Activity::new_ring(uint32_t id)
{
	Ring &ring = *(rings_[id] = std::make_unique<Ring>(id, start_, *this));

	// Jobs before this one may be among the lost records.
	if (nr_losses_)
		ring.activity.lose(first_lost_);
	if (is_of_device(id))
		device_of(id).used = true;
	return ring;
}

const Activity::Ring *Activity::known_ring(uint32_t id) const
{
	const std::unique_ptr<Ring> *known = rings_.find(id);

	return known ? known->get() : nullptr;
}

// While the CPU executes a job, the device need not work.
bool Activity::is_of_device(uint32_t id) const
{
	const ::grtrace::Ring &ring = capture_.session().rings.find(id);

	return ring.known && !ring.has(GRTRACE_RING_CPU);
}

Activity::Device &Activity::device_of(uint32_t ring)
{
	const uint32_t id = capture_.session().rings.find(ring).device;

	if (id >= devices_.size())
		devices_.resize(id + 1);
	return devices_[id];
}

void Activity::Ring::note_steps(const Job &job)
{
	steps.pick |= job.pick_ts != Job::none;
	steps.commit |= job.commit_ts != Job::none;
	steps.start |= job.start_ts != Job::none && !job.start_inferred;
}

void Activity::Ring::busy(uint64_t from, uint64_t to)
{
	if (all.sink_)
		all.sink_->busy(id, from, to);
	if (!all.is_of_device(id))
		return;

	Device &device = all.device_of(id);

	device.busy.add(from, to);
	if (device.busy.full())
		all.sum_up_ = id;
}

void Activity::Ring::idle(const IdleGap &gap, const GapEnd *end)
{
	all.list_gap(*this, gap, end);
}

void Activity::Ring::gaps_void()
{
	gaps.clear();
}

std::string Activity::name_of(const GapEnd &job)
{
	const Task *task = capture_.session().tasks.find(job.pid);

	return fmt::format("{}:{} of {}", job.ctx, job.seqno, task ? task->name() : "?");
}

// Gaps in which a job was held up come before all others.
bool Activity::is_worse(const Listed &a, const Listed &b)
{
	auto rank = [](const Listed &listed) {
		const IdleGap &gap = listed.gap;

		return std::tuple(gap.held_up(), gap.to - gap.from, ~gap.from, ~listed.ring);
	};

	return rank(a) > rank(b);
}

void Activity::list_gap(Ring &ring, const IdleGap &gap, const GapEnd *end)
{
	Gaps &gaps = ring.gaps;

	if (!nr_gaps_ || !gap.held_up())
		return;
	// Most gaps are too short for the list.
	if (gaps.size() == nr_gaps_ && gap.held_up() < gaps.front().gap.held_up())
		return;
	Listed listed = {gap, ring.id, ""};

	if (!is_among_worst(gaps, nr_gaps_, listed, is_worse))
		return;
	if (end)
		listed.ended_by = name_of(*end);
	keep_worst(gaps, nr_gaps_, std::move(listed), is_worse);
}

// If it is not known when a ring was busy, its gaps are not known either.
Activity::Gaps Activity::worst_gaps() const
{
	Gaps gaps;

	each_ring([&](const Ring &ring) {
		if (ring.steps.any())
			gaps.insert(gaps.end(), ring.gaps.begin(), ring.gaps.end());
	});
	std::sort(gaps.begin(), gaps.end(), is_worse);
	gaps.resize(std::min(gaps.size(), nr_gaps_));
	return gaps;
}

static bool in_queue(JobPhase phase)
{
	return phase == JobPhase::queued || phase == JobPhase::blocked;
}

// A job in the queue is counted at once, and so are the jobs behind it when they become
// held or are no longer held. A job that is further is open.
// Sampling omits the jobs between two that are recorded, so their distance says nothing about
// arrivals.
void Activity::Ring::note_submit(const Job &job)
{
	const bool known = last_submit != Job::none && job.weight == 1;

	if (known && job.submit_ts >= last_submit)
		arrivals.add(job.submit_ts - last_submit);
	last_submit = job.submit_ts;
}

void Activity::moved(const Job &job, JobPhase from, uint64_t ts)
{
	using enum RingPlace;

	if (job.ring == GRTRACE_RING_NONE)
		return;

	Ring &ring = ring_of(job.ring);
	const HeldJobs::Step held = held_.move(job, from);
	Stand &stand = stand_of(job);
	const RingPlace stood = held.was_held ? blocked : stand.place;

	moved_ = true;
	now_ = std::max(now_, ts);
	if (shown_ && from == JobPhase::unseen && job.phase == JobPhase::queued)
		ring.note_submit(job);
	if (job.settled) {
		// Only COMPLETE is still missing.
	} else if (stand.place == none && is_forgotten(ring, job)) {
		// The job was cut by a loss, and no record of it has come since.
	} else if (!in_queue(job.phase)) {
		open(ring, job, stood, ts);
		stand.place = none;
	} else {
		stand.place = held.is_held ? blocked : queued;
		if (job.phase == JobPhase::blocked)
			stand.place = meets_other(job) ? RingPlace::blocked_by_other : blocked;
		ring.activity.move(stood, stand.place, job.weight, ts);
		// The queue decides whether the job is held.
		if (job.phase == JobPhase::queued)
			stand.place = queued;
	}
	if (held.caught)
		ring.activity.move(queued, blocked, held.caught, ts);
	if (held.freed)
		ring.activity.move(blocked, queued, held.freed, ts);
	pass_some(ring);
}

// Returns whether a job that has no place is passed on without having left.
bool Activity::is_forgotten(const Ring &ring, const Job &job)
{
	return job.phase == JobPhase::over && job.gone_ts() == Job::none &&
	       std::none_of(ring.open.begin(), ring.open.end(),
			    [&](const OpenJob &open) { return open.job.slot == job.slot; });
}

void Activity::open(Ring &ring, const Job &job, RingPlace stood, uint64_t ts)
{
	auto known = std::find_if(ring.open.rbegin(), ring.open.rend(),
				  [&](const OpenJob &open) { return open.job.slot == job.slot; });

	ring.note_steps(job);
	ring.left_since |= job.left_ts() != Job::none;
	if (known != ring.open.rend()) {
		known->job = job;
		return;
	}
	ring.open.push_back({.job = job,
			     .place = stood,
			     .since = ts,
			     .floor = ring.floor,
			     .lost_until = lost_until_});
}

// Moves the job to the place that its records have shown so far.
void Activity::take(Ring &ring, OpenJob &open)
{
	const Job &job = open.job;
	const uint64_t gone = std::min(job.gone_ts(), open.until);
	auto go = [&](RingPlace to, uint64_t ts) {
		ts = std::max(ts, open.floor);
		if (ts >= gone || to <= open.place)
			return;
		ring.activity.move(open.place, to, job.weight, ts);
		open.place = to;
	};

	if (job.submit_ts != Job::none && job.submit_ts >= open.floor)
		go(RingPlace::queued, job.submit_ts);
	if (job.pick_ts != Job::none)
		go(RingPlace::picked, job.pick_ts);
	// A job that executes was handed over, even if COMMIT is recorded later or never.
	if (const uint64_t ts = std::min(job.commit_ts, job.start_ts); ts != Job::none)
		go(RingPlace::handed_over, ts);
}

// Returns when a job last left the ring before this time; this includes a job whose START
// is not final yet.
uint64_t Activity::last_left_before(const Ring &ring, uint64_t until)
{
	uint64_t last = ring.last_left;

	for (const OpenJob &open : ring.open) {
		const uint64_t left = open.job.left_ts();

		if (left != Job::none && left <= until && (last == Job::none || left > last))
			last = left;
	}
	return last;
}

// The same up to now. At the end of a capture each job that is still there asks for this.
uint64_t Activity::last_left_by_now(Ring &ring)
{
	if (std::exchange(ring.left_since, false))
		ring.last_left_by_now = last_left_before(ring, now_);
	return ring.last_left_by_now;
}

// Returns the time since which it executes, as far as is known by now; none if it does not.
// If it has not left, it began no later than the last job left.
uint64_t Activity::begin_of(const Ring &ring, const Job &job, bool lost, uint64_t last_left)
{
	if (job.start_ts != Job::none)
		return job.start_ts;
	if (job.last_commit_ts == Job::none && ring.steps.commit)
		return Job::none;
	// It had not begun when records were lost; after that its START is not known.
	if (lost && ring.steps.start)
		return Job::none;

	const uint64_t since = job.last_commit_ts == Job::none ? job.pick_ts : job.last_commit_ts;

	const uint64_t before = job.gone_ts() == Job::none ? last_left : ring.last_left;

	if (since == Job::none || before == Job::none)
		return since;
	return std::max(since, before);
}

void Activity::begin_execution(Ring &ring, OpenJob &open, uint64_t ts)
{
	if (ts == Job::none || open.executes)
		return;
	open.executes = true;
	ring.activity.begin_execution(
		{std::max(ts, open.floor), open.job.ctx, open.job.seqno, open.job.pid});
}

// It executed until `left`, or not at all if that is none, and was on the ring until
// `gone`.
void Activity::close(Ring &ring, OpenJob &open, uint64_t left, uint64_t gone)
{
	const uint64_t until = std::max(gone, open.floor);

	if (open.executes)
		ring.activity.end_execution(std::max(left == Job::none ? gone : left, open.floor));
	ring.activity.move(open.place, RingPlace::none, open.job.weight, until);
	if (open.job.submit_ts != Job::none && open.job.submit_ts >= open.lost_until &&
	    open.job.left_ts() != Job::none)
		ring.activity.settle({until, open.job.ctx, open.job.seqno, open.job.pid});
	note_begun_before(ring, open);
}

// By now it is known whether only the number of its SUBMIT was late. The first record of a
// job that came back after a loss is older.
void Activity::note_begun_before(Ring &ring, const OpenJob &open)
{
	const uint64_t first = std::min(open.floor ? Job::none : open.since, open.job.blocked_ts);

	if (open.job.begun_before && first != Job::none)
		ring.activity.know_nothing_before(first);
}

// Counts what a job that was cut by a loss did before it, as far as is known by now. The
// ring forgets the job, though it did not leave.
void Activity::close_cut(Ring &ring, OpenJob &cut)
{
	const Job &job = cut.job;
	const uint64_t gone = job.passed_ts < cut.until ? job.over_by() : job.gone_ts();
	const bool is_final = job.settled && gone != Job::none;
	const uint64_t begin = is_final ? job.start_ts : begin_of(ring, job, true, cut.last_left);
	const uint64_t left = is_final && job.gone_ts() != Job::none ? job.left_ts() : gone;

	take(ring, cut);
	if (begin < std::min(left, cut.until) && (left != Job::none || !is_final))
		begin_execution(ring, cut, begin);
	if (gone < cut.until)
		close(ring, cut, left, gone);
	else
		note_begun_before(ring, cut);
}

void Activity::executed(const Job &job)
{
	if (job.ring == GRTRACE_RING_NONE)
		return;

	Ring &ring = ring_of(job.ring);
	auto known = std::find_if(ring.open.begin(), ring.open.end(),
				  [&](const OpenJob &open) { return open.job.slot == job.slot; });
	// The time until which the job is on the ring, if it is known to have been there.
	const uint64_t still = std::min(now_, job.passed_ts);
	const uint64_t left = job.gone_ts() == Job::none ? still : job.left_ts();
	const uint64_t gone = job.gone_ts() == Job::none ? still : job.gone_ts();

	ring.note_steps(job);
	if (left != Job::none && job.gone_ts() != Job::none) {
		ring.last_left =
			ring.last_left == Job::none ? left : std::max(ring.last_left, left);
		ring.left_since = true;
	}
	std::erase_if(ring.cut, [&](OpenJob &cut) {
		if (cut.job.slot != job.slot)
			return false;
		cut.job = job;
		close_cut(ring, cut);
		return true;
	});
	// The job left before the last loss.
	if (known == ring.open.end())
		return;
	known->job = job;
	take(ring, *known);
	if (left != Job::none && left >= ring.floor) {
		// If it is only known to be over, it is unknown when it ran.
		const uint64_t begin =
			job.gone_ts() == Job::none && job.passed_ts == Job::none ?
				begin_of(ring, job, job.touched, last_left_by_now(ring)) :
				job.start_ts;

		// An execution of no length ends no gap.
		if (begin < left)
			begin_execution(ring, *known, begin);
	}
	close(ring, *known, left, gone);
	ring.open.erase(known);
	pass_some(ring);
}

// Closes the oldest ones; `few` are left.
void Activity::close_oldest_cut(Ring &ring, size_t few)
{
	if (ring.cut.size() <= few)
		return;

	const auto end = ring.cut.end() - static_cast<ptrdiff_t>(few);

	for (auto cut = ring.cut.begin(); cut != end; ++cut)
		close_cut(ring, *cut);
	ring.cut.erase(ring.cut.begin(), end);
}

// Takes the facts known so far about open jobs that began before this time.
void Activity::take_open(Ring &ring, uint64_t before)
{
	const uint64_t last_left = last_left_before(ring, before);

	close_oldest_cut(ring, 0);
	for (OpenJob &open : ring.open) {
		if (open.since >= before)
			continue;
		take(ring, open);
		begin_execution(ring, open, begin_of(ring, open.job, open.job.touched, last_left));
	}
}

void Activity::pass_some(Ring &ring)
{
	RingActivity &activity = ring.activity;

	if (activity.waiting() < ring.pass_at)
		return;

	// Changes of the younger half may still come, because CPUs differ in speed.
	uint64_t until = activity.middle();

	// Some of these jobs may never have another record.
	if (activity.waiting() >= waiting_cut)
		close_oldest_cut(ring, 0);
	for (const OpenJob &cut : ring.cut)
		until = std::min(until, cut.since);
	if (activity.waiting() >= waiting_max)
		take_open(ring, until);
	else
		for (const OpenJob &open : ring.open)
			until = std::min(until, open.since);
	activity.pass(until);
	if (sum_up_)
		sum_up(device_of(*std::exchange(sum_up_, std::nullopt)));
	ring.pass_at = std::max(waiting_few, 2 * activity.waiting());
}

// A device gets no span that is older than the times of all its rings.
void Activity::sum_up(Device &device)
{
	uint64_t until = UINT64_MAX;

	each_ring([&](Ring &ring) {
		if (&device_of(ring.id) != &device)
			return;
		if (device.busy.size() >= 4 * SpanUnion::limit) {
			take_open(ring, UINT64_MAX);
			ring.activity.pass(now_);
		}
		ring.activity.report_busy();
		if (!ring.open.empty() || !ring.cut.empty() || ring.activity.waiting())
			until = std::min(until, ring.activity.now());
	});
	device.busy.sum_up(until);
}

void Activity::lost(uint64_t from, uint64_t to)
{
	nr_losses_++;
	first_lost_ = std::min(first_lost_, from);
	lost_until_ = std::max(lost_until_, to);
	// A hostile stream can have a loss for each of its bytes.
	if (!std::exchange(moved_, false))
		return;
	held_.forget();
	each_ring([&](Ring &ring) {
		const uint64_t last_left = last_left_before(ring, from);

		for (OpenJob &open : ring.open) {
			open.until = from;
			open.last_left = last_left;
			ring.cut.push_back(open);
		}
		ring.open.clear();
		ring.left_since = true;
		close_oldest_cut(ring, cut_max);
		ring.activity.lose(from);
		ring.floor = std::max(ring.floor, from);
	});
}

void Activity::finish(uint64_t ts)
{
	end_ = std::max(ts, start_);
	each_ring([&](Ring &ring) {
		ring.activity.finish(end_);
		if (!ring.steps.any() && is_of_device(ring.id))
			device_of(ring.id).known = false;
	});
}

std::optional<uint64_t> Activity::busy_ns(uint32_t ring) const
{
	const Ring *known = known_ring(ring);

	if (!known || !known->steps.any())
		return std::nullopt;
	return known->activity.times().resolve(known->steps)[static_cast<size_t>(RingState::busy)];
}

} // namespace grtrace
