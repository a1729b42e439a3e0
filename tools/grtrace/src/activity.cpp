// SPDX-License-Identifier: GPL-2.0
#include "activity.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "duration.h"
#include "group_table.h"

namespace grtrace {

uint32_t Activity::tgid_of(uint32_t pid)
{
	const Task *task = capture_.session().tasks.find(pid);

	return task ? task->tgid : pid;
}

bool Activity::meets_other(const Job &job)
{
	const bool other = job.blocker_pid &&
			   tgid_of(job.blocker_pid) != tgid_of(job.pid);

	if (job.slot >= by_other_.size())
		by_other_.resize(job.slot + 1);
	by_other_[job.slot] = other;
	return other;
}

RingActivity &Activity::new_ring(uint32_t id)
{
	if (id >= rings_.size())
		rings_.resize(id + 1);
	rings_[id] = std::make_unique<RingActivity>(start_);
	// Jobs before this one may be among what was lost.
	if (ever_lost_)
		rings_[id]->lose(start_);
	if (capture_.session().rings.find(id).known)
		device_of(id).used = true;
	return *rings_[id];
}

Activity::Device &Activity::new_device(uint32_t id)
{
	devices_.resize(id + 1);
	return devices_[id];
}

void Activity::note_device(uint32_t ring, bool was_busy,
			   const RingActivity &now)
{
	if (!capture_.session().rings.find(ring).known)
		return;

	Device &device = device_of(ring);

	// Rings are not at the same time: each has its own steps.
	device.now = std::max(device.now, now.now());
	if (now.busy() && !was_busy && !device.busy_rings++)
		device.since = device.now;
	if (!now.busy() && was_busy && !--device.busy_rings)
		device.busy_ns += Job::between(device.since, device.now);
}

std::string Activity::name_of(const Job &job)
{
	const Task *task = capture_.session().tasks.find(job.pid);

	return fmt::format("{}:{} of {}", job.ctx, job.seqno,
			   task ? task->name() : "?");
}

// Those in which a job could not go on come before those without any.
bool Activity::is_worse(const Listed &a, const Listed &b)
{
	auto rank = [](const Listed &listed) {
		const IdleGap &gap = listed.gap;

		return std::tuple(gap.held_up(), gap.to - gap.from, ~gap.from,
				  ~listed.ring);
	};

	return rank(a) > rank(b);
}

// job: that ended the gap, nullptr for the end of the capture.
void Activity::note_gaps(uint32_t ring, const RingActivity &now, const Job *job)
{
	const IdleGap *gap = now.ended_gap();

	if (now.gaps_void()) {
		std::erase_if(gaps_, [&](const Listed &listed) {
			return listed.ring == ring;
		});
		std::make_heap(gaps_.begin(), gaps_.end(), is_worse);
	}
	if (!gap || !nr_gaps_)
		return;
	// Most are too short for the list.
	if (gaps_.size() == nr_gaps_ &&
	    gap->held_up() < gaps_.front().gap.held_up())
		return;
	Listed listed = {*gap, ring, ""};

	if (gaps_.size() == nr_gaps_) {
		if (!is_worse(listed, gaps_.front()))
			return;
		std::pop_heap(gaps_.begin(), gaps_.end(), is_worse);
		gaps_.pop_back();
	}
	if (job)
		listed.ended_by = name_of(*job);
	gaps_.push_back(std::move(listed));
	std::push_heap(gaps_.begin(), gaps_.end(), is_worse);
}

void Activity::moved(const Job &job, JobPhase from, uint64_t ts)
{
	if (job.ring == GRTRACE_RING_NONE || job.ring > RingTable::max_id)
		return;

	RingActivity &ring = job.ring < rings_.size() && rings_[job.ring] ?
				     *rings_[job.ring] :
				     new_ring(job.ring);
	const bool was_busy = ring.busy();
	JobStand stood = {from}, stands = {job.phase};

	moved_ = true;
	if (from == JobPhase::blocked)
		stood.by_other = by_other_[job.slot];
	if (job.phase == JobPhase::blocked)
		stands.by_other = meets_other(job);
	ring.move(stood, stands, job.weight, ts, job.submit_ts != Job::none,
		  held_.move(job, from));
	if (ring.busy() != was_busy)
		note_device(job.ring, was_busy, ring);
	if (ring.ended_gap() || ring.gaps_void())
		note_gaps(job.ring, ring, &job);
}

void Activity::lost(uint64_t from, uint64_t)
{
	ever_lost_ = true;
	// A hostile stream has a loss for each of its bytes.
	if (!std::exchange(moved_, false))
		return;
	held_.forget();
	for (uint32_t id = 0; id < rings_.size(); id++) {
		if (!rings_[id])
			continue;
		bool was_busy = rings_[id]->busy();
		rings_[id]->lose(from);
		note_device(id, was_busy, *rings_[id]);
	}
}

void Activity::finish(uint64_t ts)
{
	end_ = std::max(ts, start_);
	for (uint32_t id = 0; id < rings_.size(); id++) {
		if (!rings_[id])
			continue;
		rings_[id]->finish(ts);
		note_gaps(id, *rings_[id], nullptr);
	}
	for (Device &device : devices_)
		if (device.busy_rings)
			device.busy_ns += Job::between(device.since, end_);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * static_cast<double>(part) /
			       static_cast<double>(whole) :
		       0;
}

// So that a long name moves no figure out of its column.
size_t Activity::title_width() const
{
	size_t width = 24;

	for (uint32_t id = 0; id < rings_.size(); id++)
		if (rings_[id])
			width = std::max(
				width,
				ring_title(capture_.session(), id).size());
	return width;
}

void Activity::print_rings(fmt::memory_buffer &out) const
{
	auto it = std::back_inserter(out);
	const size_t width = title_width();

	fmt::format_to(it, "\n{:<{}} {:>7} {:>11}", "BUSY AND IDLE", width,
		       "BUSY %", "BUSY");
	for (const char *cause : {"HOST", "SCHEDULER", "OTHER PROC", "DEPEND",
				  "NO WORK", "NOT KNOWN"})
		fmt::format_to(it, " {:>11}", cause);
	out.push_back('\n');
	for (uint32_t id = 0; id < rings_.size(); id++) {
		if (!rings_[id])
			continue;
		const StateTimes &times = rings_[id]->times();

		fmt::format_to(it, "{:<{}} {:>7.2f}",
			       ring_title(capture_.session(), id), width,
			       percent(times[0], end_ - start_));
		for (uint64_t ns : times)
			fmt::format_to(it, " {}", duration_text(ns));
		fmt::format_to(it, "{}\n",
			       losses_.touch(start_, end_) ? " *" : "");
	}
}

void Activity::print_devices(fmt::memory_buffer &out) const
{
	const auto &names = capture_.session().rings.devices();
	auto it = std::back_inserter(out);
	size_t width = 24;

	for (size_t id = 0; id < devices_.size(); id++)
		if (devices_[id].used)
			width = std::max(width, names[id].size());
	fmt::format_to(it, "\n{:<{}} {:>7} {:>11}  {}\n", "DEVICE", width,
		       "BUSY %", "BUSY", "any of its rings");
	for (size_t id = 0; id < devices_.size(); id++)
		if (devices_[id].used)
			fmt::format_to(
				it, "{:<{}} {:>7.2f} {}{}\n", names[id], width,
				percent(devices_[id].busy_ns, end_ - start_),
				duration_text(devices_[id].busy_ns),
				losses_.touch(start_, end_) ? " *" : "");
}

// A line of marks, from empty to as deep as it ever was.
static std::string draw(const TimeSeries &series, uint64_t most)
{
	static const char marks[] = " .:-=+*#%@";
	constexpr size_t width = 64;
	const auto &buckets = series.buckets();
	std::string text;

	for (size_t i = 0;
	     i<buckets.size(); i += buckets.size()> width ? 2 : 1) {
		uint64_t value = buckets[i];

		if (buckets.size() > width && i + 1 < buckets.size())
			value = std::max(value, buckets[i + 1]);
		text += most ? marks[(value * 9 + most - 1) / most] : ' ';
	}
	return text;
}

void Activity::print_depths(fmt::memory_buffer &out) const
{
	auto it = std::back_inserter(out);
	const size_t width = title_width();

	fmt::format_to(it, "\n{:<{}} {:>9} {:>7} {:>9} {:>7}  {}\n",
		       "QUEUE DEPTH", width, "AVG", "MAX", "HW AVG", "HW MAX",
		       "greatest depth over time");
	for (uint32_t id = 0; id < rings_.size(); id++) {
		if (!rings_[id])
			continue;
		const RingActivity &ring = *rings_[id];

		fmt::format_to(it,
			       "{:<{}} {:>9.3f} {:>7} {:>9.3f} {:>7}  |{}|"
			       "{}\n",
			       ring_title(capture_.session(), id), width,
			       ring.average_depth(), ring.max_depth(),
			       ring.average_hardware(), ring.max_hardware(),
			       draw(ring.depth(), ring.max_depth()),
			       losses_.touch(start_, end_) ? " *" : "");
	}
}

void Activity::print_gaps(fmt::memory_buffer &out)
{
	auto it = std::back_inserter(out);

	if (gaps_.empty())
		return;
	std::sort(gaps_.begin(), gaps_.end(), is_worse);
	fmt::format_to(it,
		       "\nThe {} idle gaps that held jobs up longest\n"
		       "{:>11} {:>11} {:>11}  {:<24} {:<26} {:>6}  {}\n",
		       gaps_.size(), "HELD UP", "IDLE", "AT", "RING", "CAUSE",
		       "SHARE", "ENDED BY");
	for (const Listed &listed : gaps_)
		print_gap(out, listed);
}

void Activity::print_gap(fmt::memory_buffer &out, const Listed &listed) const
{
	const Session &session = capture_.session();
	const IdleGap &gap = listed.gap;
	RingState cause = gap.cause();
	uint64_t idle = gap.to - gap.from;

	fmt::format_to(
		std::back_inserter(out),
		"{} {} {}  {:<24} {:<26} {:>5.1f}%  {}{}\n",
		duration_text(gap.held_up()), duration_text(idle),
		duration_text(Job::between(session.start_ts, gap.from)),
		ring_title(session, listed.ring), ring_state_name(cause),
		percent(gap.times[static_cast<size_t>(cause)], idle),
		listed.ended_by.empty() ? "the end of the capture" :
					  listed.ended_by,
		losses_.touch(gap.from, gap.to) ? " *" : "");
}

void Activity::print(fmt::memory_buffer &out)
{
	print_rings(out);
	print_devices(out);
	print_depths(out);
	print_gaps(out);
}

} // namespace grtrace
