// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/process_table.h"

namespace grtrace {

// The parts of nvidia.ko that a probe can see: its entry points by process, interrupts, and
// Xid errors. It sees the control plane, and no job of the GPU.
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
	};

	std::vector<MonitorTable> tables(double seconds, bool all) const override;
	void next_interval() override;

	const MonitorFilter &filter_;
	ProcessTable processes_;
	Tally<Interrupts> interrupts_;
	std::map<std::pair<std::string, uint64_t>, Errors> errors_; // device, Xid
};

// The life of TSGs (channel groups), where nvidia.ko has the hooks of gpu_ext.
class NvidiaSchedMonitor : public Monitor {
public:
	explicit NvidiaSchedMonitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	std::vector<MonitorTable> tables(double, bool all) const override
	{
		return {processes_.table(all)};
	}
	void next_interval() override { processes_.next_interval(); }

	const MonitorFilter &filter_;
	ProcessTable processes_;
};

} // namespace grtrace
