// SPDX-License-Identifier: GPL-2.0
//
// The monitors there are: one row each.
#include "words/monitor/monitor.h"

#include "words/monitor/amdgpu_monitor.h"
#include "words/monitor/i915_monitor.h"
#include "words/monitor/nvidia_monitor.h"
#include "words/monitor/nvidia_sched_monitor.h"
#include "words/monitor/sched_monitor.h"
#include "words/monitor/vblank_monitor.h"

namespace grtrace {

namespace {

template <typename Kind> std::unique_ptr<Monitor> make(const MonitorFilter &filter)
{
	return std::make_unique<Kind>(filter);
}

const MonitorKind kinds[] = {
	{"sched", "jobs of the DRM scheduler: rings, queues, latencies", "",
	 "load a driver that uses the DRM scheduler (gpu-sched) first", true,
	 SchedMonitor::probes(), make<SchedMonitor>},
	{"vblank", "vertical blanks: refresh rate, missed ones, programs that wait", "",
	 "load the driver of a display (drm) first", false, VblankMonitor::probes(),
	 make<VblankMonitor>},
	{"amdgpu", "amdgpu: submissions, memory moved, interrupts", "", "load amdgpu first", true,
	 AmdgpuMonitor::probes(), make<AmdgpuMonitor>},
	{"i915", "i915: objects created, bound and left behind, by process", "", "load i915 first",
	 false, I915Monitor::probes(), make<I915Monitor>},
	{"nvidia", "nvidia.ko: its entry points by process, Xid errors", "control plane",
	 "load nvidia.ko first; what it runs on the GPU is not seen by any probe", false,
	 NvidiaMonitor::probes(), make<NvidiaMonitor>},
	{"nvidia-sched", "nvidia.ko with gpu_ext's hooks: the life of TSGs", "control plane",
	 "it needs an nvidia.ko that is built with gpu_ext's hooks (nv_gpu_sched_*)", false,
	 NvidiaSchedMonitor::probes(), make<NvidiaSchedMonitor>},
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
