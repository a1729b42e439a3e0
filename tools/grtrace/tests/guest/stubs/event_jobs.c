// SPDX-License-Identifier: GPL-2.0
/*
 * event_stub's jobs of amdgpu.  They pass the DRM scheduler itself, whose events are
 * then the kernel's own; here is what amdgpu does around them: its events, and the
 * fences of its rings.  The hardware is an interrupt that comes at once.
 */
#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>

#include <drm/gpu_scheduler.h>

#include "amdgpu_stub_trace.h"
#include "event_jobs.h"

struct stub_fence {
	struct dma_fence base;
	struct irq_work interrupt;
	const char *timeline;
};

struct stub_ring {
	const char *name;
	struct drm_gpu_scheduler sched;
	struct drm_sched_entity entity;
	u64 context;			/* of the hardware's fences */
	u64 seqno;			/* only the scheduler's worker counts */
	atomic_t jobs;			/* not done yet */
};

struct stub_job {
	struct drm_sched_job base;
	struct stub_ring *ring;
};

static struct stub_ring stub_rings[] = {
	{ .name = "gfx_0.0.0" },
	{ .name = "sdma0" },
};

static struct device *stub_device;
static DECLARE_WAIT_QUEUE_HEAD(stub_idle);
static DEFINE_SPINLOCK(stub_lock);	/* fences are signalled under it */

/* -------------------------------------------------------------------- fences */

static struct stub_fence *to_stub_fence(struct dma_fence *fence)
{
	return container_of(fence, struct stub_fence, base);
}

static const char *stub_ring_driver_name(struct dma_fence *fence)
{
	return "amdgpu";
}

static const char *stub_ring_timeline_name(struct dma_fence *fence)
{
	return to_stub_fence(fence)->timeline;
}

/* An interrupt that uses it has ended by then. */
static void stub_fence_release(struct dma_fence *fence)
{
	kfree_rcu(to_stub_fence(fence), base.rcu);
}

static const struct dma_fence_ops stub_ring_fence_ops = {
	.get_driver_name = stub_ring_driver_name,
	.get_timeline_name = stub_ring_timeline_name,
	.release = stub_fence_release,
};

static void stub_interrupt(struct irq_work *work)
{
	struct stub_fence *fence = container_of(work, struct stub_fence, interrupt);

	dma_fence_signal(&fence->base);
	dma_fence_put(&fence->base);
}

static struct stub_fence *stub_fence_new(const struct dma_fence_ops *ops, const char *timeline,
					 u64 context, u64 seqno)
{
	struct stub_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);

	if (!fence)
		return NULL;
	fence->timeline = timeline;
	init_irq_work(&fence->interrupt, stub_interrupt);
	dma_fence_init(&fence->base, ops, &stub_lock, context, seqno);
	return fence;
}

/* --------------------------------------------------------------------- rings */

static struct stub_job *to_stub_job(struct drm_sched_job *base)
{
	return container_of(base, struct stub_job, base);
}

/* A flush of the page table has a fence of its own, before the job's. */
static struct dma_fence *stub_run_job(struct drm_sched_job *base)
{
	struct stub_ring *ring = to_stub_job(base)->ring;
	struct dma_fence *finished = &base->s_fence->finished;
	struct stub_fence *flush, *fence;

	trace_amdgpu_sched_run_job(ring->name, finished->context, finished->seqno);
	flush = stub_fence_new(&stub_ring_fence_ops, ring->name, ring->context, ++ring->seqno);
	fence = stub_fence_new(&stub_ring_fence_ops, ring->name, ring->context, ++ring->seqno);
	if (flush)
		irq_work_queue(&flush->interrupt);
	if (!fence)
		return ERR_PTR(-ENOMEM);
	dma_fence_get(&fence->base);
	irq_work_queue(&fence->interrupt);
	return &fence->base;
}

static enum drm_gpu_sched_stat stub_timedout_job(struct drm_sched_job *base)
{
	return DRM_GPU_SCHED_STAT_ENODEV;
}

static void stub_free_job(struct drm_sched_job *base)
{
	struct stub_ring *ring = to_stub_job(base)->ring;

	drm_sched_job_cleanup(base);
	kfree(to_stub_job(base));
	if (atomic_dec_and_test(&ring->jobs))
		wake_up_all(&stub_idle);
}

static const struct drm_sched_backend_ops stub_ring_ops = {
	.run_job = stub_run_job,
	.timedout_job = stub_timedout_job,
	.free_job = stub_free_job,
};

