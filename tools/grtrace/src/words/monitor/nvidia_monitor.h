// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/process_table.h"

namespace grtrace {

// What nvidia.ko lets a probe see: its entry points by process, interrupts, and
// Xid errors. No job of the GPU is among it: the control plane.
class NvidiaMonitor : public Monitor {
public:
	explicit NvidiaMonitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	std::vector<MonitorTable> interval(double seconds) override;
	std::vector<MonitorTable> summary(double seconds) const override;

	static std::span<const ProbeSpec> probes();

private:
	struct Errors {
		uint64_t count = 0;
		std::string last;
	};

	std::vector<MonitorTable> tables(bool all) const;

	const MonitorFilter &filter_;
	ProcessTable processes_;
	uint64_t interrupts_ = 0;
	uint64_t all_interrupts_ = 0;
	std::map<std::pair<std::string, uint64_t>, Errors> errors_; // device, Xid
};

// The life of TSGs (channel groups), where nvidia.ko has the hooks of gpu_ext.
class NvidiaSchedMonitor : public Monitor {
public:
	explicit NvidiaSchedMonitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	std::vector<MonitorTable> interval(double seconds) override;
	std::vector<MonitorTable> summary(double seconds) const override;

	static std::span<const ProbeSpec> probes();

private:
	const MonitorFilter &filter_;
	ProcessTable processes_;
};

} // namespace grtrace
