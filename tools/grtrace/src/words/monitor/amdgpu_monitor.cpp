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
	rings_[ring].add(&Ring::submitted);
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
	rings_[ring].add(&Ring::run);
	rings_[ring].add(&Ring::wait, wait);
	if (details)
		*details = {{"ring", ring}, {"wait_us", static_cast<double>(wait) / 1000}};
	return true;
}

bool AmdgpuMonitor::memory(const std::string &what, uint64_t bytes, EventDetails *details)
{
	memory_[what].add(&Bytes::count);
	memory_[what].add(&Bytes::bytes, bytes);
	if (details)
		*details = {{"what", what}, {"bytes", bytes}};
	return true;
}

bool AmdgpuMonitor::interrupt(const MonitorEvent &event, EventDetails *details)
{
	interrupts_[{event.number(0), event.number(1)}].add(&Interrupts::count);
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
		rings_[std::string(event.text(0))].add(&Ring::flushes);
		if (details)
			details->emplace_back("ring", event.text(0));
		return true;
	}
	return false;
}

std::vector<MonitorTable> AmdgpuMonitor::tables(double seconds, bool all) const
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

	for (const auto &[name, tally] : rings_) {
		const Ring &ring = tally.of(all);

		rings.rows.push_back({name, ring.submitted, rate(ring.submitted), ring.run,
				      MonitorCell::us(ring.wait, ring.wait.average()),
				      MonitorCell::us(ring.wait, ring.wait.percentile(990)),
				      MonitorCell::us(ring.wait, ring.wait.max()), ring.flushes});
	}
	for (const auto &[what, tally] : memory_) {
		const Bytes &made = tally.of(all);

		memory.rows.push_back({what, made.count, made.bytes, rate(made.bytes)});
	}
	for (const auto &[source, tally] : interrupts_) {
		const uint64_t count = tally.of(all).count;

		interrupts.rows.push_back({source.first, source.second, count, rate(count)});
	}
	return {rings, memory, interrupts};
}

void AmdgpuMonitor::next_interval()
{
	for (auto &[name, tally] : rings_)
		tally.now = {};
	for (auto &[what, tally] : memory_)
		tally.now = {};
	for (auto &[source, tally] : interrupts_)
		tally.now = {};
}

} // namespace grtrace
