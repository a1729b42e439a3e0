// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/process_table.h"

#include <optional>

namespace grtrace {

// Counts the parts of nvidia.ko that a probe can see: its entry points by process,
// mappings, faults, interrupts and their handling, memory that other devices can access,
// suspends, and Xid errors. It sees the control plane, but not the jobs of the GPU. Memory
// grows with processes, open files and calls that have not returned.
class NvidiaMonitor : public Monitor {
public:
	explicit NvidiaMonitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Errors {
		uint64_t count = 0;
		std::string last;
	};

	struct Interrupts {
		uint64_t isr = 0;
		uint64_t msix = 0;
		uint64_t bottom_halves = 0;
		Histogram delay; // from the interrupt to the start of its bottom half
		Histogram duration;
	};

	struct Power {
		uint64_t suspends = 0;
		uint64_t resumes = 0;
		Histogram suspend;
		Histogram resume;
	};

	void count(const MonitorEvent &event);
	void follow(const MonitorEvent &event, EventDetails *details);
	bool interrupt(const MonitorEvent &event, EventDetails *details);
	bool power(const MonitorEvent &event, EventDetails *details);
	bool xid(const MonitorEvent &event, EventDetails *details);
	bool call(const MonitorEvent &event, EventDetails *details);
	std::optional<uint64_t> took(const MonitorEvent &event, size_t begin);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	MonitorTable open() const;
	void next_interval() override;

	const MonitorFilter &filter_;
	ProcessTable processes_;
	ProcessTable memory_; // mappings, faults, memory for other devices
	Tally<Interrupts> interrupts_;
	Tally<Power> power_;
	std::unordered_map<uint64_t, uint64_t> interrupt_ts_; // by number; no bottom half yet
	std::map<std::pair<uint32_t, size_t>, uint64_t> begun_; // by thread and probe
	std::unordered_map<uint64_t, uint32_t> files_; // by address: the process that opened it
	std::map<std::pair<std::string, uint64_t>, Errors> errors_; // device, Xid
};

} // namespace grtrace
