// SPDX-License-Identifier: GPL-2.0
/*
 * Source: amdgpu, for everything that the DRM scheduler cannot know. The rings
 * are those of the scheduler's source, which reports the jobs that go through
 * it.
 *
 *	IRQ         amdgpu_fence_process; the newest hardware fence that is done
 *	CTX_SWITCH  amdgpu_ctx_switch, when the commands are put on the ring: it
 *	            is the order on the ring, not when the hardware gets there
 *	SUBMIT      amdgpu_ib_direct, of a job that bypasses the scheduler: tests
 *	COMMIT      of rings, and messages to video engines. Its key is its
 *	            hardware fence
 *	END         amdgpu_fence_process, for the same jobs
 *	COMPLETE
 *	ERROR       amdgpu_ring_reemit: RESET, no job; the ring was reset, and
 *	                the jobs that are not to blame are on it again
 *	            amdgpu_ring_reset: HANG with code 0 after a soft recovery,
 *	                else RESET with the result; the job that timed out
 *	            amdgpu_gpu_reset_start: HANG, if there is a job to blame
 *	            amdgpu_gpu_reset_end: RESET with the result, on a ring "gpu"
 *	                that stands for the device
 *
 * An IRQ in a task is not an interrupt: the driver noticed by itself that
 * fences were done, most often in a reset. An IRQ in a softirq came from the
 * timer that replaces missing interrupts. The flags of the IRQ record show
 * where it was noticed.
 *
 * Rings without a scheduler (KIQ, MES) have jobs without fences, and no event
 * reports these.
 *
 * User mode queues: user space rings the doorbell, and the kernel does not see
 * the jobs. To show that such queues exist, each has a ring called
 * userq_<kind>_<doorbell>. It is known from its creation, or from its first
 * fence:
 *
 *	SUBMIT      amdgpu_userq_emit_fence: user space requests a fence for all
 *	COMMIT      work given to the queue so far. The fence is the key, and
 *	            completes the job when it is signalled (FENCE)
 *	ERROR       HANG, amdgpu_userq_state_changed
 *	QUEUE       amdgpu_userq_state_changed, when the kernel puts the queue on the
 *	            hardware or takes it off
 *
 * A queue that is older than the session, requests no fence and stays where it is, is
 * not seen. The event has no reason, but the state that the queue leaves, the task and
 * the device show it: see amd_userq_off().
 * Queues of compute processes (KFD) are not seen either, because they never
 * request a fence.
 *
 * All probes have the ring, or the queue, as an argument, so it exists.
 */
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "amdgpu.h"
#include "amdgpu_trace.h"

/* Indexed by enum amdgpu_ring_type, whose values user mode queues also use. */
static const struct amd_kind {
	const char *name;
	enum grtrace_engine_class engine_class;
} amd_kinds[] = {
	[AMDGPU_RING_TYPE_GFX]		= { "gfx", GRTRACE_CLASS_RENDER },
	[AMDGPU_RING_TYPE_COMPUTE]	= { "comp", GRTRACE_CLASS_COMPUTE },
	[AMDGPU_RING_TYPE_SDMA]		= { "sdma", GRTRACE_CLASS_COPY },
	[AMDGPU_RING_TYPE_UVD]		= { "uvd", GRTRACE_CLASS_VIDEO_DECODE },
	[AMDGPU_RING_TYPE_VCE]		= { "vce", GRTRACE_CLASS_VIDEO_ENCODE },
	[AMDGPU_RING_TYPE_UVD_ENC]	= { "uvd_enc", GRTRACE_CLASS_VIDEO_ENCODE },
	[AMDGPU_RING_TYPE_VCN_DEC]	= { "vcn_dec", GRTRACE_CLASS_VIDEO_DECODE },
	[AMDGPU_RING_TYPE_VCN_ENC]	= { "vcn_enc", GRTRACE_CLASS_VIDEO_ENCODE },
	[AMDGPU_RING_TYPE_VCN_JPEG]	= { "jpeg", GRTRACE_CLASS_VIDEO_DECODE },
};

static const struct amd_kind *amd_kind(unsigned int type)
{
	static const struct amd_kind other = { "other", GRTRACE_CLASS_OTHER };

	return type < ARRAY_SIZE(amd_kinds) && amd_kinds[type].name ?
	       &amd_kinds[type] : &other;
}

