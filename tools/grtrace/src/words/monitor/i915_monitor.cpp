// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/i915_monitor.h"

namespace grtrace {

namespace {

enum Probe : size_t {
	probe_create,
	probe_destroy,
	probe_bind,
	probe_unbind,
	probe_fault,
	probe_shrink,
	probe_evict,
};

enum Column : size_t {
	column_created,
	column_bytes,
	column_destroyed,
	column_bytes_destroyed,
	column_binds,
	column_bytes_bound,
	column_unbinds,
	column_faults,
};

const ProbeSpec specs[] = {
	{"i915", "i915_gem_object_create", {"obj", "size"}, "objects that are made"},
	{"i915",
	 "i915_gem_object_destroy",
	 {"obj"},
	 "objects that are destroyed: all look left behind"},
	{"i915", "i915_vma_bind", {"obj", "size"}, "binds"},
	{"i915", "i915_vma_unbind", {"obj", "size"}, "unbinds"},
	{"i915", "i915_gem_object_fault", {"obj"}, "faults"},
	{"i915", "i915_gem_shrink", {"target"}, "the shrinker"},
	{"i915", "i915_gem_evict", {"size"}, "evictions"},
};

constexpr size_t most_objects = 1 << 20;

} // namespace

I915Monitor::I915Monitor(const MonitorFilter &filter)
	: filter_(filter), processes_({"created", "bytes", "destroyed", "bytes_destroyed", "binds",
				       "bytes_bound", "unbinds", "faults"})
{
}

std::span<const ProbeSpec> I915Monitor::probes()
{
	return specs;
}

bool I915Monitor::take(const MonitorEvent &event, EventDetails *details)
{
	const uint64_t object = event.number(0);
	uint64_t size = event.number(1);
	uint32_t pid = event.pid;

	// The kernel does these for all.
	if (event.probe == probe_shrink) {
		pressure_.add(&Pressure::shrinks);
		pressure_.add(&Pressure::pages, event.number(0));
		return true;
	}
	if (event.probe == probe_evict) {
		pressure_.add(&Pressure::evictions);
		return true;
	}
	// The last user of an object may be a worker: it is its maker's.
	if (event.probe == probe_destroy) {
		const auto found = objects_.find(object);

		if (found == objects_.end())
			return false;
		pid = found->second.pid;
		size = found->second.size;
		objects_.erase(found);
		processes_.add(filter_, pid, column_destroyed);
		processes_.add(filter_, pid, column_bytes_destroyed, size);
	} else if (!filter_.wants_task(pid)) {
		return false;
	} else if (event.probe == probe_create) {
		if (objects_.size() < most_objects)
			objects_[object] = {pid, size};
		processes_.add(filter_, pid, column_created);
		processes_.add(filter_, pid, column_bytes, size);
	} else if (event.probe == probe_bind) {
		processes_.add(filter_, pid, column_binds);
		processes_.add(filter_, pid, column_bytes_bound, size);
	} else {
		processes_.add(filter_, pid,
			       event.probe == probe_unbind ? column_unbinds : column_faults);
	}
	if (details) {
		details->emplace_back("obj", fmt::format("{:#x}", object));
		if (event.probe != probe_fault)
			details->emplace_back("size", size);
	}
	return true;
}

// What was made since the start and is still there, by who has made it.
MonitorTable I915Monitor::left() const
{
	std::map<uint32_t, std::pair<uint64_t, uint64_t>> left;
	MonitorTable table = {"left", {"pid", "comm", "objects", "bytes"}, {}};

	for (const auto &[address, object] : objects_) {
		auto &of = left[filter_.process_of(object.pid)];

		of.first++;
		of.second += object.size;
	}
	for (const auto &[pid, of] : left)
		table.rows.push_back({pid, filter_.name_of(pid), of.first, of.second});
	return table;
}

std::vector<MonitorTable> I915Monitor::tables(double, bool all) const
{
	const Pressure &pressure = pressure_.of(all);
	std::vector<MonitorTable> tables = {
		processes_.table(all),
		{"pressure",
		 {"shrinks", "pages_wanted", "evictions"},
		 {{pressure.shrinks, pressure.pages, pressure.evictions}}}};

	if (all)
		tables.push_back(left());
	return tables;
}

void I915Monitor::next_interval()
{
	processes_.next_interval();
	pressure_.now = {};
}

} // namespace grtrace
