// SPDX-License-Identifier: GPL-2.0
//
// The parts of a monitor. The frame finds the probes, reads events in the order of their
// time, and shows tables; a monitor only counts.
#pragma once

#include "words/monitor/monitor_table.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grtrace {

// A trace event of the kernel, or a kprobe that is made for us.
struct ProbeSpec {
	const char *system;
	const char *event;
	std::vector<const char *> fields; // a monitor uses their numbers
	const char *without; // what cannot be shown without it
	const char *instead = nullptr; // another event with the same facts
	// For a kprobe: the kernel function, and the arguments to keep, by their names in
	// the kernel's BTF. Arguments that the kernel does not have are left out.
	const char *function = nullptr;
	const char *arguments = nullptr;
	bool at_return = false;
};

// The places of the fields in an event of this kernel.
class EventFields {
public:
	virtual ~EventFields() = default;

	virtual bool has(size_t field) const = 0;
	virtual uint64_t number(size_t field) const = 0;
	virtual std::string_view text(size_t field) const = 0;
};

struct MonitorEvent {
	uint64_t ts = 0;
	uint32_t cpu = 0;
	uint32_t pid = 0;
	size_t probe = 0; // index of its ProbeSpec
	const EventFields *fields = nullptr;

	bool has(size_t field) const { return fields->has(field); }
	uint64_t number(size_t field) const { return fields->number(field); }
	std::string_view text(size_t field) const { return fields->text(field); }
};

// The text that follows time, CPU, event, pid and comm on an event's own line.
using EventDetails = std::vector<std::pair<const char *, MonitorCell>>;

// The user's choice of events. Only the frame knows the processes of tasks.
class MonitorFilter {
public:
	virtual ~MonitorFilter() = default;

	virtual bool wants_task(uint32_t pid) const = 0;
	virtual bool wants_ring(std::string_view name) const = 0;
	// Return the process of a thread, if it is known, and the name of that process.
	virtual uint32_t process_of(uint32_t pid) const = 0;
	virtual std::string name_of(uint32_t pid) const = 0;
	// Returns the name of a thread's process. If the process has ended and none of its
	// own events was recorded, returns the thread's name.
	std::string process_name(uint32_t pid) const
	{
		const std::string name = name_of(process_of(pid));

		return name == "?" ? name_of(pid) : name;
	}
};

class Monitor {
public:
	virtual ~Monitor() = default;

	// Returns false if the event is not wanted. details is nullptr if events have no
	// line of their own.
	virtual bool take(const MonitorEvent &event, EventDetails *details) = 0;

	// Return the tables for the time since the last request, and for all time.
	std::vector<MonitorTable> interval(double seconds)
	{
		std::vector<MonitorTable> shown = tables(seconds, false);

		next_interval();
		return shown;
	}
	std::vector<MonitorTable> summary(double seconds) const { return tables(seconds, true); }
	// lost: events that were lost since the start.
	void set_lost(uint64_t lost) { lost_ = lost; }

protected:
	uint64_t lost() const { return lost_; }

private:
	// all: since the start; false: for the interval.
	virtual std::vector<MonitorTable> tables(double seconds, bool all) const = 0;
	virtual void next_interval() = 0;

	uint64_t lost_ = 0;
};

// Counts of an interval, and since the start.
template <typename Counts> struct Tally {
	Counts now;
	Counts all;

	void add(uint64_t Counts::*count, uint64_t much = 1)
	{
		now.*count += much;
		all.*count += much;
	}
	void raise(uint64_t Counts::*most, uint64_t to)
	{
		now.*most = std::max(now.*most, to);
		all.*most = std::max(all.*most, to);
	}
	void add(Histogram Counts::*times, uint64_t ns)
	{
		(now.*times).add(ns);
		(all.*times).add(ns);
	}
	const Counts &of(bool whole) const { return whole ? all : now; }
};

struct MonitorKind {
	const char *name;
	const char *about;
	const char *label; // printed in front of all its output; "": none
	const char *load; // what to load if no probe exists
	bool has_rings;
	std::span<const ProbeSpec> probes;
	std::unique_ptr<Monitor> (*make)(const MonitorFilter &filter);
};

// Returns all monitors in the order of --help.
std::span<const MonitorKind> monitor_kinds();
const MonitorKind *find_monitor(std::string_view name);

} // namespace grtrace
