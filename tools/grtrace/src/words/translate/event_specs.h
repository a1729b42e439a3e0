// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <span>
#include <vector>

// The kernel's own trace events that records are made from, and their fields, which are
// found by name because offsets differ between kernels.
namespace grtrace {

// The meaning of an event for the translator.
enum class TraceKind {
	sched_queue,
	sched_dep,
	sched_blocked,
	sched_run,
	sched_done,
	old_queue, // until 6.16: jobs are identified by the addresses of their fences
	old_wait,
	old_run,
	old_done,
	fence_init,
	fence_emit,
	fence_signaled,
	fence_wait_start,
	fence_wait_end,
	any_wait_start, // this one and the next four only in kernels with our patches
	any_wait_end,
	syncobj_wait_start,
	syncobj_wait_end,
	wedged,
	virtio_queue,
	virtio_response,
	i915_add,
	i915_execute,
	i915_out,
	i915_wait_begin,
	i915_wait_end,
	amdgpu_ioctl,
	amdgpu_address_ioctl, // of the first kernels
	amdgpu_run,
	amdgpu_userq_fence,
	amdgpu_userq_begins,
	amdgpu_userq_state,
	amdgpu_userq_ends,
	amdgpu_userq_gone,
	vblank,
	task_switch,
	task_wakeup,
	sched_commit, // only in files of kernels with our patches
	// Only in files: drivers whose jobs pass the scheduler.
	v3d_cl_run,
	v3d_cl_queue,
	v3d_tfu_run,
	v3d_csd_run,
	v3d_bin_done,
	v3d_render_done,
	v3d_tfu_done,
	v3d_csd_done,
	msm_queue,
	msm_run,
	msm_done,
	xe_queue,
	xe_run,
	xe_done,
	xe_enable,
	xe_disable,
	xe_timedout,
	xe_set_error,
	xe_memory_error,
	xe_reset,
	xe_resubmit,
	lima_queue,
	lima_run,
	count
};

// The meaning of a field for the translator, regardless of its name in an
// event.
enum class Field {
	ring,
	device,
	ctx,
	seqno,
	fence_ctx, // of a fence that is not the job's
	fence_seqno,
	address, // address of the job's fence
	entity,
	id, // number of the job on its ring
	client,
	driver,
	timeline,
	type,
	flags,
	engine_class,
	instance,
	completed,
	crtc,
	pid,
	next_pid,
	state,
	result,
	method,
	comm,
	ticks, // of the device's counter
	end_ticks,
	duration, // ns, as the device measured it
	count
};

// The kinds of recordings that want the event.
enum class TraceGroup { always, sched, vblank };

struct TraceGroups {
	bool sched = false;
	bool vblank = false;

	bool has(TraceGroup group) const;
};

struct FieldSpec {
	Field field;
	const char *name;
	bool needed; // the event is useless without it
};

struct TraceEventSpec {
	TraceKind kind;
	const char *source; // the modules' name for the source
	const char *system;
	const char *name;
	TraceGroup group;
	std::vector<FieldSpec> fields;
};

// Returns all events; a kernel has either the old or the new events of the DRM
// scheduler.
std::span<const TraceEventSpec> trace_event_specs();

} // namespace grtrace
