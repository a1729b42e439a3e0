/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The peer: Linux 7.3's drm_sched_job_run, field by field and string by string,
 * on a job that the benchmark owns.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM grtrace_bench

#if !defined(_GRTRACE_BENCH_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GRTRACE_BENCH_TRACE_H_

#include <linux/device.h>
#include <linux/tracepoint.h>

#include "bench.h"

TRACE_EVENT(grtrace_bench_job_run,
	    TP_PROTO(struct grtrace_bench_sched_job *sched_job,
		     struct grtrace_bench_entity *entity),
	    TP_ARGS(sched_job, entity),
	    TP_STRUCT__entry(__string(name, sched_job->sched->name)
			     __field(u32, job_count)
			     __field(int, hw_job_count)
			     __string(dev, dev_name(sched_job->sched->dev))
			     __field(u64, fence_context)
			     __field(u64, fence_seqno)
			     __field(u64, client_id)
	    ),
	    TP_fast_assign(__assign_str(name);
			   __entry->job_count = atomic_read(&entity->job_count);
			   __entry->hw_job_count =
				atomic_read(&sched_job->sched->credit_count);
			   __assign_str(dev);
			   __entry->fence_context = sched_job->s_fence->context;
			   __entry->fence_seqno = sched_job->s_fence->seqno;
			   __entry->client_id = sched_job->s_fence->drm_client_id;
	    ),
	    TP_printk("dev=%s, fence=%llu:%llu, ring=%s, job count:%u, hw job count:%d, client_id:%llu",
		      __get_str(dev), __entry->fence_context,
		      __entry->fence_seqno, __get_str(name), __entry->job_count,
		      __entry->hw_job_count, __entry->client_id)
);

#endif /* _GRTRACE_BENCH_TRACE_H_ */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench_trace
#include <trace/define_trace.h>
