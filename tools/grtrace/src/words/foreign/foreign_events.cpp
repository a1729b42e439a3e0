// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/foreign_events.h"

#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace grtrace {

namespace {

// Returns the fields of an event that today's kernels, or 6.12, have.
std::span<const FieldSpec> fields_of(std::string_view name)
{
	for (const TraceEventSpec &spec : trace_event_specs())
		if (spec.name == name)
			return spec.fields;
	return {};
}

constexpr const char *new_job = "dev=%s{device}, fence=%u{ctx}:%u{seqno}, ring=%s{ring}, "
				"client_id:%u{client}";
constexpr const char *new_dep = "fence=%u{ctx}:%u{seqno} fence=%u{fence_ctx}:%u{fence_seqno}";
constexpr const char *old_job = "entity=%p{entity}, id=%u{id}, fence=%p{address}, ring=%s{ring}";
constexpr const char *fence = "driver=%s{driver} timeline=%s{timeline} context=%u{ctx} "
			      "seqno=%u{seqno}";
constexpr const char *virtio = "vdev=%u{device} name=%s{ring} type=%u{type} flags=%u{flags} "
			       "fence_id=%u{fence_seqno} seqno=%u{seqno}";
constexpr const char *request = "dev=%u{device}, engine=%u{class}:%u{instance}, ctx=%u{ctx}, "
				"seqno=%u{seqno}, completed?=%u{completed}";
constexpr const char *v3d_cl = "dev=%u{device}, %s{type}, seqno=%u{seqno}, "
			       "%p{address}";
constexpr const char *v3d_submit = "dev=%u{device}, RCL %p{address}";
constexpr const char *v3d = "dev=%u{device}, seqno=%u{seqno}";
constexpr const char *msm = "id=%u{id} pid=%u{pid} ring=%u{instance}";
constexpr const char *msm_run = "id=%u{id} pid=%u{pid} ring=%u{instance} ticks=%u{ticks}";
constexpr const char *msm_done = "id=%u{id} pid=%u{pid} ring=%u{instance} "
				 "elapsed=%u{duration} start=%u{ticks} end=%u{end_ticks}";
constexpr const char *xe = "dev=%s{device}, fence=%p{address}, seqno=%u{seqno}, "
			   "gt=%u{instance}, guc_id=%u{id}";
constexpr const char *xe_error = "dev=%s{device}, fence=%p{address}, seqno=%u{seqno}, "
				 "gt=%u{instance}, guc_id=%u{id}, error=%u{result}";
constexpr const char *xe_queue = "dev=%s{device}, gt=%u{instance}, guc_id=%u{id}";
constexpr const char *lima = "context=%u{ctx} seqno=%u{seqno} pipe=%s{ring}";
constexpr const char *userq = "doorbell=%u{id}, type=%u{type}";
constexpr const char *amdgpu_address = "sched fence=%p{address}, ring name:%s{ring}";
constexpr const char *amdgpu_fence = "fence=%u{ctx}:%u{seqno}, ring_name=%s{ring}";
constexpr const char *amdgpu = "sched_job=%u{id}, timeline=%s{timeline}, context=%u{ctx}, "
			       "seqno=%u{seqno}, ring_name=%s{ring}";

const std::vector<FieldSpec> amdgpu_address_fields = {
	{Field::address, "fence", true},
	{Field::ring, "ring_name", true},
};

const std::vector<FieldSpec> commit_fields = {
	{Field::ring, "name", true},
	{Field::device, "dev", false},
	{Field::ctx, "fence_context", true},
	{Field::seqno, "fence_seqno", true},
	{Field::fence_ctx, "hw_fence_context", true},
	{Field::fence_seqno, "hw_fence_seqno", true},
};

// Kernels such as 6.1 do not number the commands.
const std::vector<FieldSpec> virtio_fields = {
	{Field::device, "dev", true},
	{Field::ring, "name", true},
	{Field::type, "type", true},
	{Field::flags, "flags", false},
	{Field::fence_seqno, "fence_id", true},
	{Field::seqno, "seqno", false},
};

const std::vector<FieldSpec> amdgpu_fields = {
	{Field::ring, "ring", true},
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
	{Field::id, "sched_job_id", false},
};

const std::vector<FieldSpec> v3d_cl_fields = {
	{Field::device, "dev", true},
	{Field::type, "is_render", true},
	{Field::seqno, "seqno", true},
	{Field::address, "ctnqba", false},
};

const std::vector<FieldSpec> v3d_submit_fields = {
	{Field::device, "dev", true},
	{Field::address, "ct1qba", true},
};

const std::vector<FieldSpec> v3d_fields = {
	{Field::device, "dev", true},
	{Field::seqno, "seqno", true},
};

const std::vector<FieldSpec> msm_fields = {
	{Field::id, "id", true},
	{Field::pid, "pid", true},
	{Field::instance, "ringid", true},
};

const std::vector<FieldSpec> msm_run_fields = {
	{Field::id, "id", true},
	{Field::pid, "pid", true},
	{Field::instance, "ringid", true},
	{Field::ticks, "ticks", false},
};

const std::vector<FieldSpec> msm_done_fields = {
	{Field::id, "id", true},
	{Field::pid, "pid", true},
	{Field::instance, "ringid", true},
	{Field::duration, "elapsed", false},
	{Field::ticks, "start_ticks", false},
	{Field::end_ticks, "end_ticks", false},
};

const std::vector<FieldSpec> xe_fields = {
	{Field::device, "dev", false}, {Field::address, "fence", true},
	{Field::seqno, "seqno", true}, {Field::instance, "gt_id", false},
	{Field::id, "guc_id", true},
};

const std::vector<FieldSpec> xe_error_fields = {
	{Field::device, "dev", false},     {Field::seqno, "seqno", true},
	{Field::instance, "gt_id", false}, {Field::id, "guc_id", true},
	{Field::result, "error", true},
};

const std::vector<FieldSpec> xe_queue_fields = {
	{Field::device, "dev", false},
	{Field::instance, "gt_id", false},
	{Field::id, "guc_id", true},
};

const std::vector<FieldSpec> xe_fence_fields = {
	{Field::address, "fence", true},
};

const std::vector<FieldSpec> lima_fields = {
	{Field::ctx, "context", true},
	{Field::seqno, "seqno", true},
	{Field::ring, "pipe", true},
};

const std::vector<ForeignEvent> &table()
{
	using Kind = TraceKind;

	static const std::vector<ForeignEvent> events = {
		{"gpu_scheduler", "drm_sched_job_queue", Kind::sched_queue, "6.17 on", "SUBMIT",
		 new_job, fields_of("drm_sched_job_queue")},
		{"gpu_scheduler", "drm_sched_job_add_dep", Kind::sched_dep, "6.17 on", "DEP",
		 new_dep, fields_of("drm_sched_job_add_dep")},
		{"gpu_scheduler", "drm_sched_job_unschedulable", Kind::sched_blocked, "6.17 on",
		 "BLOCKED", new_dep, fields_of("drm_sched_job_unschedulable")},
		{"gpu_scheduler", "drm_sched_job_run", Kind::sched_run, "6.17 on", "PICK", new_job,
		 fields_of("drm_sched_job_run")},
		{"gpu_scheduler", "drm_sched_job_hw_fence", Kind::sched_commit, "with grtrace",
		 "COMMIT",
		 "dev=%s{device}, fence=%u{ctx}:%u{seqno}, ring=%s{ring}, "
		 "hw fence=%u{fence_ctx}:%u{fence_seqno}",
		 commit_fields},
		{"gpu_scheduler", "drm_sched_job_done", Kind::sched_done, "6.17 on", "END",
		 "fence=%u{ctx}:%u{seqno}", fields_of("drm_sched_job_done")},
		{"gpu_scheduler", "drm_sched_job", Kind::old_queue, "4.x to 6.16", "SUBMIT",
		 old_job, fields_of("drm_sched_job")},
		{"gpu_scheduler", "drm_sched_job_wait_dep", Kind::old_wait, "4.x to 6.16",
		 "BLOCKED", "ring=%s{ring}, id=%u{id}, context=%u{fence_ctx}, seq=%u{fence_seqno}",
		 fields_of("drm_sched_job_wait_dep")},
		{"gpu_scheduler", "drm_run_job", Kind::old_run, "5.x to 6.16", "PICK", old_job,
		 fields_of("drm_run_job")},
		{"gpu_scheduler", "drm_sched_process_job", Kind::old_done, "4.x to 6.16", "END",
		 "fence=%p{address}", fields_of("drm_sched_process_job")},
		{"gpu_sched", "amd_sched_job", Kind::old_queue, "4.x", "SUBMIT", old_job,
		 fields_of("drm_sched_job")},
		{"gpu_sched", "amd_sched_process_job", Kind::old_done, "4.x", "END",
		 "fence=%p{address}", fields_of("drm_sched_process_job")},
		{"dma_fence", "dma_fence_init", Kind::fence_init, "4.10 on", "keys of jobs", fence,
		 fields_of("dma_fence_init")},
		{"dma_fence", "dma_fence_emit", Kind::fence_emit, "4.10 on", "keys of commands",
		 fence, fields_of("dma_fence_emit")},
		{"dma_fence", "dma_fence_signaled", Kind::fence_signaled, "4.10 on",
		 "COMMIT, COMPLETE, FENCE", fence, fields_of("dma_fence_signaled")},
		{"dma_fence", "dma_fence_wait_start", Kind::fence_wait_start, "4.10 on",
		 "SYNC_WAIT_ENTER", fence, fields_of("dma_fence_wait_start")},
		{"dma_fence", "dma_fence_wait_end", Kind::fence_wait_end, "4.10 on",
		 "SYNC_WAIT_EXIT", fence, fields_of("dma_fence_wait_end")},
		{"dma_fence", "dma_fence_wait_any_start", Kind::any_wait_start, "with grtrace",
		 "SYNC_WAIT_ENTER", fence, fields_of("dma_fence_wait_any_start")},
		{"dma_fence", "dma_fence_wait_any_end", Kind::any_wait_end, "with grtrace",
		 "SYNC_WAIT_EXIT",
		 "context=%u{ctx} seqno=%u{seqno} signaled=%u{fence_ctx}:%u{fence_seqno} "
		 "ret=%u{result}",
		 fields_of("dma_fence_wait_any_end")},
		{"fence", "fence_init", Kind::fence_init, "to 4.9", "keys of jobs", fence,
		 fields_of("dma_fence_init")},
		{"fence", "fence_emit", Kind::fence_emit, "to 4.9", "keys of commands", fence,
		 fields_of("dma_fence_emit")},
		{"fence", "fence_signaled", Kind::fence_signaled, "to 4.9",
		 "COMMIT, COMPLETE, FENCE", fence, fields_of("dma_fence_signaled")},
		{"fence", "fence_wait_start", Kind::fence_wait_start, "to 4.9", "SYNC_WAIT_ENTER",
		 fence, fields_of("dma_fence_wait_start")},
		{"fence", "fence_wait_end", Kind::fence_wait_end, "to 4.9", "SYNC_WAIT_EXIT", fence,
		 fields_of("dma_fence_wait_end")},
		{"virtio_gpu", "virtio_gpu_cmd_queue", Kind::virtio_queue, "5.3 on", "SUBMIT",
		 virtio, virtio_fields},
		{"virtio_gpu", "virtio_gpu_cmd_response", Kind::virtio_response, "5.3 on",
		 "END, ERROR", virtio, virtio_fields},
		{"i915", "i915_request_add", Kind::i915_add, "4.17 on", "SUBMIT", request,
		 fields_of("i915_request_add")},
		{"i915", "i915_request_execute", Kind::i915_execute, "4.17 on", "COMMIT", request,
		 fields_of("i915_request_execute")},
		{"i915", "i915_request_out", Kind::i915_out, "4.17 on", "END", request,
		 fields_of("i915_request_out")},
		{"i915", "i915_request_wait_begin", Kind::i915_wait_begin, "4.17 on",
		 "SYNC_WAIT_ENTER", request, fields_of("i915_request_wait_begin")},
		{"i915", "i915_request_wait_end", Kind::i915_wait_end, "4.17 on", "SYNC_WAIT_EXIT",
		 request, fields_of("i915_request_wait_end")},
		{"amdgpu", "amdgpu_cs_ioctl", Kind::amdgpu_ioctl, "4.x to 6.16",
		 "keys of jobs, SUBMIT", amdgpu, amdgpu_fields},
		{"amdgpu", "amdgpu_cs_ioctl", Kind::amdgpu_ioctl, "6.17 on", "keys of jobs, SUBMIT",
		 amdgpu_fence, amdgpu_fields},
		{"amdgpu", "amdgpu_cs_ioctl", Kind::amdgpu_address_ioctl, "4.x", "SUBMIT",
		 amdgpu_address, amdgpu_address_fields},
		{"amdgpu", "amdgpu_sched_run_job", Kind::amdgpu_run, "4.x to 6.16",
		 "keys of jobs, PICK", amdgpu, amdgpu_fields},
		{"amdgpu", "amdgpu_sched_run_job", Kind::amdgpu_run, "6.17 on",
		 "keys of jobs, PICK", amdgpu_fence, amdgpu_fields},
		{"amdgpu", "amdgpu_sched_run_job", Kind::old_run, "4.x", "PICK", amdgpu_address,
		 amdgpu_address_fields},
		{"amdgpu", "amdgpu_userq_emit_fence", Kind::amdgpu_userq_fence, "7.3 on",
		 "SUBMIT, COMMIT",
		 "dev=%s{device}, type=%u{type}, doorbell=%u{id}, fence=%u{ctx}:%u{seqno}",
		 fields_of("amdgpu_userq_emit_fence")},
		{"amdgpu", "amdgpu_userq_create_start", Kind::amdgpu_userq_begins, "7.3 on",
		 "reason of a QUEUE", userq, fields_of("amdgpu_userq_create_start")},
		{"amdgpu", "amdgpu_userq_state_changed", Kind::amdgpu_userq_state, "7.3 on",
		 "QUEUE, ERROR",
		 "client_id=%u{client}, type=%u{type}, doorbell=%u{id}, to=%u{state}",
		 fields_of("amdgpu_userq_state_changed")},
		{"amdgpu", "amdgpu_userq_destroy_start", Kind::amdgpu_userq_ends, "7.3 on",
		 "reason of a QUEUE", userq, fields_of("amdgpu_userq_destroy_start")},
		{"amdgpu", "amdgpu_userq_destroy_end", Kind::amdgpu_userq_gone, "7.3 on",
		 "end of a ring", userq, fields_of("amdgpu_userq_destroy_end")},
		{"v3d", "v3d_submit_cl_ioctl", Kind::v3d_cl_queue, "5.0 on", "SUBMIT", v3d_submit,
		 v3d_submit_fields},
		{"v3d", "v3d_submit_cl", Kind::v3d_cl_run, "4.18 on", "PICK, COMMIT", v3d_cl,
		 v3d_cl_fields},
		{"v3d", "v3d_submit_tfu", Kind::v3d_tfu_run, "5.0 on", "PICK, COMMIT", v3d,
		 v3d_fields},
		{"v3d", "v3d_submit_csd", Kind::v3d_csd_run, "5.3 on", "PICK, COMMIT", v3d,
		 v3d_fields},
		{"v3d", "v3d_bcl_irq", Kind::v3d_bin_done, "5.0 on", "END", v3d, v3d_fields},
		{"v3d", "v3d_rcl_irq", Kind::v3d_render_done, "5.0 on", "END", v3d, v3d_fields},
		{"v3d", "v3d_tfu_irq", Kind::v3d_tfu_done, "5.0 on", "END", v3d, v3d_fields},
		{"v3d", "v3d_csd_irq", Kind::v3d_csd_done, "5.3 on", "END", v3d, v3d_fields},
		{"drm_msm_gpu", "msm_gpu_submit", Kind::msm_queue, "5.0 on", "SUBMIT", msm,
		 msm_fields},
		{"drm_msm_gpu", "msm_gpu_submit_flush", Kind::msm_run, "5.0 on", "PICK, COMMIT",
		 msm_run, msm_run_fields},
		{"drm_msm_gpu", "msm_gpu_submit_retired", Kind::msm_done, "5.0 on", "START, END",
		 msm_done, msm_done_fields},
		{"xe", "xe_sched_job_exec", Kind::xe_queue, "6.8 on", "SUBMIT", xe, xe_fields},
		{"xe", "xe_sched_job_run", Kind::xe_run, "6.8 on", "PICK, COMMIT", xe, xe_fields},
		{"xe", "xe_hw_fence_signal", Kind::xe_done, "6.8 on", "END", "fence=%p{address}",
		 xe_fence_fields},
		{"xe", "xe_exec_queue_scheduling_enable", Kind::xe_enable, "6.8 on", "QUEUE",
		 xe_queue, xe_queue_fields},
		{"xe", "xe_exec_queue_scheduling_disable", Kind::xe_disable, "6.8 on", "QUEUE",
		 xe_queue, xe_queue_fields},
		{"xe", "xe_sched_job_timedout", Kind::xe_timedout, "6.8 on", "ERROR", xe_error,
		 xe_error_fields},
		{"xe", "xe_sched_job_set_error", Kind::xe_set_error, "6.8 on", "ERROR", xe_error,
		 xe_error_fields},
		{"xe", "xe_exec_queue_memory_cat_error", Kind::xe_memory_error, "6.8 on", "ERROR",
		 xe_queue, xe_queue_fields},
		{"xe", "xe_exec_queue_reset", Kind::xe_reset, "6.8 on", "ERROR", xe_queue,
		 xe_queue_fields},
		{"xe", "xe_exec_queue_resubmit", Kind::xe_resubmit, "6.8 on", "that jobs run again",
		 xe_queue, xe_queue_fields},
		{"lima", "lima_task_submit", Kind::lima_queue, "5.8 on", "SUBMIT", lima,
		 lima_fields},
		{"lima", "lima_task_run", Kind::lima_run, "5.8 on", "PICK", lima, lima_fields},
		{"drm", "drm_syncobj_wait_start", Kind::syncobj_wait_start, "with grtrace",
		 "SYNC_WAIT_ENTER", "fence=%u{ctx}:%u{seqno}", fields_of("drm_syncobj_wait_start")},
		{"drm", "drm_syncobj_wait_end", Kind::syncobj_wait_end, "with grtrace",
		 "SYNC_WAIT_EXIT", "fence=%u{ctx}:%u{seqno}, ret=%u{result}",
		 fields_of("drm_syncobj_wait_end")},
		{"drm", "drm_dev_wedged", Kind::wedged, "with grtrace", "ERROR",
		 "dev=%s{device}, method=%s{method}, pid=%u{pid}, comm=%s{comm}",
		 fields_of("drm_dev_wedged")},
		{"drm", "drm_vblank_event", Kind::vblank, "all", "MESSAGE",
		 "crtc=%u{crtc}, seq=%u{seqno}", fields_of("drm_vblank_event")},
		{"sched", "sched_switch", Kind::task_switch, "all", "MESSAGE",
		 "prev_pid=%u{pid} prev_state=%c{state} next_pid=%u{next_pid}",
		 fields_of("sched_switch")},
		{"sched", "sched_wakeup", Kind::task_wakeup, "all", "MESSAGE", "pid=%u{pid}",
		 fields_of("sched_wakeup")},
	};

	return events;
}

} // namespace

std::span<const ForeignEvent> foreign_events()
{
	return table();
}

std::string describe_foreign_events()
{
	std::string text = fmt::format("{:<42} {:<12} {}\n", "event", "kernels", "becomes");

	for (const ForeignEvent &event : table())
		text += fmt::format("{:<42} {:<12} {}\n",
				    fmt::format("{}:{}", event.system, event.name), event.kernels,
				    event.records);
	return text + fmt::format("{:<42} {:<12} {}\n", "ftrace:print, bprint", "all", "MESSAGE");
}

} // namespace grtrace
