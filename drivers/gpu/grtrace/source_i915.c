// SPDX-License-Identifier: GPL-2.0
/*
 * Source: i915. A ring is an engine, a job is a request. A job's key is the
 * fence of the request, whose context is the request's timeline.
 *
 *	SUBMIT      i915_request_add, in the submitter's context
 *	COMMIT      i915_request_execute (low level)
 *	START       i915_context_switch: of the request that was next
 *	END         dma_fence_signaled in an interrupt; before that
 *	            i915_request_out (low level), of a request that completed
 *	COMPLETE    dma_fence_signaled
 *	IRQ         i915_engine_irq, of a user interrupt
 *	CTX_SWITCH  i915_context_switch
 *	SYNC_WAIT_* i915_request_wait_begin, _end
 *	ERROR       i915_gt_error, i915_engine_reset, i915_gt_reset,
 *	            i915_gt_wedged, i915_request_reset, i915_heartbeat_stopped,
 *	            intel_context_reset (low level: a context that GuC reset)
 *
 * "Low level" events need CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS.
 *
 * COMMIT comes from execute, which is called for each request with execlists,
 * GuC and ring submission; i915_request_in is called only for the last request
 * of a context. A request that was preempted, or removed from the engine by a
 * reset, is executed again and has another COMMIT, and with execlists another
 * START.
 *
 * Execlists report when a context begins. A context has one or more requests,
 * and begins with the first one that is not complete; that one gets the START.
 * There is no event when the next request of the context begins.
 *
 * i915 signals a request's fence from the user interrupt if a task waits, and
 * otherwise when it retires the request, which can be much later. That moment
 * is recorded as COMPLETE, because nothing could see the completion before, but
 * not as END.
 *
 * A request of a virtual engine belongs to the ring of that engine from SUBMIT
 * to COMPLETE, wherever it runs. CTX_SWITCH has the ring of the physical
 * engine.
 *
 * No event reports that an engine is destroyed. All probes look up its address,
 * but it is dereferenced only where a request, an error or a reset proves that
 * the engine exists.
 */
#include <linux/cleanup.h>
#include <linux/grtrace.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#ifndef GRTRACE_COMPAT
#include <drm/intel/intel_gmd_interrupt_regs.h>
#endif

#include <trace/events/dma_fence.h>

#include "gem/i915_gem_context_types.h"
#include "gt/intel_context_types.h"
#include "gt/intel_engine_types.h"
#include "gt/intel_gt.h"
#include "gt/intel_timeline_types.h"
#include "i915_reg.h"
#include "i915_request.h"
#include "i915_trace.h"

static const enum grtrace_engine_class i915_classes[] = {
	[RENDER_CLASS]			= GRTRACE_CLASS_RENDER,
	[VIDEO_DECODE_CLASS]		= GRTRACE_CLASS_VIDEO_DECODE,
	[VIDEO_ENHANCEMENT_CLASS]	= GRTRACE_CLASS_VIDEO_ENCODE,
	[COPY_ENGINE_CLASS]		= GRTRACE_CLASS_COPY,
	[OTHER_CLASS]			= GRTRACE_CLASS_OTHER,
	[COMPUTE_CLASS]			= GRTRACE_CLASS_COMPUTE,
};

static struct grtrace_source i915_source;

static enum grtrace_engine_class i915_class(const struct intel_engine_cs *engine)
{
	return engine->class < ARRAY_SIZE(i915_classes) ?
	       i915_classes[engine->class] : GRTRACE_CLASS_UNKNOWN;
}

/* Returns the ring of an engine that is known to exist; @ctx is a context of its users. */
static struct grtrace_ring *i915_ring(const struct intel_engine_cs *engine,
				      u64 ctx)
{
	return grtrace_ring_known(engine, ctx) ?:
	       grtrace_ring_submit(engine, ctx, &(struct grtrace_ring_desc) {
			.dev = engine->i915->drm.dev,
			.driver = "i915",
			.name = engine->name,
			.engine_class = i915_class(engine),
	       });
}

/* Returns the ring that a request was submitted to; the request must not be retired. */
static struct grtrace_ring *i915_request_ring(const struct i915_request *rq)
{
	return i915_ring(rq->context->engine, rq->fence.context);
}

static struct grtrace_job i915_job(const struct i915_request *rq)
{
	return grtrace_job_of(&rq->fence, NULL);
}

static void probe_request_add(void *data, struct i915_request *rq)
{
	const struct grtrace_job job = i915_job(rq);

	grtrace_fence_claim(&i915_source, &rq->fence);
	grtrace_submit(i915_request_ring(rq), &job, 0);
}

#if IS_ENABLED(CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS)

