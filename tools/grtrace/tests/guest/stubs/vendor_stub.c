// SPDX-License-Identifier: GPL-2.0
/*
 * vendor_stub: a scheduler as a vendor's package may bring it, whose tracepoints have
 * the names of those of the kernel's gpu_sched, and other arguments.  A probe of the
 * kernel's would use a number as a pointer.  Writing to the parameter "run" calls
 * them all.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "vendor_stub_trace.h"

static int run_set(const char *value, const struct kernel_param *param)
{
	trace_drm_sched_job(42, 1);
	trace_drm_run_job(42, 1);
	trace_drm_sched_process_job(42, 1);
	trace_drm_sched_job_queue(42, 1);
	trace_drm_sched_job_run(42, 1);
	trace_drm_sched_job_done(42, 1);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "calls the tracepoints");

MODULE_DESCRIPTION("tracepoints with names that gpu_sched has, too");
MODULE_LICENSE("GPL");
