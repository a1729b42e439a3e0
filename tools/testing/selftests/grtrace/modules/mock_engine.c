// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_mock: the mock hardware.
 *
 * A ring works on one job at a time, in the order it was given them. A timer
 * stands for the work, its expiry for the interrupt at the end: on a kernel
 * without PREEMPT_RT that is hardirq context, where real drivers also signal.
 * The mode is deliberately not HRTIMER_MODE_*_HARD: a fence's lock is a
 * sleeping one on PREEMPT_RT, where interrupt handlers are threads.
 *
 * Nothing here knows of entities, files or timeouts.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "mock.h"

static const char *mock_fence_driver_name(struct dma_fence *fence)
{
	return GRTRACE_MOCK_NAME;
}

static const char *mock_fence_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct mock_fence, base)->name;
}

/*
 * No release(): the default one frees by RCU, and lets the fence become
 * independent of this module once it is signalled (7.3).
 */
static const struct dma_fence_ops mock_fence_ops = {
	.get_driver_name = mock_fence_driver_name,
	.get_timeline_name = mock_fence_timeline_name,
};

/* Lets the hardware begin with the next job, if it has one and is idle. */
static void mock_ring_kick(struct mock_ring *ring)
{
	struct mock_job *job;
	struct grtrace_job key;

	lockdep_assert_held(&ring->lock);
	if (ring->state != MOCK_RING_RUNNING || ring->running || ring->signalling)
		return;
	job = list_first_entry_or_null(&ring->jobs, struct mock_job, link);
	if (!job)
		return;

	ring->running = job;
	job->fence->begun = ktime_get();
	ring->ends = ktime_add_ns(job->fence->begun, job->duration_ns);
	key = mock_job_key(job, GRTRACE_TIME_HARDWARE);
	grtrace_job(GRTRACE_START, mock_job_ring(job), &key);
	if (!(job->flags & GRTRACE_MOCK_JOB_HANG))
		hrtimer_start(&ring->timer, ring->ends, HRTIMER_MODE_ABS);
}

/*
 * Takes a job off the hardware. Returns its fence, with a reference: the job
 * itself may be freed as soon as the fence is signalled, even by another task.
 */
static struct dma_fence *mock_ring_take(struct mock_ring *ring, struct mock_job *job)
{
	lockdep_assert_held(&ring->lock);
	list_del_init(&job->link);
	if (ring->running == job)
		ring->running = NULL;
	return dma_fence_get(&job->fence->base);
}

/* Counts first, so that a waiter for the fence sees the new number. */
static void mock_fence_end(struct dma_fence *fence, int error, atomic64_t *counter)
{
	atomic64_inc(counter);
	if (error)
		dma_fence_set_error(fence, error);
	dma_fence_signal(fence);
	dma_fence_put(fence);
}

/* The interrupt: the running job has ended. */
static enum hrtimer_restart mock_ring_irq(struct hrtimer *timer)
{
	struct mock_ring *ring = container_of(timer, struct mock_ring, timer);
	struct mock_job *job;
	struct dma_fence *fence;
	struct grtrace_job key;
	unsigned long flags;
	bool bad;

	spin_lock_irqsave(&ring->lock, flags);
	job = ring->running;
	if (!job) {
		spin_unlock_irqrestore(&ring->lock, flags);
		return HRTIMER_NORESTART;
	}
	bad = job->flags & GRTRACE_MOCK_JOB_ERROR;
	key = mock_job_key(job, GRTRACE_TIME_INTERRUPT);
	grtrace_job(GRTRACE_IRQ, mock_job_ring(job), &key);
	fence = mock_ring_take(ring, job);
	/* No job starts before the end of the last one is reported. */
	ring->signalling = true;
	spin_unlock_irqrestore(&ring->lock, flags);

	/* Without the lock, because signalling runs callbacks of others. */
	mock_fence_end(fence, bad ? -EIO : 0, bad ? &ring->failed : &ring->completed);

	spin_lock_irqsave(&ring->lock, flags);
	ring->signalling = false;
	mock_ring_kick(ring);
	spin_unlock_irqrestore(&ring->lock, flags);
	return HRTIMER_NORESTART;
}

/**
 * mock_ring_init - set up the hardware of a ring
 * @ring: the ring, zeroed
 */