/* The hardware signals the request's own fence. */
static void probe_request_execute(void *data, struct i915_request *rq)
{
	const struct grtrace_job job = grtrace_job_of(&rq->fence, &rq->fence);

	grtrace_fence_claim(&i915_source, &rq->fence);
	grtrace_job_fence(GRTRACE_COMMIT, i915_request_ring(rq), &job);
}

/* The request leaves the engine: preempted or done. If a task waits, done is known already. */
static void probe_request_out(void *data, struct i915_request *rq)
{
	const struct grtrace_job job = i915_job(rq);

	if (!i915_request_signaled(rq) && i915_request_completed(rq))
		grtrace_job(GRTRACE_END, i915_request_ring(rq), &job);
}

static void probe_context_reset(void *data, struct intel_context *ce)
{
	grtrace_error(i915_ring(ce->engine, 1), NULL,
		      GRTRACE_ERROR_RESET, 0);
}

#endif

/*
 * Returns the request of a context, up to @rq, that is being executed: the
 * first one that is not complete, or else @rq. Each breadcrumb is a seqno, and
 * a request has one or two of them.
 */
static struct grtrace_job i915_running(const struct i915_request *rq)
{
	struct grtrace_job job = i915_job(rq);
	u32 done = hwsp_seqno(rq), first, step = 1;
	const struct intel_timeline *timeline;

	if (i915_seqno_passed(done, rq->fence.seqno))
		return job;
	rcu_read_lock();
	timeline = rcu_dereference(rq->timeline);
	if (timeline->has_initial_breadcrumb)
		step = 2;
	rcu_read_unlock();
	first = round_down(done, step) + step;
	if (!i915_seqno_passed(first, rq->fence.seqno))
		job.seqno = first;
	return job;
}

/* Both requests are still on the ports, which keeps their contexts alive. */
static void probe_context_switch(void *data, struct intel_engine_cs *engine,
				 struct i915_request *prev,
				 struct i915_request *next)
{
	struct grtrace_job start = {}, job = {}, from = {};

	if (next)
		start = i915_running(next);
	if (prev) {
		from = i915_running(prev);
		/* the fence does not show that, because it may be signalled much later */
		job.arg = i915_request_completed(prev) ? GRTRACE_SWITCH_DONE :
							 GRTRACE_SWITCH_PREEMPTED;
	}
	job.ctx = start.ctx;
	job.seqno = start.seqno;
	job.fence_ctx = from.ctx;
	job.fence_seqno = from.seqno;
	grtrace_job_fence(GRTRACE_CTX_SWITCH,
			  i915_ring(engine, max3(1, job.ctx, from.ctx)), &job);
	/* If the request is already complete, it began earlier. */
	if (next && !i915_request_completed(next))
		grtrace_job(GRTRACE_START, i915_request_ring(next), &start);
}

/* The request of the interrupt is not known, because each context counts its own. */
static void probe_engine_irq(void *data, struct intel_engine_cs *engine, u16 iir)
{
	const struct grtrace_job job = { .time = GRTRACE_TIME_INTERRUPT };
	struct grtrace_ring *ring = grtrace_ring_find(engine);

	/* An IRQ of a ring that no request has named yet is useless, so it is left out. */
	if (!ring)
		return;
	/* the second is for gen2 to gen4, and the third is for the video engine of gen5 */
	if (iir & (GT_RENDER_USER_INTERRUPT | I915_USER_INTERRUPT |
		   ILK_BSD_USER_INTERRUPT))
		grtrace_job(GRTRACE_IRQ, ring, &job);
}

/*
 * The fence's lock is held. The context is not yet retired, or the interrupt
 * that signals the fence uses it.
 */
static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	const struct i915_request *rq =
		container_of(fence, struct i915_request, fence);
	struct grtrace_ring *ring;
	struct grtrace_job job;

	if (grtrace_fence_source(fence) != &i915_source)
		return;
	ring = grtrace_ring_find(rq->context->engine);
	job = i915_job(rq);
	if (in_hardirq())
		grtrace_job(GRTRACE_END, ring, &job);
	job.arg = fence->error;
	grtrace_job(GRTRACE_COMPLETE, ring, &job);
}

static void probe_wait_begin(void *data, struct i915_request *rq,
			     unsigned int flags)
{
	const struct grtrace_job job = i915_job(rq);

	grtrace_fence_claim(&i915_source, &rq->fence);
	grtrace_job(GRTRACE_SYNC_WAIT_ENTER, NULL, &job);
}

static void probe_wait_end(void *data, struct i915_request *rq)
{
	const struct grtrace_job job = i915_job(rq);

	grtrace_job(GRTRACE_SYNC_WAIT_EXIT, NULL, &job);
}

