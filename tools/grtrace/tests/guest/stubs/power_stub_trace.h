/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace event of GPUs' frequencies that Android's kernels have, with its
 * system, name and fields.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM power

#if !defined(POWER_STUB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define POWER_STUB_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(gpu_frequency,
	TP_PROTO(u32 state, u32 gpu_id),
	TP_ARGS(state, gpu_id),
	TP_STRUCT__entry(
		__field(u32, state)
		__field(u32, gpu_id)
	),
	TP_fast_assign(
		__entry->state = state;
		__entry->gpu_id = gpu_id;
	),
	TP_printk("state=%u gpu_id=%u", __entry->state, __entry->gpu_id)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE power_stub_trace
#include <trace/define_trace.h>