static enum grtrace_engine_class amd_ring_class(const struct amdgpu_ring *ring)
{
	/* Its type is encoder, but it also decodes, which is its main use. */
	if (str_has_prefix(ring->name, "vcn_unified"))
		return GRTRACE_CLASS_VIDEO_DECODE;
	return amd_kind(ring->funcs->type)->engine_class;
}

/* Returns the context of a ring's hardware fences. */
static u64 amd_ctx(const struct amdgpu_ring *ring)
{
	return ring->adev->fence_context + ring->idx;
}

/* Returns the ring with the key of the scheduler's source, even if it has no scheduler. */
static struct grtrace_ring *amd_ring(const struct amdgpu_ring *ring)
{
	const void *key = &ring->sched;
	u64 ctx = amd_ctx(ring);
	struct grtrace_ring *known;

	known = grtrace_ring_known(key, ctx) ?:
		grtrace_ring_submit(key, ctx, &(struct grtrace_ring_desc) {
			.dev = ring->adev->dev,
			.name = ring->name,
			.engine_class = amd_ring_class(ring),
			.timeout_ms = grtrace_ring_timeout(ring->sched.timeout),
		});
	/* The scheduler's source derives the class from the name, which may not be enough. */
	if (known && unlikely(READ_ONCE(known->engine_class) ==
			      GRTRACE_CLASS_UNKNOWN))
		grtrace_ring_classify(known, amd_ring_class(ring));
	return known;
}

/* Returns the ring that represents the whole device. */
static struct grtrace_ring *amd_device(const struct amdgpu_device *adev)
{
	const struct grtrace_ring_desc desc = {
		.dev = adev->dev,
		.name = "gpu",
		.engine_class = GRTRACE_CLASS_OTHER,
		.flags = GRTRACE_RING_DEVICE,
	};

	return grtrace_ring_submit(adev, adev->fence_context, &desc);
}

static struct grtrace_job amd_job(const struct amdgpu_job *job)
{
	return grtrace_job_of(&job->base.s_fence->finished, NULL);
}

/* ----------------------------------------- IBs that are not the scheduler's */

#ifdef GRTRACE_COMPAT

/* The fences of these IBs look like those of VM flushes, so these IBs are not reported. */
static void amd_direct_process(const struct amdgpu_ring *ring,
			       struct grtrace_ring *known, u32 last_seq,
			       u32 seq)
{
}

#else

static void probe_ib_direct(void *data, struct amdgpu_ring *ring, u64 ctx,
			    struct dma_fence *fence)
{
	const struct grtrace_job job = grtrace_job_of(fence, fence);
	struct grtrace_ring *known = amd_ring(ring);

	grtrace_submit(known, &job, 0);
	grtrace_job_fence(GRTRACE_COMMIT, known, &job);
}

/*
 * Returns whether the fence belongs to an IB outside of the scheduler, which no
 * other source reports.
 */
static bool amd_fence_direct(const struct dma_fence *fence)
{
	const struct amdgpu_fence *af =
		container_of_const(fence, struct amdgpu_fence, base);

	/* The fence of a VM flush has no IB. */
	return !af->context && af->skip_ib_dw_end_offset;
}

/*
 * The fence is still in the ring's table: only the task that found it signalled
 * removes it, after the event. There is no event if a task polls.
 */
static void amd_direct_done(const struct amdgpu_ring *ring,
			    struct grtrace_ring *known, u32 seq)
{
	const struct amdgpu_fence_driver *drv = &ring->fence_drv;
	const struct dma_fence *fence =
		READ_ONCE(drv->fences[seq & drv->num_fences_mask]);
	struct grtrace_job job;

	if (!fence || !amd_fence_direct(fence))
		return;
	job = grtrace_job_of(fence, NULL);
	grtrace_job(GRTRACE_END, known, &job);
	job.arg = fence->error;
	grtrace_job(GRTRACE_COMPLETE, known, &job);
}

static void amd_direct_process(const struct amdgpu_ring *ring,
			       struct grtrace_ring *known, u32 last_seq,
			       u32 seq)
{
	u32 n = seq - last_seq;

	/* That is more than the table holds: the hardware wrote a wrong number. */
	if (n > ring->fence_drv.num_fences_mask + 1)
		return;
	while (n--)
		amd_direct_done(ring, known, seq - n);
}

#endif

/* ---------------------------------------------------------------- rings */

#ifndef GRTRACE_COMPAT