/*
 * Writes one ERROR for each engine, because an ERROR has one ring. In a GT that
 * could not be set up, engines of the mask may be missing.
 */
static void i915_errors(struct intel_gt *gt, intel_engine_mask_t engines,
			const struct grtrace_failure *failure)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	for_each_engine(engine, gt, id)
		if (engine->mask & engines)
			grtrace_failure(i915_ring(engine, 1), NULL, failure);
}

static void probe_gt_error(void *data, struct intel_gt *gt,
			   intel_engine_mask_t engines, const char *msg)
{
	const struct grtrace_failure failure = {
		.kind = GRTRACE_ERROR_HANG,
		.code = -EIO,
		.text = msg,
	};

	i915_errors(gt, engines, &failure);
}

static void probe_gt_reset(void *data, struct intel_gt *gt,
			   intel_engine_mask_t stalled, const char *msg, int ret)
{
	const struct grtrace_failure failure = {
		.kind = GRTRACE_ERROR_RESET,
		.code = ret,
		.text = msg,
	};

	i915_errors(gt, gt->info.engine_mask, &failure);
}

static void probe_gt_wedged(void *data, struct intel_gt *gt)
{
	const struct grtrace_failure failure = { .kind = GRTRACE_ERROR_WEDGED };

	i915_errors(gt, gt->info.engine_mask, &failure);
}

static void probe_engine_reset(void *data, struct intel_engine_cs *engine,
			       const char *msg, int ret)
{
	const struct grtrace_failure failure = {
		.kind = GRTRACE_ERROR_RESET,
		.code = ret,
		.text = msg,
	};

	grtrace_failure(i915_ring(engine, 1), NULL, &failure);
}

/* The task that made the request's context, as in i915's error state. */
static void i915_blame(struct grtrace_failure *failure,
		       const struct i915_request *rq)
{
	const struct i915_gem_context *ctx =
		rcu_dereference(rq->context->gem_context);
	const struct task_struct *task;

	if (!ctx || !ctx->pid)
		return;
	failure->pid = pid_nr(ctx->pid);
	task = pid_task(ctx->pid, PIDTYPE_PID);
	if (task)
		failure->comm = task->comm;
}

/* The codes are those that i915 will set in the fences. */
static void probe_request_reset(void *data, struct i915_request *rq,
				bool guilty)
{
	const struct grtrace_job job = i915_job(rq);
	struct grtrace_failure failure = {
		.kind = guilty ? GRTRACE_ERROR_HANG : GRTRACE_ERROR_RESET,
		.code = guilty ? -EIO : -EAGAIN,
	};

	guard(rcu)();
	if (guilty)
		i915_blame(&failure, rq);
	grtrace_failure(i915_request_ring(rq), &job, &failure);
}

static void probe_heartbeat_stopped(void *data, struct intel_engine_cs *engine,
				    struct i915_request *rq)
{
	struct grtrace_job job = {};

	if (rq)
		job = i915_job(rq);
	grtrace_error(i915_ring(engine, max(1, job.ctx)), &job,
		      GRTRACE_ERROR_TIMEOUT, -ETIME);
}

static struct grtrace_probe i915_probes[] = {
	GRTRACE_PROBE(i915_request_add, probe_request_add),
#if IS_ENABLED(CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS)
	GRTRACE_PROBE(i915_request_execute, probe_request_execute),
	GRTRACE_PROBE(i915_request_out, probe_request_out),
	GRTRACE_PROBE(intel_context_reset, probe_context_reset),
#endif
	GRTRACE_PROBE(i915_context_switch, probe_context_switch),
	GRTRACE_PROBE(i915_engine_irq, probe_engine_irq),
	GRTRACE_PROBE(i915_request_wait_begin, probe_wait_begin),
	GRTRACE_PROBE(i915_request_wait_end, probe_wait_end),
	GRTRACE_PROBE(i915_gt_error, probe_gt_error),
	GRTRACE_PROBE(i915_gt_reset, probe_gt_reset),
	GRTRACE_PROBE(i915_gt_wedged, probe_gt_wedged),
	GRTRACE_PROBE(i915_engine_reset, probe_engine_reset),
	GRTRACE_PROBE(i915_request_reset, probe_request_reset),
	GRTRACE_PROBE(i915_heartbeat_stopped, probe_heartbeat_stopped),
	GRTRACE_PROBE(dma_fence_signaled, probe_fence_signaled),
};

module_grtrace_source(i915_source, "i915", i915_probes, .claims_waits = true);

MODULE_DESCRIPTION("grtrace source: i915");
MODULE_LICENSE("GPL");

#if IS_ENABLED(CONFIG_GRTRACE_KUNIT_TEST)
#include "tests/source_i915_test.c"
#endif
