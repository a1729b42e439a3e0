// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/amdgpu_monitor.h"

#include <unistd.h>

#include <algorithm>

namespace grtrace {

namespace {

enum Probe : size_t {
	probe_submit,
	probe_run,
	probe_create,
	probe_move,
	probe_interrupt,
	probe_flush,
};

enum JobField : size_t { job_ring, job_ctx, job_seqno };
enum MoveField : size_t { move_size, move_to, move_from };

const ProbeSpec specs[] = {
	{"amdgpu", "amdgpu_cs_ioctl", {"ring", "context", "seqno"}, "submissions"},
	{"amdgpu", "amdgpu_sched_run_job", {"ring", "context", "seqno"}, "when submissions run"},
	{"amdgpu", "amdgpu_bo_create", {"pages"}, "buffers that are made"},
	{"amdgpu",
	 "amdgpu_bo_move",
	 {"bo_size", "new_placement", "old_placement"},
	 "buffers that are moved"},
	{"amdgpu", "amdgpu_iv", {"client_id", "src_id"}, "interrupts"},
	{"amdgpu", "amdgpu_vm_flush", {"ring"}, "flushes of address spaces"},
};

constexpr size_t most_waiting = 65536;

// TTM_PL_* of include/drm/ttm/ttm_placement.h; amdgpu's own come behind.
std::string placement(uint64_t number)
{
	static constexpr const char *names[] = {"system", "gtt", "vram"};

	if (number < std::size(names))
		return names[number];
	return fmt::format("place{}", number);
}

} // namespace

std::span<const ProbeSpec> AmdgpuMonitor::probes()
{
	return specs;
}

bool AmdgpuMonitor::submit(const MonitorEvent &event, EventDetails *details)
{
	const std::string ring(event.text(job_ring));

	if (!filter_.wants_task(event.pid) || !filter_.wants_ring(ring))
		return false;
	if (waiting_.size() >= most_waiting)
		waiting_.erase(waiting_.begin());
	waiting_[{event.number(job_ctx), event.number(job_seqno)}] = event.ts;
	now_.rings[ring].submitted++;
	if (details)
		details->emplace_back("ring", ring);
	return true;
}

bool AmdgpuMonitor::run(const MonitorEvent &event, EventDetails *details)
{
	const std::string ring(event.text(job_ring));
	const auto found = waiting_.find({event.number(job_ctx), event.number(job_seqno)});

	// The kernel's own jobs come without an ioctl.
	if (found == waiting_.end())
		return false;
	const uint64_t wait = event.ts - std::min(event.ts, found->second);

	waiting_.erase(found);
	now_.rings[ring].run++;
	now_.rings[ring].wait.add(wait);
	all_.rings[ring].wait.add(wait);
	if (details)
		*details = {{"ring", ring}, {"wait_us", static_cast<double>(wait) / 1000}};
	return true;
}

bool AmdgpuMonitor::memory(const std::string &what, uint64_t bytes, EventDetails *details)
{
	now_.memory[what].count++;
	now_.memory[what].bytes += bytes;
	if (details)
		*details = {{"what", what}, {"bytes", bytes}};
	return true;
}

bool AmdgpuMonitor::interrupt(const MonitorEvent &event, EventDetails *details)
{
	now_.interrupts[{event.number(0), event.number(1)}]++;
	if (details)
		*details = {{"client", event.number(0)}, {"source", event.number(1)}};
	return true;
}

bool AmdgpuMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	static const uint64_t page = static_cast<uint64_t>(getpagesize());

	switch (event.probe) {
	case probe_submit:
		return submit(event, details);
	case probe_run:
		return run(event, details);
	case probe_create:
		return filter_.wants_task(event.pid) &&
		       memory("create", event.number(0) * page, details);
	case probe_move:
		return filter_.wants_task(event.pid) &&
		       memory(fmt::format("{} to {}", placement(event.number(move_from)),
					  placement(event.number(move_to))),
			      event.number(move_size), details);
	case probe_interrupt:
		return interrupt(event, details);
	case probe_flush:
		if (!filter_.wants_ring(event.text(0)))
			return false;
		now_.rings[std::string(event.text(0))].flushes++;
		if (details)
			details->emplace_back("ring", event.text(0));
		return true;
	}
	return false;
}

std::vector<MonitorTable> AmdgpuMonitor::tables(const Counts &counts, double seconds)
{
	auto rate = [seconds](uint64_t count) {
		return seconds > 0 ? static_cast<double>(count) / seconds : 0;
	};
	MonitorTable rings = {"rings",
			      {"ring", "cs", "cs_s", "run", "wait_avg_us", "wait_p99_us",
			       "wait_max_us", "vm_flushes"},
			      {}};
	MonitorTable memory = {"memory", {"what", "buffers", "bytes", "bytes_s"}, {}};
	MonitorTable interrupts = {"interrupts", {"client", "source", "count", "count_s"}, {}};

	for (const auto &[name, ring] : counts.rings)
		rings.rows.push_back({name, ring.submitted, rate(ring.submitted), ring.run,
				      MonitorCell::us(ring.wait, ring.wait.average()),
				      MonitorCell::us(ring.wait, ring.wait.percentile(990)),
				      MonitorCell::us(ring.wait, ring.wait.max()), ring.flushes});
	for (const auto &[what, bytes] : counts.memory)
		memory.rows.push_back({what, bytes.count, bytes.bytes, rate(bytes.bytes)});
	for (const auto &[source, count] : counts.interrupts)
		interrupts.rows.push_back({source.first, source.second, count, rate(count)});
	return {rings, memory, interrupts};
}

std::vector<MonitorTable> AmdgpuMonitor::interval(double seconds)
{
	const std::vector<MonitorTable> shown = tables(now_, seconds);

	for (auto &[name, ring] : now_.rings) {
		Ring &total = all_.rings[name];

		total.submitted += ring.submitted;
		total.run += ring.run;
		total.flushes += ring.flushes;
		ring = {};
	}
	for (auto &[what, bytes] : now_.memory) {
		all_.memory[what].count += bytes.count;
		all_.memory[what].bytes += bytes.bytes;
		bytes = {};
	}
	for (auto &[source, count] : now_.interrupts) {
		all_.interrupts[source] += count;
		count = 0;
	}
	return shown;
}

std::vector<MonitorTable> AmdgpuMonitor::summary(double seconds) const
{
	AmdgpuMonitor copy = *this;

	copy.interval(seconds);
	return tables(copy.all_, seconds);
}

} // namespace grtrace
