/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events with the names of gpu_sched's, before and since 6.17, but with other
 * arguments.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM vendor_sched

#if !defined(VENDOR_STUB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define VENDOR_STUB_TRACE_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(vendor_stub, TP_PROTO(u64 id, u32 ring), TP_ARGS(id, ring),
		    TP_STRUCT__entry(__field(u64, id) __field(u32, ring)),
		    TP_fast_assign(__entry->id = id; __entry->ring = ring;),
		    TP_printk("id=%llu ring=%u", __entry->id, __entry->ring));

#define VENDOR_STUB_EVENT(name)                                                                    \
	DEFINE_EVENT(vendor_stub, name, TP_PROTO(u64 id, u32 ring), TP_ARGS(id, ring))

VENDOR_STUB_EVENT(drm_sched_job);
VENDOR_STUB_EVENT(drm_run_job);
VENDOR_STUB_EVENT(drm_sched_process_job);
VENDOR_STUB_EVENT(drm_sched_job_queue);
VENDOR_STUB_EVENT(drm_sched_job_run);
VENDOR_STUB_EVENT(drm_sched_job_done);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE vendor_stub_trace
#include <trace/define_trace.h>