static void probe_ring_reemit(void *data, struct amdgpu_ring *ring)
{
	grtrace_error(amd_ring(ring), NULL, GRTRACE_ERROR_RESET, 0);
}

#endif

static void probe_fence_process(void *data, struct amdgpu_ring *ring,
				u32 last_seq, u32 seq)
{
	const struct grtrace_job job = {
		.ctx = amd_ctx(ring),
		.seqno = seq,
	};
	struct grtrace_ring *known = amd_ring(ring);

	grtrace_job(GRTRACE_IRQ, known, &job);
	amd_direct_process(ring, known, last_seq, seq);
}

/* Work outside of the scheduler has the context of the hardware fences. */
static void probe_ctx_switch(void *data, struct amdgpu_ring *ring, u64 ctx,
			     struct dma_fence *fence)
{
	const struct grtrace_job job = {
		.ctx = ctx ?: fence->context,
		.fence_ctx = ring->current_ctx ?: fence->context,
	};

	grtrace_job_fence(GRTRACE_CTX_SWITCH, amd_ring(ring), &job);
}

/* --------------------------------------------------------------- resets */

static void probe_ring_reset(void *data, struct amdgpu_ring *ring,
			     struct amdgpu_job *job, u32 type, int result)
{
	const struct grtrace_job guilty = amd_job(job);
	enum grtrace_error_kind kind = GRTRACE_ERROR_RESET;

	if (type == AMDGPU_RESET_TYPE_SOFT_RECOVERY)
		kind = GRTRACE_ERROR_HANG;
	grtrace_error(amd_ring(ring), &guilty, kind, result);
}

static void probe_gpu_reset_start(void *data, struct amdgpu_device *adev,
				  struct amdgpu_job *job, u32 src)
{
	struct grtrace_job guilty;

	if (!job)
		return;
	guilty = amd_job(job);
	grtrace_error(amd_ring(to_amdgpu_ring(job->base.sched)), &guilty,
		      GRTRACE_ERROR_HANG, -ETIME);
}

static void probe_gpu_reset_end(void *data, struct amdgpu_device *adev, u32 src,
				int result)
{
	grtrace_error(amd_device(adev), NULL, GRTRACE_ERROR_RESET, result);
}

/* ----------------------------------------------------- user mode queues */

#ifndef GRTRACE_COMPAT

/* @ctx: context of the queue's fences, or 1 if it is not known */
static struct grtrace_ring *
amd_userq(const struct amdgpu_usermode_queue *queue, u64 ctx)
{
	struct grtrace_ring *known = grtrace_ring_known(queue, ctx);
	const struct amd_kind *kind = amd_kind(queue->queue_type);
	char name[GRTRACE_NAME_LEN];

	if (known)
		return known;
	snprintf(name, sizeof(name), "userq_%s_%llu", kind->name,
		 queue->doorbell_index);
	return grtrace_ring_submit(queue, ctx, &(struct grtrace_ring_desc) {
		.dev = queue->userq_mgr->adev->dev,
		.name = name,
		.engine_class = kind->engine_class,
		/* Later events have only a fence, which names no ring. */
		.leaves_on = GRTRACE_COMMIT,
		/* The firmware assigns queues to the hardware in turns. */
		.flags = GRTRACE_RING_USER | GRTRACE_RING_SHARED,
	});
}

/* Only the caller knows the queue until its creation is complete. */
static void probe_userq_create_start(void *data,
				     struct amdgpu_usermode_queue *queue)
{
	amd_userq(queue, queue->fence_drv->context);
}

static void probe_userq_create_end(void *data,
				   struct amdgpu_usermode_queue *queue,
				   int result)
{
	if (result)
		grtrace_ring_retire(queue);
}

static void probe_userq_destroy_end(void *data,
				    struct amdgpu_usermode_queue *queue,
				    int result)
{
	grtrace_ring_retire(queue);
}

static void probe_userq_emit_fence(void *data, struct device *dev,
				   struct amdgpu_usermode_queue *queue,
				   struct amdgpu_userq_fence *fence)
{
	const struct grtrace_job job = grtrace_job_of(&fence->base, &fence->base);
	struct grtrace_ring *known = amd_userq(queue, job.ctx);

	grtrace_submit(known, &job, 0);
	grtrace_job_fence(GRTRACE_COMMIT, known, &job);
}

/*
 * Why a queue goes off, to @state. An eviction unmaps it, and so do a suspend, its end,
 * and the work that resets a queue that hangs.
 */
