// SPDX-License-Identifier: GPL-2.0
/*
 * Source: dma_fence. It reports signalled fences of all drivers, and tasks that
 * wait for fences.
 *
 * Fences of the DRM scheduler are left to the scheduler's source, which knows
 * their meaning for the jobs, and claimed fences to the source that claims
 * them.
 *
 * Before the start of a wait it has the fence's driver and timeline recorded, unless the
 * fence is a job's. (A signalled fence must not be asked for them, so FENCE is without.)
 *
 * A wait for any of several fences is recorded at its start and at its end,
 * both times with the first fence. No driver is involved in such a wait, so no
 * other source can report it. Neither such a wait nor a wait for sync objects
 * (source_drm.c) calls the wait for a single fence.
 */
#include <linux/dma-fence.h>
#include <linux/errno.h>
#include <linux/grtrace.h>
#include <linux/module.h>

#include <drm/gpu_scheduler.h>

#ifndef GRTRACE_EXTERNAL
#include <trace/events/dma_fence.h>
#endif

static bool fence_is_sched(struct dma_fence *fence)
{
#if IS_REACHABLE(CONFIG_DRM_SCHED)
	return to_drm_sched_fence(fence);
#else
	return false;
#endif
}

static void fence_event(enum grtrace_rec_type type,
			const struct dma_fence *fence)
{
	const struct grtrace_job job = grtrace_job_of(fence, NULL);

	grtrace_job(type, NULL, &job);
}

static bool fence_wait_is_claimed(const struct dma_fence *fence)
{
	const struct grtrace_source *source = grtrace_fence_source(fence);

	return source && source->claims_waits;
}

/*
 * The fence's lock is held: only its fields may be read. On 7.3 not even the
 * time stamp may be read, because it is not written yet.
 */
static void probe_signaled(void *data, struct dma_fence *fence)
{
	if (!fence_is_sched(fence) && !grtrace_fence_source(fence))
		fence_event(GRTRACE_FENCE, fence);
}

/* A task begins to wait; it holds a reference to the fence. */
static void fence_wait_begins(struct dma_fence *fence)
{
	if (!fence_is_sched(fence) && !grtrace_fence_source(fence))
		grtrace_fence_name(GRTRACE_SYNC_WAIT_ENTER, fence);
	fence_event(GRTRACE_SYNC_WAIT_ENTER, fence);
}

static void probe_wait_start(void *data, struct dma_fence *fence)
{
	if (!fence_wait_is_claimed(fence))
		fence_wait_begins(fence);
}

static void probe_wait_end(void *data, struct dma_fence *fence)
{
	if (!fence_wait_is_claimed(fence))
		fence_event(GRTRACE_SYNC_WAIT_EXIT, fence);
}

#ifndef GRTRACE_EXTERNAL

static void probe_wait_any_start(void *data, struct dma_fence **fences,
				 u32 count)
{
	fence_wait_begins(fences[0]);
}

static void probe_wait_any_end(void *data, struct dma_fence **fences,
			       u32 count, u32 signaled, signed long ret)
{
	struct grtrace_job job = grtrace_job_of(fences[0], NULL);

	/* no time left, and no fence signalled */
	job.arg = grtrace_wait_result(ret || signaled < count ? ret : -ETIME);
	grtrace_job(GRTRACE_SYNC_WAIT_EXIT, NULL, &job);
}

#endif

static struct grtrace_probe fence_probes[] = {
	GRTRACE_PROBE(dma_fence_signaled, probe_signaled),
	GRTRACE_PROBE(dma_fence_wait_start, probe_wait_start),
	GRTRACE_PROBE(dma_fence_wait_end, probe_wait_end),
#ifndef GRTRACE_EXTERNAL
	GRTRACE_PROBE(dma_fence_wait_any_start, probe_wait_any_start),
	GRTRACE_PROBE(dma_fence_wait_any_end, probe_wait_any_end),
#endif
};

module_grtrace_source(fence_source, "dma_fence", fence_probes);

MODULE_DESCRIPTION("grtrace source: dma_fence");
MODULE_LICENSE("GPL");

#ifndef GRTRACE_COMPAT
#if IS_ENABLED(CONFIG_GRTRACE_KUNIT_TEST) && IS_REACHABLE(CONFIG_DRM_SCHED)
#include "tests/source_dma_fence_test.c"
#endif
#endif
