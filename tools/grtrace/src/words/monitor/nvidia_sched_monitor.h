// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/process_table.h"

namespace grtrace {

// Counts the life of TSGs (channel groups), if nvidia.ko has the hooks of gpu_ext.
class NvidiaSchedMonitor : public Monitor {
public:
	explicit NvidiaSchedMonitor(const MonitorFilter &filter);

	bool take(const MonitorEvent &event, EventDetails *details) override;
	static std::span<const ProbeSpec> probes();

private:
	struct Counts {
		uint64_t made = 0;
		uint64_t scheduled = 0;
		uint64_t tokens = 0;
		uint64_t destroyed = 0;
	};

	std::vector<MonitorTable> tables(double, bool all) const override;
	void next_interval() override;

	const MonitorFilter &filter_;
	ProcessTable processes_;
	Tally<Counts> counts_;
};

} // namespace grtrace