static enum grtrace_queue_reason
amd_userq_off(const struct amdgpu_usermode_queue *queue,
	      enum amdgpu_userq_state state)
{
	const struct amdgpu_device *adev = queue->userq_mgr->adev;

	switch (state) {
	case AMDGPU_USERQ_STATE_UNMAPPED:
		if (!kref_read(&queue->refcount))
			return GRTRACE_QUEUE_DESTROYED;
		if (current_work() == &queue->hang_detect_work.work)
			return GRTRACE_QUEUE_HUNG;
		return adev->in_suspend ? GRTRACE_QUEUE_SUSPENDED :
					  GRTRACE_QUEUE_EVICTED;
	case AMDGPU_USERQ_STATE_PREEMPTED:
		if (adev->in_suspend)
			return GRTRACE_QUEUE_SUSPENDED;
		return adev->userq_halt_for_enforce_isolation ?
		       GRTRACE_QUEUE_ISOLATED : GRTRACE_QUEUE_PREEMPTED;
	case AMDGPU_USERQ_STATE_HUNG:
		return GRTRACE_QUEUE_HUNG;
	case AMDGPU_USERQ_STATE_INVALID_VA:
		return GRTRACE_QUEUE_FAULTED;
	default:
		return GRTRACE_QUEUE_UNKNOWN;
	}
}

/* Why a queue is on again. Only its creation maps an unmapped queue outside of these two. */
static enum grtrace_queue_reason
amd_userq_on(const struct amdgpu_usermode_queue *queue)
{
	const struct amdgpu_userq_mgr *mgr = queue->userq_mgr;

	if (mgr->adev->in_suspend)
		return GRTRACE_QUEUE_RESUMED;
	if (queue->state == AMDGPU_USERQ_STATE_UNMAPPED &&
	    current_work() != &mgr->resume_work.work)
		return GRTRACE_QUEUE_CREATED;
	return GRTRACE_QUEUE_RESTORED;
}

/* The queue still has the state that it leaves. */
static void probe_userq_state_changed(void *data,
				      struct amdgpu_usermode_queue *queue,
				      enum amdgpu_userq_state state)
{
	bool on = state == AMDGPU_USERQ_STATE_MAPPED;
	u64 ctx = queue->fence_drv ? queue->fence_drv->context : 0;
	struct grtrace_ring *known = amd_userq(queue, ctx ?: 1);

	if (state == AMDGPU_USERQ_STATE_HUNG)
		grtrace_error(known, NULL, GRTRACE_ERROR_HANG, -ETIME);
	grtrace_queue(known, ctx, on ? GRTRACE_QUEUE_ON : GRTRACE_QUEUE_OFF,
		      on ? amd_userq_on(queue) : amd_userq_off(queue, state),
		      queue->userq_mgr->file->client_id);
}

#endif

static struct grtrace_probe amd_probes[] = {
	GRTRACE_PROBE(amdgpu_fence_process, probe_fence_process),
	GRTRACE_PROBE(amdgpu_ctx_switch, probe_ctx_switch),
	GRTRACE_PROBE(amdgpu_ring_reset, probe_ring_reset),
	GRTRACE_PROBE(amdgpu_gpu_reset_start, probe_gpu_reset_start),
	GRTRACE_PROBE(amdgpu_gpu_reset_end, probe_gpu_reset_end),
#ifndef GRTRACE_COMPAT
	GRTRACE_PROBE(amdgpu_ring_reemit, probe_ring_reemit),
	GRTRACE_PROBE(amdgpu_ib_direct, probe_ib_direct),
	GRTRACE_PROBE(amdgpu_userq_create_start, probe_userq_create_start),
	GRTRACE_PROBE(amdgpu_userq_create_end, probe_userq_create_end),
	GRTRACE_PROBE(amdgpu_userq_destroy_end, probe_userq_destroy_end),
	GRTRACE_PROBE(amdgpu_userq_emit_fence, probe_userq_emit_fence),
	GRTRACE_PROBE(amdgpu_userq_state_changed, probe_userq_state_changed),
#endif
};

module_grtrace_source(amd_source, "amdgpu", amd_probes);

MODULE_DESCRIPTION("grtrace source: amdgpu");
MODULE_LICENSE("GPL");

#ifndef GRTRACE_COMPAT
#if IS_ENABLED(CONFIG_GRTRACE_KUNIT_TEST)
#include "tests/source_amdgpu_test.c"
#endif
#endif
