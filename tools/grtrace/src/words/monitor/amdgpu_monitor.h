// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/process_table.h"

#include <map>

namespace grtrace {

// Counts amdgpu's own events: for each ring, command submissions and the time until they
// run; memory that is allocated and moved, and its location; interrupts by source and
// address space; and the processes that submit, allocate and move. Memory grows with
// rings, interrupt sources, processes and submissions that have not run.
class AmdgpuMonitor : public Monitor {
public:
	explicit AmdgpuMonitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Ring {
		uint64_t submitted = 0;
		uint64_t ibs = 0; // command buffers of the submissions
		uint64_t run = 0;
		uint64_t flushes = 0;
		Histogram wait; // from submission to run
	};
	struct Bytes {
		uint64_t count = 0;
		uint64_t bytes = 0;
	};
	struct Placed {
		uint64_t count = 0;
		uint64_t bytes = 0;
		uint64_t cpu_access = 0; // that must be accessible to the CPU
	};
	struct Place { // and the domains that the program asked for
		uint64_t placement;
		uint64_t preferred;
		uint64_t allowed;

		auto operator<=>(const Place &) const = default;
	};
	struct Interrupts {
		uint64_t count = 0;
	};
	struct Source {
		uint64_t client;
		uint64_t source;
		uint64_t vmid;
		uint64_t pasid;

		auto operator<=>(const Source &) const = default;
	};
	using Fence = std::pair<uint64_t, uint64_t>;

	bool submit(const MonitorEvent &event, EventDetails *details);
	bool run(const MonitorEvent &event, EventDetails *details);
	bool create(const MonitorEvent &event, EventDetails *details);
	bool move(const MonitorEvent &event, EventDetails *details);
	void memory(const std::string &what, uint64_t bytes, EventDetails *details);
	bool interrupt(const MonitorEvent &event, EventDetails *details);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	MonitorTable rings(double seconds, bool all) const;
	MonitorTable buffers(bool all) const;
	MonitorTable interrupts(double seconds, bool all) const;
	void next_interval() override;

	const MonitorFilter &filter_;
	ProcessTable processes_;
	std::map<std::string, Tally<Ring>> rings_;
	std::map<std::string, Tally<Bytes>> memory_; // by operation
	std::map<Place, Tally<Placed>> buffers_;
	std::map<Source, Tally<Interrupts>> interrupts_;
	std::map<Fence, uint64_t> waiting_; // since when
};

} // namespace grtrace
