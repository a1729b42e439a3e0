// SPDX-License-Identifier: GPL-2.0
/*
 * Source: DRM core events, which all DRM drivers share.
 *
 *	SYNC_WAIT_ENTER  drm_syncobj_wait_start
 *	SYNC_WAIT_EXIT   drm_syncobj_wait_end
 *	ERROR            drm_dev_wedged
 *
 * A wait for sync objects is recorded with the first fence that is not
 * signalled, or with 0:0 if nothing was submitted yet: then the task waits for
 * another task, not for the GPU. These waits have a loop of their own, so the
 * dma_fence source does not see them.
 *
 * A wedged device concerns all of its rings. To have a place for its name, the
 * device itself appears as a ring without jobs, from its first such ERROR on.
 */
#include <linux/atomic.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>

#include "../drm/drm_trace.h"

static void drm_wait_event(enum grtrace_rec_type type,
			   const struct dma_fence *fence, long ret)
{
	struct grtrace_job job = {};

	if (fence)
		job = grtrace_job_of(fence, NULL);
	job.arg = grtrace_wait_result(ret);
	grtrace_job(type, NULL, &job);
}

static void probe_syncobj_wait_start(void *data, struct drm_file *file,
				     struct dma_fence *fence, u32 count,
				     u32 flags)
{
	/* The task holds a reference to the fence. */
	if (fence && !grtrace_fence_source(fence))
		grtrace_fence_name(GRTRACE_SYNC_WAIT_ENTER, fence);
	drm_wait_event(GRTRACE_SYNC_WAIT_ENTER, fence, 0);
}

static void probe_syncobj_wait_end(void *data, struct drm_file *file,
				   struct dma_fence *fence, u32 count, long ret)
{
	drm_wait_event(GRTRACE_SYNC_WAIT_EXIT, fence, ret);
}

#ifndef GRTRACE_COMPAT

/*
 * No event reports that a device is gone. The count is used as a context that
 * is new each time, which makes the core check whether the address still
 * belongs to the same device.
 */
static struct grtrace_ring *drm_device_ring(struct drm_device *dev)
{
	static atomic64_t count;
	const struct grtrace_ring_desc desc = {
		.dev = dev->dev,
		.driver = dev->driver->name,
		.name = "device",
		.engine_class = GRTRACE_CLASS_OTHER,
		.flags = GRTRACE_RING_DEVICE,
	};

	return grtrace_ring_submit(dev, atomic64_inc_return(&count), &desc);
}

static void probe_dev_wedged(void *data, struct drm_device *dev,
			     unsigned long method,
			     const struct drm_wedge_task_info *info)
{
	const struct grtrace_failure failure = {
		.kind = GRTRACE_ERROR_WEDGED,
		.code = min(method, S32_MAX),
		.pid = info ? info->pid : 0,
		.comm = info ? info->comm : NULL,
	};

	grtrace_failure(drm_device_ring(dev), NULL, &failure);
}

#endif

static struct grtrace_probe drm_probes[] = {
	GRTRACE_PROBE(drm_syncobj_wait_start, probe_syncobj_wait_start),
	GRTRACE_PROBE(drm_syncobj_wait_end, probe_syncobj_wait_end),
#ifndef GRTRACE_COMPAT
	GRTRACE_PROBE(drm_dev_wedged, probe_dev_wedged),
#endif
};

module_grtrace_source(drm_source, "drm", drm_probes);

MODULE_DESCRIPTION("grtrace source: DRM core events");
MODULE_LICENSE("GPL");