static int stub_ring_init(struct stub_ring *ring)
{
	const struct drm_sched_init_args args = {
		.ops = &stub_ring_ops,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = 4,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = ring->name,
		.dev = stub_device,
	};
	struct drm_gpu_scheduler *sched = &ring->sched;
	int ret = drm_sched_init(sched, &args);

	if (ret)
		return ret;
	ring->context = dma_fence_context_alloc(1);
	ret = drm_sched_entity_init(&ring->entity, DRM_SCHED_PRIORITY_NORMAL, &sched, 1, NULL);
	if (ret)
		drm_sched_fini(sched);
	return ret;
}

static void stub_ring_fini(struct stub_ring *ring)
{
	drm_sched_wqueue_start(&ring->sched);
	wait_event(stub_idle, !atomic_read(&ring->jobs));
	drm_sched_entity_destroy(&ring->entity);
	drm_sched_fini(&ring->sched);
}

/* ---------------------------------------------------------------------- jobs */

static struct stub_ring *stub_ring_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(stub_rings); i++) {
		if (!strcmp(stub_rings[i].name, name))
			return &stub_rings[i];
	}
	return NULL;
}

static void stub_job_push(struct stub_ring *ring)
{
	struct stub_job *job = kzalloc(sizeof(*job), GFP_KERNEL);
	struct dma_fence *finished;

	if (!job)
		return;
	job->ring = ring;
	if (drm_sched_job_init(&job->base, &ring->entity, 1, NULL, 1)) {
		kfree(job);
		return;
	}
	atomic_inc(&ring->jobs);
	drm_sched_job_arm(&job->base);
	finished = &job->base.s_fence->finished;
	trace_amdgpu_cs_ioctl(ring->name, finished->context, finished->seqno, 1);
	drm_sched_entity_push_job(&job->base);
}

void stub_jobs_push(const char *name, u64 count)
{
	struct stub_ring *ring = stub_ring_find(name);

	while (ring && count--)
		stub_job_push(ring);
}

void stub_jobs_hold(const char *name, bool hold)
{
	struct stub_ring *ring = stub_ring_find(name);

	if (ring && hold)
		drm_sched_wqueue_stop(&ring->sched);
	else if (ring)
		drm_sched_wqueue_start(&ring->sched);
}

void stub_jobs_wait(const char *name)
{
	struct stub_ring *ring = stub_ring_find(name);

	if (ring)
		wait_event(stub_idle, !atomic_read(&ring->jobs));
}

/* ---------------------------------------------------------- user mode queues */

#ifdef STUB_USER_QUEUES
static const char *stub_userq_driver_name(struct dma_fence *fence)
{
	return "amdgpu_userq_fence";
}

static const struct dma_fence_ops stub_userq_fence_ops = {
	.get_driver_name = stub_userq_driver_name,
	.get_timeline_name = stub_ring_timeline_name,
	.release = stub_fence_release,
};

/* A fence of all that the queue was given so far, which is done at once. */
void stub_userq_fence(u64 doorbell, u64 type)
{
	static u64 context, seqno;
	struct stub_fence *fence;

	if (!context)
		context = dma_fence_context_alloc(1);
	fence = stub_fence_new(&stub_userq_fence_ops, "userq", context, ++seqno);
	if (!fence)
		return;
	dma_fence_get(&fence->base);
	trace_amdgpu_userq_emit_fence("event_stub", doorbell, type, context, seqno);
	irq_work_queue(&fence->interrupt);
	irq_work_sync(&fence->interrupt);
	dma_fence_put(&fence->base);
}
#endif

/* -------------------------------------------------------------------- module */

int stub_jobs_init(void)
{
	int i, ret;

	stub_device = root_device_register("event_stub");
	if (IS_ERR(stub_device))
		return PTR_ERR(stub_device);
	for (i = 0; i < ARRAY_SIZE(stub_rings); i++) {
		ret = stub_ring_init(&stub_rings[i]);
		if (ret)
			break;
	}
	if (i == ARRAY_SIZE(stub_rings))
		return 0;
	while (i--)
		stub_ring_fini(&stub_rings[i]);
	root_device_unregister(stub_device);
	return ret;
}

void stub_jobs_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(stub_rings); i++)
		stub_ring_fini(&stub_rings[i]);
	rcu_barrier();
	root_device_unregister(stub_device);
}
