// SPDX-License-Identifier: GPL-2.0
#include "words/translate/event_specs.h"

namespace grtrace {

namespace {

constexpr TraceGroup always = TraceGroup::always;

// dma_fence's events are all alike.
const std::vector<FieldSpec> fence_fields = {
	{Field::driver, "driver", true},
	{Field::timeline, "timeline", false},
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
};

const std::vector<FieldSpec> any_end_fields = {
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
	{Field::fence_ctx, "signaled_context", true},
	{Field::fence_seqno, "signaled_seqno", true},
	{Field::result, "ret", true},
};

const std::vector<FieldSpec> syncobj_start_fields = {
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
};

const std::vector<FieldSpec> syncobj_end_fields = {
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
	{Field::result, "ret", true},
};

const std::vector<FieldSpec> wedged_fields = {
	{Field::device, "dev", true},
	{Field::method, "method", true},
	{Field::pid, "pid", true},
	{Field::comm, "comm", true},
};

const std::vector<FieldSpec> job_fields = {
	{Field::ring, "name", true},         {Field::device, "dev", false},
	{Field::ctx, "fence_context", true}, {Field::seqno, "fence_seqno", true},
	{Field::client, "client_id", false},
};

const std::vector<FieldSpec> done_fields = {
	{Field::ctx, "fence_context", true},
	{Field::seqno, "fence_seqno", true},
};

const std::vector<FieldSpec> dep_fields = {
	{Field::ctx, "fence_context", true},
	{Field::seqno, "fence_seqno", true},
	{Field::fence_ctx, "ctx", true},
	{Field::fence_seqno, "seqno", true},
};

const std::vector<FieldSpec> old_job_fields = {
	{Field::ring, "name", true},
	{Field::address, "fence", true},
	{Field::entity, "entity", false},
	{Field::id, "id", false},
};

const std::vector<FieldSpec> old_done_fields = {
	{Field::address, "fence", true},
};

const std::vector<FieldSpec> old_wait_fields = {
	{Field::ring, "name", true},
	{Field::id, "id", true},
	{Field::fence_ctx, "ctx", true},
	{Field::fence_seqno, "seqno", true},
};

const std::vector<FieldSpec> virtio_fields = {
	{Field::device, "dev", true},
	{Field::ring, "name", true},
	{Field::type, "type", true},
	{Field::flags, "flags", false},
	{Field::fence_seqno, "fence_id", false},
	{Field::seqno, "seqno", true},
};

const std::vector<FieldSpec> i915_fields = {
	{Field::device, "dev", true},        {Field::engine_class, "class", true},
	{Field::instance, "instance", true}, {Field::ctx, "ctx", true},
	{Field::seqno, "seqno", true},
};

const std::vector<FieldSpec> i915_out_fields = {
	{Field::device, "dev", true},        {Field::engine_class, "class", true},
	{Field::instance, "instance", true}, {Field::ctx, "ctx", true},
	{Field::seqno, "seqno", true},       {Field::completed, "completed", true},
};

const std::vector<FieldSpec> amdgpu_fields = {
	{Field::ring, "ring", true},
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
};

const std::vector<FieldSpec> userq_fields = {
	{Field::type, "queue_type", true},
	{Field::id, "doorbell_index", true},
};

const std::vector<FieldSpec> userq_fence_fields = {
	{Field::type, "queue_type", true},   {Field::id, "doorbell_index", true},
	{Field::device, "dev", false},       {Field::ctx, "fence_context", true},
	{Field::seqno, "fence_seqno", true},
};

const std::vector<FieldSpec> userq_state_fields = {
	{Field::type, "queue_type", true},
	{Field::id, "doorbell_index", true},
	{Field::state, "to", true},
	{Field::client, "client_id", false},
};

const std::vector<FieldSpec> vblank_fields = {
	{Field::crtc, "crtc", true},
	{Field::seqno, "seq", true},
};

const std::vector<FieldSpec> switch_fields = {
	{Field::pid, "prev_pid", true},
	{Field::state, "prev_state", true},
	{Field::next_pid, "next_pid", true},
};

const std::vector<FieldSpec> wakeup_fields = {
	{Field::pid, "pid", true},
};

const TraceEventSpec specs[] = {
	{TraceKind::sched_queue, "drm_sched", "gpu_scheduler", "drm_sched_job_queue", always,
	 job_fields},
	{TraceKind::sched_dep, "drm_sched", "gpu_scheduler", "drm_sched_job_add_dep", always,
	 dep_fields},
	{TraceKind::sched_blocked, "drm_sched", "gpu_scheduler", "drm_sched_job_unschedulable",
	 always, dep_fields},
	{TraceKind::sched_run, "drm_sched", "gpu_scheduler", "drm_sched_job_run", always,
	 job_fields},
	{TraceKind::sched_done, "drm_sched", "gpu_scheduler", "drm_sched_job_done", always,
	 done_fields},
	{TraceKind::old_queue, "drm_sched", "gpu_scheduler", "drm_sched_job", always,
	 old_job_fields},
	{TraceKind::old_wait, "drm_sched", "gpu_scheduler", "drm_sched_job_wait_dep", always,
	 old_wait_fields},
	{TraceKind::old_run, "drm_sched", "gpu_scheduler", "drm_run_job", always, old_job_fields},
	{TraceKind::old_done, "drm_sched", "gpu_scheduler", "drm_sched_process_job", always,
	 old_done_fields},
	{TraceKind::fence_init, "dma_fence", "dma_fence", "dma_fence_init", always, fence_fields},
	{TraceKind::fence_emit, "dma_fence", "dma_fence", "dma_fence_emit", always, fence_fields},
	{TraceKind::fence_signaled, "dma_fence", "dma_fence", "dma_fence_signaled", always,
	 fence_fields},
	{TraceKind::fence_wait_start, "dma_fence", "dma_fence", "dma_fence_wait_start", always,
	 fence_fields},
	{TraceKind::fence_wait_end, "dma_fence", "dma_fence", "dma_fence_wait_end", always,
	 fence_fields},
	{TraceKind::any_wait_start, "dma_fence", "dma_fence", "dma_fence_wait_any_start", always,
	 fence_fields},
	{TraceKind::any_wait_end, "dma_fence", "dma_fence", "dma_fence_wait_any_end", always,
	 any_end_fields},
	{TraceKind::syncobj_wait_start, "drm", "drm", "drm_syncobj_wait_start", always,
	 syncobj_start_fields},
	{TraceKind::syncobj_wait_end, "drm", "drm", "drm_syncobj_wait_end", always,
	 syncobj_end_fields},
	{TraceKind::wedged, "drm", "drm", "drm_dev_wedged", always, wedged_fields},
	{TraceKind::virtio_queue, "virtio_gpu", "virtio_gpu", "virtio_gpu_cmd_queue", always,
	 virtio_fields},
	{TraceKind::virtio_response, "virtio_gpu", "virtio_gpu", "virtio_gpu_cmd_response", always,
	 virtio_fields},
	{TraceKind::i915_add, "i915", "i915", "i915_request_add", always, i915_fields},
	{TraceKind::i915_execute, "i915", "i915", "i915_request_execute", always, i915_fields},
	{TraceKind::i915_out, "i915", "i915", "i915_request_out", always, i915_out_fields},
	{TraceKind::i915_wait_begin, "i915", "i915", "i915_request_wait_begin", always,
	 i915_fields},
	{TraceKind::i915_wait_end, "i915", "i915", "i915_request_wait_end", always, i915_fields},
	{TraceKind::amdgpu_ioctl, "amdgpu", "amdgpu", "amdgpu_cs_ioctl", always, amdgpu_fields},
	{TraceKind::amdgpu_run, "amdgpu", "amdgpu", "amdgpu_sched_run_job", always, amdgpu_fields},
	{TraceKind::amdgpu_userq_fence, "amdgpu", "amdgpu", "amdgpu_userq_emit_fence", always,
	 userq_fence_fields},
	{TraceKind::amdgpu_userq_begins, "amdgpu", "amdgpu", "amdgpu_userq_create_start", always,
	 userq_fields},
	{TraceKind::amdgpu_userq_ends, "amdgpu", "amdgpu", "amdgpu_userq_destroy_start", always,
	 userq_fields},
	{TraceKind::amdgpu_userq_state, "amdgpu", "amdgpu", "amdgpu_userq_state_changed", always,
	 userq_state_fields},
	{TraceKind::amdgpu_userq_gone, "amdgpu", "amdgpu", "amdgpu_userq_destroy_end", always,
	 userq_fields},
	{TraceKind::vblank, "drm", "drm", "drm_vblank_event", TraceGroup::vblank, vblank_fields},
	{TraceKind::task_switch, "sched", "sched", "sched_switch", TraceGroup::sched,
	 switch_fields},
	{TraceKind::task_wakeup, "sched", "sched", "sched_wakeup", TraceGroup::sched,
	 wakeup_fields},
};

} // namespace

bool TraceGroups::has(TraceGroup group) const
{
	switch (group) {
	case TraceGroup::sched:
		return sched;
	case TraceGroup::vblank:
		return vblank;
	case TraceGroup::always:
		break;
	}
	return true;
}

std::span<const TraceEventSpec> trace_event_specs()
{
	return specs;
}

} // namespace grtrace
