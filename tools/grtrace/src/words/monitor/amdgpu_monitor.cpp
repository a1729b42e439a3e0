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

enum JobField : size_t { job_ring, job_ctx, job_seqno, job_ibs };
enum CreateField : size_t {
	create_pages,
	create_place,
	create_preferred,
	create_allowed,
	create_flags,
};
enum MoveField : size_t { move_size, move_to, move_from };
enum InterruptField : size_t { iv_client, iv_source, iv_ring, iv_vmid, iv_pasid };

enum Column : size_t {
	column_cs,
	column_ibs,
	column_buffers,
	column_bytes,
	column_moves,
	column_bytes_moved,
};

const ProbeSpec specs[] = {
	{"amdgpu", "amdgpu_cs_ioctl", {"ring", "context", "seqno", "num_ibs"}, "submissions"},
	{"amdgpu", "amdgpu_sched_run_job", {"ring", "context", "seqno"}, "when submissions run"},
	{"amdgpu",
	 "amdgpu_bo_create",
	 {"pages", "type", "prefer", "allow", "visible"},
	 "buffers that are made"},
	{"amdgpu",
	 "amdgpu_bo_move",
	 {"bo_size", "new_placement", "old_placement"},
	 "buffers that are moved"},
	{"amdgpu", "amdgpu_iv", {"client_id", "src_id", "ring_id", "vmid", "pasid"}, "interrupts"},
	{"amdgpu", "amdgpu_vm_flush", {"ring"}, "flushes of address spaces"},
};

constexpr size_t most_waiting = 65536;

// Address spaces come and go with processes: beyond this number they share one row.
constexpr size_t most_sources = 4096;

// AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED of amdgpu_drm.h; the event calls the flags
// "visible".
constexpr uint64_t needs_cpu_access = 1;

// TTM_PL_* of ttm_placement.h and after them AMDGPU_PL_* of amdgpu_ttm.h, each with its
// AMDGPU_GEM_DOMAIN_* of amdgpu_drm.h.
constexpr struct {
	const char *name;
	uint64_t domain;
} places[] = {
	{"system", 0x1}, {"gtt", 0x2},     {"vram", 0x4},      {"gds", 0x8},         {"gws", 0x10},
	{"oa", 0x20},    {"preempt", 0x2}, {"doorbell", 0x40}, {"mmio_remap", 0x80},
};

std::string placement(uint64_t number)
{
	if (number < std::size(places))
		return places[number].name;
	return fmt::format("place{}", number);
}

// Returns "vram+gtt" for a mask of domains; a domain without a name is a number.
std::string domains(uint64_t mask)
{
	static constexpr const char *names[] = {"cpu", "gtt", "vram",     "gds",
						"gws", "oa",  "doorbell", "mmio_remap"};
	std::string text;

	for (size_t i = 0; i < std::size(names); i++)
		if (mask >> i & 1)
			text += (text.empty() ? "" : "+") + std::string(names[i]);
	if (const uint64_t rest = mask >> std::size(names) << std::size(names))
		text += fmt::format("{}{:#x}", text.empty() ? "" : "+", rest);
	return text.empty() ? "none" : text;
}

double rate(uint64_t count, double seconds)
{
	return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

} // namespace

AmdgpuMonitor::AmdgpuMonitor(const MonitorFilter &filter)
	: filter_(filter),
	  processes_("processes", {"cs", "ibs", "buffers", "bytes", "moves", "bytes_moved"})
{
}

std::span<const ProbeSpec> AmdgpuMonitor::probes()
{
	return specs;
}

bool AmdgpuMonitor::submit(const MonitorEvent &event, EventDetails *details)
{
	const std::string ring(event.text(job_ring));
	const uint64_t ctx = event.number(job_ctx), seqno = event.number(job_seqno);

	if (!filter_.wants_task(event.pid) || !filter_.wants_ring(ring))
		return false;
	if (waiting_.size() >= most_waiting)
		waiting_.erase(waiting_.begin());
	waiting_[{ctx, seqno}] = event.ts;
	rings_[ring].add(&Ring::submitted);
	rings_[ring].add(&Ring::ibs, event.number(job_ibs));
	processes_.add(filter_, event.pid, column_cs);
	processes_.add(filter_, event.pid, column_ibs, event.number(job_ibs));
	if (details)
		*details = {{"ring", ring},
			    {"fence", fmt::format("{}:{}", ctx, seqno)},
			    {"ibs", event.number(job_ibs)}};
	return true;
}

