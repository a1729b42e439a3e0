/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events with the system, names and fields of amdgpu's (amdgpu_trace.h).
 * 6.17 took the job's own number away and made the fence's 64 bits wide. User mode
 * queues are a newer kernel's.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amdgpu

#if !defined(AMDGPU_STUB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define AMDGPU_STUB_TRACE_H

#include <linux/tracepoint.h>

struct amdgpu_bo;
struct dma_fence;

#ifdef STUB_JOB_IDS
#define stub_fence_number unsigned int
#define stub_job_number __field(u64, sched_job_id)
#else
#define stub_fence_number u64
#define stub_job_number
#endif

TRACE_EVENT(amdgpu_cs_ioctl,
	TP_PROTO(const char *ring, u64 context, u64 seqno, u32 ibs),
	TP_ARGS(ring, context, seqno, ibs),
	TP_STRUCT__entry(
		stub_job_number
		__string(timeline, ring)
		__field(stub_fence_number, context)
		__field(stub_fence_number, seqno)
		__field(struct dma_fence *, fence)
		__string(ring, ring)
		__field(u32, num_ibs)
	),
	TP_fast_assign(
		__assign_str(timeline);
		__entry->context = context;
		__entry->seqno = seqno;
		__entry->fence = NULL;
		__assign_str(ring);
		__entry->num_ibs = ibs;
	),
	TP_printk("ring=%s fence=%llu:%llu", __get_str(ring),
		  (u64)__entry->context, (u64)__entry->seqno)
);

TRACE_EVENT(amdgpu_sched_run_job,
	TP_PROTO(const char *ring, u64 context, u64 seqno),
	TP_ARGS(ring, context, seqno),
	TP_STRUCT__entry(
		stub_job_number
		__string(timeline, ring)
		__field(stub_fence_number, context)
		__field(stub_fence_number, seqno)
		__string(ring, ring)
		__field(u32, num_ibs)
	),
	TP_fast_assign(
		__assign_str(timeline);
		__entry->context = context;
		__entry->seqno = seqno;
		__assign_str(ring);
		__entry->num_ibs = 1;
	),
	TP_printk("ring=%s fence=%llu:%llu", __get_str(ring),
		  (u64)__entry->context, (u64)__entry->seqno)
);

TRACE_EVENT(amdgpu_bo_create,
	TP_PROTO(u64 bo, u32 pages, u32 type, u32 prefer, u32 allow, u32 flags),
	TP_ARGS(bo, pages, type, prefer, allow, flags),
	TP_STRUCT__entry(
		__field(struct amdgpu_bo *, bo)
		__field(u32, pages)
		__field(u32, type)
		__field(u32, prefer)
		__field(u32, allow)
		__field(u32, visible)
	),
	TP_fast_assign(
		__entry->bo = (void *)(unsigned long)bo;
		__entry->pages = pages;
		__entry->type = type;
		__entry->prefer = prefer;
		__entry->allow = allow;
		__entry->visible = flags;
	),
	TP_printk("bo=%p pages=%u", __entry->bo, __entry->pages)
);

TRACE_EVENT(amdgpu_bo_move,
	TP_PROTO(u64 bo, u64 bo_size, u32 new_placement, u32 old_placement),
	TP_ARGS(bo, bo_size, new_placement, old_placement),
	TP_STRUCT__entry(
		__field(struct amdgpu_bo *, bo)
		__field(u64, bo_size)
		__field(u32, new_placement)
		__field(u32, old_placement)
	),
	TP_fast_assign(
		__entry->bo = (void *)(unsigned long)bo;
		__entry->bo_size = bo_size;
		__entry->new_placement = new_placement;
		__entry->old_placement = old_placement;
	),
	TP_printk("bo=%p size=%llu to=%u from=%u", __entry->bo,
		  __entry->bo_size, __entry->new_placement, __entry->old_placement)
);

