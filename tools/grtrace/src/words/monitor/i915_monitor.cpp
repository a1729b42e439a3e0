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
	column_mappable,
	column_bytes_unbound,
	column_write_faults,
	column_gtt_faults,
};

enum PressureColumn : size_t { column_shrinks, column_pages_wanted, column_evictions };

enum MemoryField : size_t { memory_object, memory_size, memory_offset, memory_vm, memory_flags };
enum FaultField : size_t { fault_object, fault_index, fault_gtt, fault_write };
enum ShrinkField : size_t { shrink_target, shrink_flags, shrink_device };
enum EvictField : size_t { evict_size, evict_align, evict_vm, evict_flags, evict_device };

const ProbeSpec specs[] = {
	{"i915", "i915_gem_object_create", {"obj", "size"}, "objects that are created"},
	{"i915",
	 "i915_gem_object_destroy",
	 {"obj"},
	 "objects that are destroyed, so all seem to be left behind"},
	{"i915", "i915_vma_bind", {"obj", "size", "offset", "vm", "flags"}, "binds"},
	{"i915", "i915_vma_unbind", {"obj", "size", "offset", "vm"}, "unbinds"},
	{"i915", "i915_gem_object_fault", {"obj", "index", "gtt", "write"}, "faults"},
	{"i915", "i915_gem_shrink", {"target", "flags", "dev"}, "the shrinker"},
	{"i915", "i915_gem_evict", {"size", "align", "vm", "flags", "dev"}, "evictions"},
};

constexpr size_t most_objects = 1 << 20;

// PIN_MAPPABLE of i915_gem_gtt.h: the object must be inside the CPU's window.
constexpr uint64_t pin_mappable = 1 << 3;

std::string hex(uint64_t number)
{
	return fmt::format("{:#x}", number);
}

const char *yes_or_no(bool is)
{
	return is ? "yes" : "no";
}

} // namespace

I915Monitor::I915Monitor(const MonitorFilter &filter)
	: filter_(filter),
	  processes_("processes", {"created", "bytes", "destroyed", "bytes_destroyed", "binds",
				   "bytes_bound", "unbinds", "faults", "mappable", "bytes_unbound",
				   "write_faults", "gtt_faults"}),
	  pressure_("pressure", {"shrinks", "pages_wanted", "evictions"})
{
}

std::span<const ProbeSpec> I915Monitor::probes()
{
	return specs;
}

void I915Monitor::create(const MonitorEvent &event)
{
	const uint64_t size = event.number(memory_size);

	if (objects_.size() < most_objects)
		objects_[event.number(memory_object)] = {event.pid, size};
	processes_.add(filter_, event.pid, column_created);
	processes_.add(filter_, event.pid, column_bytes, size);
}

// A worker may be the last user of an object, so the object counts for the process that
// created it.
bool I915Monitor::destroy(const MonitorEvent &event, EventDetails *details)
{
	const auto found = objects_.find(event.number(memory_object));

	if (found == objects_.end())
		return false;
	const Object object = found->second;
	objects_.erase(found);
	if (!filter_.wants_task(object.pid))
		return false;
	processes_.add(filter_, object.pid, column_destroyed);
	processes_.add(filter_, object.pid, column_bytes_destroyed, object.size);
	if (details)
		*details = {{"obj", hex(event.number(memory_object))}, {"size", object.size}};
	return true;
}

void I915Monitor::bind(const MonitorEvent &event, EventDetails *details)
{
	const bool is_bind = event.probe == probe_bind;
	const bool mappable = event.number(memory_flags) & pin_mappable;

	processes_.add(filter_, event.pid, is_bind ? column_binds : column_unbinds);
	processes_.add(filter_, event.pid, is_bind ? column_bytes_bound : column_bytes_unbound,
		       event.number(memory_size));
	if (mappable)
		processes_.add(filter_, event.pid, column_mappable);
	if (!details)
		return;
	details->emplace_back("offset", hex(event.number(memory_offset)));
	details->emplace_back("vm", hex(event.number(memory_vm)));
	if (is_bind)
		details->emplace_back("mappable", yes_or_no(mappable));
}

void I915Monitor::fault(const MonitorEvent &event, EventDetails *details)
{
	const bool write = event.number(fault_write), gtt = event.number(fault_gtt);

	processes_.add(filter_, event.pid, column_faults);
	if (write)
		processes_.add(filter_, event.pid, column_write_faults);
	if (gtt)
		processes_.add(filter_, event.pid, column_gtt_faults);
	if (!details)
		return;
	details->emplace_back("index", event.number(fault_index));
	details->emplace_back("map", gtt ? "gtt" : "cpu");
	details->emplace_back("access", write ? "write" : "read");
}

// Objects of all processes are reclaimed for one task, so each counts for that task.
void I915Monitor::shrink(const MonitorEvent &event, EventDetails *details)
{
	pressure_.add(filter_, event.pid, column_shrinks);
	pressure_.add(filter_, event.pid, column_pages_wanted, event.number(shrink_target));
	if (details)
		*details = {{"dev", event.number(shrink_device)},
			    {"pages_wanted", event.number(shrink_target)},
			    {"flags", hex(event.number(shrink_flags))}};
}

void I915Monitor::evict(const MonitorEvent &event, EventDetails *details)
{
	pressure_.add(filter_, event.pid, column_evictions);
	if (details)
		*details = {{"dev", event.number(evict_device)},
			    {"vm", hex(event.number(evict_vm))},
			    {"size", event.number(evict_size)},
			    {"align", event.number(evict_align)},
			    {"mappable", yes_or_no(event.number(evict_flags) & pin_mappable)}};
}

bool I915Monitor::take(const MonitorEvent &event, EventDetails *details)
{
	switch (event.probe) {
	case probe_destroy:
		return destroy(event, details);
	case probe_shrink:
		shrink(event, details);
		return true;
	case probe_evict:
		evict(event, details);
		return true;
	}
	if (!filter_.wants_task(event.pid))
		return false;
	if (details) {
		details->emplace_back("obj", hex(event.number(memory_object)));
		if (event.probe != probe_fault)
			details->emplace_back("size", event.number(memory_size));
	}
	if (event.probe == probe_create)
		create(event);
	else if (event.probe == probe_fault)
		fault(event, details);
	else
		bind(event, details);
	return true;
}

// The objects that were created since the start and still exist, by the process that
// created them.
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
	std::vector<MonitorTable> tables = {processes_.table(all), pressure_.table(all)};

	if (all)
		tables.push_back(left());
	return tables;
}

void I915Monitor::next_interval()
{
	processes_.next_interval();
	pressure_.next_interval();
}

} // namespace grtrace
