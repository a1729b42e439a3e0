// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"

#include <map>

namespace grtrace {

// amdgpu's own events: command submissions until they run, by ring; memory that
// is made and moved; interrupts by source. Memory grows with rings, interrupt
// sources and submissions that have not run.
class AmdgpuMonitor : public Monitor {
public:
	explicit AmdgpuMonitor(const MonitorFilter &filter) : filter_(filter) {}

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Ring {
		uint64_t submitted = 0;
		uint64_t run = 0;
		uint64_t flushes = 0;
		Histogram wait; // submitted to run
	};
	struct Bytes {
		uint64_t count = 0;
		uint64_t bytes = 0;
	};
	struct Interrupts {
		uint64_t count = 0;
	};
	using Fence = std::pair<uint64_t, uint64_t>;

	bool submit(const MonitorEvent &event, EventDetails *details);
	bool run(const MonitorEvent &event, EventDetails *details);
	bool memory(const std::string &what, uint64_t bytes, EventDetails *details);
	bool interrupt(const MonitorEvent &event, EventDetails *details);
	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	void next_interval() override;

	const MonitorFilter &filter_;
	std::map<std::string, Tally<Ring>> rings_;
	std::map<std::string, Tally<Bytes>> memory_; // by what was done
	std::map<std::pair<uint64_t, uint64_t>, Tally<Interrupts>> interrupts_; // client, source
	std::map<Fence, uint64_t> waiting_; // since
};

} // namespace grtrace