TRACE_EVENT(amdgpu_iv,
	TP_PROTO(u32 client_id, u32 src_id, u32 ring, u32 vmid, u32 pasid),
	TP_ARGS(client_id, src_id, ring, vmid, pasid),
	TP_STRUCT__entry(
		__field(unsigned int, ih)
		__field(unsigned int, client_id)
		__field(unsigned int, src_id)
		__field(unsigned int, ring_id)
		__field(unsigned int, vmid)
		__field(unsigned int, vmid_src)
		__field(u64, timestamp)
		__field(unsigned int, timestamp_src)
		__field(unsigned int, pasid)
		__array(unsigned int, src_data, 4)
	),
	TP_fast_assign(
		__entry->ih = 0;
		__entry->client_id = client_id;
		__entry->src_id = src_id;
		__entry->ring_id = ring;
		__entry->vmid = vmid;
		__entry->vmid_src = 0;
		__entry->timestamp = 0;
		__entry->timestamp_src = 0;
		__entry->pasid = pasid;
		memset(__entry->src_data, 0, sizeof(__entry->src_data));
	),
	TP_printk("client=%u src=%u", __entry->client_id, __entry->src_id)
);

TRACE_EVENT(amdgpu_vm_flush,
	TP_PROTO(const char *ring, u32 vmid),
	TP_ARGS(ring, vmid),
	TP_STRUCT__entry(
		__string(ring, ring)
		__field(u32, vmid)
		__field(u32, vm_hub)
		__field(u64, pd_addr)
	),
	TP_fast_assign(
		__assign_str(ring);
		__entry->vmid = vmid;
		__entry->vm_hub = 0;
		__entry->pd_addr = 0;
	),
	TP_printk("ring=%s vmid=%u", __get_str(ring), __entry->vmid)
);

#ifdef STUB_USER_QUEUES
TRACE_EVENT(amdgpu_userq_emit_fence,
	TP_PROTO(const char *dev, u64 doorbell, u32 type, u64 context, u64 seqno),
	TP_ARGS(dev, doorbell, type, context, seqno),
	TP_STRUCT__entry(
		__field(u64, fence_context)
		__field(u64, fence_seqno)
		__string(dev, dev)
		__field(u64, doorbell_index)
		__field(u64, client_id)
		__field(u32, queue_type)
	),
	TP_fast_assign(
		__entry->fence_context = context;
		__entry->fence_seqno = seqno;
		__assign_str(dev);
		__entry->doorbell_index = doorbell;
		__entry->client_id = 1;
		__entry->queue_type = type;
	),
	TP_printk("dev=%s doorbell=%llu fence=%llu:%llu", __get_str(dev),
		  __entry->doorbell_index, __entry->fence_context, __entry->fence_seqno)
);

TRACE_EVENT(amdgpu_userq_state_changed,
	TP_PROTO(u64 doorbell, u32 type, u32 to),
	TP_ARGS(doorbell, type, to),
	TP_STRUCT__entry(
		__field(u64, doorbell_index)
		__field(u64, client_id)
		__field(u32, queue_type)
		__field(u32, to)
	),
	TP_fast_assign(
		__entry->doorbell_index = doorbell;
		__entry->client_id = 1;
		__entry->queue_type = type;
		__entry->to = to;
	),
	TP_printk("doorbell=%llu to=%u", __entry->doorbell_index, __entry->to)
);

TRACE_EVENT(amdgpu_userq_destroy_end,
	TP_PROTO(u64 doorbell, int type),
	TP_ARGS(doorbell, type),
	TP_STRUCT__entry(
		__field(void *, queue)
		__field(u64, doorbell_index)
		__field(int, queue_type)
		__field(int, state)
		__field(u32, xcp_id)
		__field(int, result)
	),
	TP_fast_assign(
		__entry->queue = NULL;
		__entry->doorbell_index = doorbell;
		__entry->queue_type = type;
		__entry->state = 0;
		__entry->xcp_id = 0;
		__entry->result = 0;
	),
	TP_printk("doorbell=%llu", __entry->doorbell_index)
);
#endif

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE amdgpu_stub_trace
#include <trace/define_trace.h>
