/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace event of nvidia.ko (kernel-open/nvidia/nv-tracepoint.h of the open
 * modules), with its system, name and fields.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM nvidia

#if !defined(NVIDIA_STUB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define NVIDIA_STUB_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(nvidia_dev_xid,
	TP_PROTO(const char *dev, u32 error_code, const char *msg),
	TP_ARGS(dev, error_code, msg),
	TP_STRUCT__entry(
		__string(dev, dev)
		__field(u32, error_code)
		__string(msg, msg)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->error_code = error_code;
		__assign_str(msg);
	),
	TP_printk("dev=%s code=%u %s", __get_str(dev), __entry->error_code,
		  __get_str(msg))
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE nvidia_stub_trace
#include <trace/define_trace.h>