bool AmdgpuMonitor::run(const MonitorEvent &event, EventDetails *details)
{
	const std::string ring(event.text(job_ring));
	const auto found = waiting_.find({event.number(job_ctx), event.number(job_seqno)});

	// The kernel submits its own jobs without an ioctl.
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

void AmdgpuMonitor::memory(const std::string &what, uint64_t bytes, EventDetails *details)
{
	memory_[what].add(&Bytes::count);
	memory_[what].add(&Bytes::bytes, bytes);
	if (details)
		*details = {{"what", what}, {"bytes", bytes}};
}

bool AmdgpuMonitor::create(const MonitorEvent &event, EventDetails *details)
{
	static const uint64_t page = static_cast<uint64_t>(getpagesize());
	const uint64_t bytes = event.number(create_pages) * page;
	const bool cpu_access = event.number(create_flags) & needs_cpu_access;
	const Place place = {event.number(create_place), event.number(create_preferred),
			     event.number(create_allowed)};

	if (!filter_.wants_task(event.pid))
		return false;
	Tally<Placed> &buffers = buffers_[place];
	memory("create", bytes, details);
	buffers.add(&Placed::count);
	buffers.add(&Placed::bytes, bytes);
	if (cpu_access)
		buffers.add(&Placed::cpu_access);
	processes_.add(filter_, event.pid, column_buffers);
	processes_.add(filter_, event.pid, column_bytes, bytes);
	if (!details)
		return true;
	details->emplace_back("placed", placement(place.placement));
	details->emplace_back("preferred", domains(place.preferred));
	details->emplace_back("allowed", domains(place.allowed));
	details->emplace_back("cpu_access", cpu_access ? "yes" : "no");
	return true;
}

bool AmdgpuMonitor::move(const MonitorEvent &event, EventDetails *details)
{
	const uint64_t bytes = event.number(move_size);

	if (!filter_.wants_task(event.pid))
		return false;
	memory(fmt::format("{} to {}", placement(event.number(move_from)),
			   placement(event.number(move_to))),
	       bytes, details);
	processes_.add(filter_, event.pid, column_moves);
	processes_.add(filter_, event.pid, column_bytes_moved, bytes);
	return true;
}

bool AmdgpuMonitor::interrupt(const MonitorEvent &event, EventDetails *details)
{
	Source source = {event.number(iv_client), event.number(iv_source), event.number(iv_vmid),
			 event.number(iv_pasid)};

	if (interrupts_.size() >= most_sources && !interrupts_.contains(source))
		source.vmid = source.pasid = UINT64_MAX;
	interrupts_[source].add(&Interrupts::count);
	if (details)
		*details = {{"client", event.number(iv_client)},
			    {"source", event.number(iv_source)},
			    {"ring", event.number(iv_ring)},
			    {"vmid", event.number(iv_vmid)},
			    {"pasid", event.number(iv_pasid)}};
	return true;
}

bool AmdgpuMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	switch (event.probe) {
	case probe_submit:
		return submit(event, details);
	case probe_run:
		return run(event, details);
	case probe_create:
		return create(event, details);
	case probe_move:
		return move(event, details);
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

MonitorTable AmdgpuMonitor::rings(double seconds, bool all) const
{
	MonitorTable table = {"rings",
			      {"ring", "cs", "cs_s", "run", "wait_avg_us", "wait_p99_us",
			       "wait_max_us", "vm_flushes", "ibs"},
			      {}};

	for (const auto &[name, tally] : rings_) {
		const Ring &ring = tally.of(all);

		table.rows.push_back({name, ring.submitted, rate(ring.submitted, seconds), ring.run,
				      MonitorCell::us(ring.wait, ring.wait.average()),
				      MonitorCell::us(ring.wait, ring.wait.percentile(990)),
				      MonitorCell::us(ring.wait, ring.wait.max()), ring.flushes,
				      ring.ibs});
	}
	return table;
}

// Displaced memory is of a kind that was not preferred, because no preferred memory was
// left.
MonitorTable AmdgpuMonitor::buffers(bool all) const
{
	MonitorTable table = {
		"buffers",
		{"placed", "preferred", "allowed", "buffers", "bytes", "cpu_access", "displaced"},
		{}};

	for (const auto &[place, tally] : buffers_) {
		const Placed &placed = tally.of(all);
		MonitorCell displaced;

		if (place.placement < std::size(places))
			displaced = places[place.placement].domain & place.preferred ? uint64_t(0) :
										       placed.count;
		table.rows.push_back({placement(place.placement), domains(place.preferred),
				      domains(place.allowed), placed.count, placed.bytes,
				      placed.cpu_access, displaced});
	}
	return table;
}

MonitorTable AmdgpuMonitor::interrupts(double seconds, bool all) const
{
	MonitorTable table = {
		"interrupts", {"client", "source", "count", "count_s", "vmid", "pasid"}, {}};
	auto known = [](uint64_t id) { return id == UINT64_MAX ? MonitorCell() : MonitorCell(id); };

	for (const auto &[source, tally] : interrupts_) {
		const uint64_t count = tally.of(all).count;

		table.rows.push_back({source.client, source.source, count, rate(count, seconds),
				      known(source.vmid), known(source.pasid)});
	}
	return table;
}

std::vector<MonitorTable> AmdgpuMonitor::tables(double seconds, bool all) const
{
	MonitorTable memory = {"memory", {"what", "buffers", "bytes", "bytes_s"}, {}};

	for (const auto &[what, tally] : memory_) {
		const Bytes &made = tally.of(all);

		memory.rows.push_back({what, made.count, made.bytes, rate(made.bytes, seconds)});
	}
	return {rings(seconds, all), memory, buffers(all), interrupts(seconds, all),
		processes_.table(all)};
}

void AmdgpuMonitor::next_interval()
{
	for (auto &[name, tally] : rings_)
		tally.now = {};
	for (auto &[what, tally] : memory_)
		tally.now = {};
	for (auto &[place, tally] : buffers_)
		tally.now = {};
	for (auto &[source, tally] : interrupts_)
		tally.now = {};
	processes_.next_interval();
}

} // namespace grtrace
