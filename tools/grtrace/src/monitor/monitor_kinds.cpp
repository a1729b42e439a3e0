// SPDX-License-Identifier: GPL-2.0
//
// The monitors there are: one row each.
#include "monitor/monitor.h"

#include "monitor/sched_monitor.h"
#include "monitor/vblank_monitor.h"

namespace grtrace {

namespace {

template <typename Kind>
std::unique_ptr<Monitor> make(const MonitorFilter &filter)
{
	return std::make_unique<Kind>(filter);
}

const MonitorKind kinds[] = {
	{"sched", "jobs of the DRM scheduler: rings, queues, latencies", "",
	 "load a driver that uses the DRM scheduler (gpu-sched) first", true,
	 SchedMonitor::probes(), make<SchedMonitor>},
	{"vblank", "vertical blanks: refresh rate, missed, who waits", "",
	 "load the driver of a display (drm) first", false,
	 VblankMonitor::probes(), make<VblankMonitor>},
};

} // namespace

std::span<const MonitorKind> monitor_kinds()
{
	return kinds;
}

const MonitorKind *find_monitor(std::string_view name)
{
	for (const MonitorKind &kind : kinds)
		if (name == kind.name)
			return &kind;
	return nullptr;
}

} // namespace grtrace