void mock_ring_init(struct mock_ring *ring)
{
	spin_lock_init(&ring->lock);
	mutex_init(&ring->rest_lock);
	INIT_LIST_HEAD(&ring->jobs);
	ring->fence_ctx = dma_fence_context_alloc(1);
	hrtimer_setup(&ring->timer, mock_ring_irq, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
}

/**
 * mock_ring_queue - give the hardware a job
 * @ring: the ring
 * @job: the job
 *
 * Context: Process, in the signalling path: allocates nothing.
 * Return: its hardware fence with a reference for the caller, or -ENODEV.
 */
struct dma_fence *mock_ring_queue(struct mock_ring *ring, struct mock_job *job)
{
	struct mock_fence *fence = job->fence;

	spin_lock_irq(&ring->lock);
	job->has_run = true;
	dma_fence_init(&fence->base, &mock_fence_ops, &fence->lock,
		       ring->fence_ctx, ++ring->seqno);
	if (ring->state == MOCK_RING_DEAD) {
		spin_unlock_irq(&ring->lock);
		mock_fence_end(dma_fence_get(&fence->base), -ENODEV, &ring->failed);
		return ERR_PTR(-ENODEV);
	}
	/* Before the kick, because the job may end at any time after it. */
	dma_fence_get(&fence->base);
	list_add_tail(&job->link, &ring->jobs);
	mock_ring_kick(ring);
	spin_unlock_irq(&ring->lock);
	return &fence->base;
}

/**
 * mock_ring_halt - stop working, for a reset
 * @ring: the ring
 *
 * Jobs stay on the hardware; none ends until mock_ring_resume().
 */
void mock_ring_halt(struct mock_ring *ring)
{
	spin_lock_irq(&ring->lock);
	if (ring->state == MOCK_RING_RUNNING)
		ring->state = MOCK_RING_HALTED;
	spin_unlock_irq(&ring->lock);
	hrtimer_cancel(&ring->timer);
}

/**
 * mock_ring_abort - throw a job off the halted hardware, its time is over
 * @ring: the ring
 * @job: the job
 *
 * Return: false when it was done before the ring was halted.
 */
bool mock_ring_abort(struct mock_ring *ring, struct mock_job *job)
{
	struct dma_fence *fence = NULL;

	spin_lock_irq(&ring->lock);
	if (!list_empty(&job->link))
		fence = mock_ring_take(ring, job);
#ifdef GRTRACE_EXTERNAL
	/* a scheduler without our tracepoints does not report it */
	if (fence) {
		struct grtrace_job key = mock_job_key(job, GRTRACE_TIME_SOFTWARE);

		grtrace_error(mock_job_ring(job), &key, GRTRACE_ERROR_TIMEOUT, -ETIME);
	}
#endif
	spin_unlock_irq(&ring->lock);
	if (!fence)
		return false;
	mock_fence_end(fence, -ETIME, &ring->timedout);
	return true;
}

/**
 * mock_ring_reattach - give the scheduler back the fences of its jobs
 * @ring: the ring, halted
 *
 * drm_sched_stop() lets go of them, in the belief that the reset has thrown all
 * jobs away. The mock has not: those behind the bad one continue.
 *
 * Context: Between drm_sched_stop() and drm_sched_start().
 */
void mock_ring_reattach(struct mock_ring *ring)
{
	struct mock_job *job;

	spin_lock_irq(&ring->lock);
	list_for_each_entry(job, &ring->jobs, link) {
		struct drm_sched_fence *s_fence = job->base.s_fence;

		if (!s_fence->parent)
			s_fence->parent = dma_fence_get(&job->fence->base);
	}
	spin_unlock_irq(&ring->lock);
}

/**
 * mock_ring_resume - continue after a reset
 * @ring: the ring
 */
void mock_ring_resume(struct mock_ring *ring)
{
	spin_lock_irq(&ring->lock);
	if (ring->state == MOCK_RING_HALTED) {
		struct mock_job *job = ring->running;

		ring->state = MOCK_RING_RUNNING;
		if (!job)
			mock_ring_kick(ring);
		else if (!(job->flags & GRTRACE_MOCK_JOB_HANG))
			hrtimer_start(&ring->timer, ring->ends, HRTIMER_MODE_ABS);
	}
	spin_unlock_irq(&ring->lock);
}

/**
 * mock_ring_die - the hardware is gone: no interrupt comes from here on
 * @ring: the ring
 */
void mock_ring_die(struct mock_ring *ring)
{
	spin_lock_irq(&ring->lock);
	ring->state = MOCK_RING_DEAD;
	spin_unlock_irq(&ring->lock);
	hrtimer_cancel(&ring->timer);
}

/**
 * mock_ring_drain - fail the jobs a dead ring still had
 * @ring: the ring, after mock_ring_die()
 */
void mock_ring_drain(struct mock_ring *ring)
{
	struct dma_fence *fence;
	struct mock_job *job;

	do {
		spin_lock_irq(&ring->lock);
		job = list_first_entry_or_null(&ring->jobs, struct mock_job, link);
		fence = job ? mock_ring_take(ring, job) : NULL;
		spin_unlock_irq(&ring->lock);
		if (fence)
			mock_fence_end(fence, -ENODEV, &ring->failed);
	} while (fence);
}

MODULE_DESCRIPTION("Mock GPU for testing grtrace");
MODULE_LICENSE("GPL");
