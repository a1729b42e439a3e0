// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_mock: the ioctls, grtrace_mock_drm.h says what they do.
 */
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_syncobj.h>

#include "mock.h"

static_assert(DRM_IOCTL_BASE == 'd' && DRM_COMMAND_BASE == 0x40);

static int mock_job_add_deps(struct mock_file *file, struct mock_job *job,
			     const struct grtrace_mock_submit *args)
{
	struct dma_fence *fence;
	unsigned int i;
	bool retired;
	int ret;

	for (i = 0; i < args->nr_deps; i++) {
		fence = mock_fence_find(file, &args->deps[i], &retired);
		if (IS_ERR(fence))
			return PTR_ERR(fence);
		/* It takes over our reference, even if it fails. */
		ret = drm_sched_job_add_dependency(&job->base, fence);
		if (ret)
			return ret;
	}
	return 0;
}

static int mock_submit_one(struct mock_file *file, struct mock_queue *queue,
			   struct mock_ring *ring, struct grtrace_mock_submit *args,
			   u64 client_id, bool first)
{
	struct mock_job *job;
	int ret;

	job = mock_job_new(ring, &queue->entity, args, client_id);
	if (IS_ERR(job))
		return PTR_ERR(job);
	ret = first ? mock_job_add_deps(file, job, args) : 0;
	if (ret) {
		mock_job_free(job);
		return ret;
	}

	drm_sched_job_arm(&job->base);
	mock_fence_keep(queue, &job->base.s_fence->finished);
	mock_job_push(job);
	if (first)
		args->first_seqno = queue->last;
	args->last_seqno = queue->last;
	return 0;
}

static int mock_submit_all(struct mock_file *file, struct mock_device *mdev,
			   struct grtrace_mock_submit *args, u64 client_id)
{
	struct mock_ctx *ctx = xa_load(&file->ctxs, args->ctx);
	struct mock_ring *ring = &mdev->rings[args->ring];
	struct mock_queue *queue;
	unsigned int done;
	int ret = 0;

	if (!ctx)
		return -ENOENT;
	if (ctx->killed)
		return -ECANCELED;
	queue = mock_queue_get(file, ctx, ring);
	if (IS_ERR(queue))
		return PTR_ERR(queue);

	for (done = 0; done < args->count; done++) {
		ret = mock_submit_one(file, queue, ring, args, client_id, !done);
		if (ret)
			break;
	}
	if (!done)
		return ret;
	args->count = done;
	args->fence_ctx = queue->fence_ctx;
	return 0;
}

static void mock_syncobj_follow(struct drm_syncobj *syncobj, struct mock_file *file,
				const struct grtrace_mock_submit *args)
{
	const struct grtrace_mock_fence last = {
		.ctx = args->fence_ctx,
		.seqno = args->last_seqno,
	};
	struct dma_fence *fence;
	bool retired;

	fence = mock_fence_find(file, &last, &retired);
	if (IS_ERR(fence))
		return;
	drm_syncobj_replace_fence(syncobj, fence);
	dma_fence_put(fence);
}

static int mock_ioctl_submit(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct mock_device *mdev = to_mock_device(drm);
	struct mock_file *file = drm_file->driver_priv;
	struct grtrace_mock_submit *args = data;
	struct drm_syncobj *syncobj = NULL;
	int idx, ret;

	if (args->ring >= mdev->nr_rings || !args->count ||
	    args->count > GRTRACE_MOCK_MAX_COUNT ||
	    args->flags & ~(GRTRACE_MOCK_JOB_ERROR | GRTRACE_MOCK_JOB_HANG) ||
	    args->duration_ns > GRTRACE_MOCK_MAX_NS || args->nr_deps > GRTRACE_MOCK_MAX_DEPS)
		return -EINVAL;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	if (args->syncobj) {
		syncobj = drm_syncobj_find(drm_file, args->syncobj);
		if (!syncobj) {
			ret = -ENOENT;
			goto out;
		}
	}
	mutex_lock(&file->lock);
	ret = mock_submit_all(file, mdev, args, drm_file->client_id);
	if (!ret && syncobj)
		mock_syncobj_follow(syncobj, file, args);
	mutex_unlock(&file->lock);
	if (syncobj)
		drm_syncobj_put(syncobj);
out:
	drm_dev_exit(idx);
	return ret;
}

static int mock_ioctl_ctx_create(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct mock_file *file = drm_file->driver_priv;
	struct grtrace_mock_ctx_create *args = data;
	struct mock_ctx *ctx;
	int ret;

	if (args->flags)
		return -EINVAL;
	ctx = kzalloc_obj(*ctx, GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return -ENOMEM;

	mutex_lock(&file->lock);
	ret = xa_alloc(&file->ctxs, &args->ctx, ctx,
		       XA_LIMIT(1, GRTRACE_MOCK_MAX_CTXS), GFP_KERNEL);
	mutex_unlock(&file->lock);
	if (ret)
		kfree(ctx);
	return ret;
}

static int mock_ioctl_ctx_destroy(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct mock_file *file = drm_file->driver_priv;
	struct grtrace_mock_ctx_destroy *args = data;
	struct mock_ctx *ctx;

	if (args->flags & ~GRTRACE_MOCK_CTX_KEEP)
		return -EINVAL;

	mutex_lock(&file->lock);
	ctx = xa_load(&file->ctxs, args->ctx);
	if (ctx) {
		mock_ctx_kill(ctx);
		if (!(args->flags & GRTRACE_MOCK_CTX_KEEP)) {
			xa_erase(&file->ctxs, args->ctx);
			mock_ctx_free(file, ctx);
		}
	}
	mutex_unlock(&file->lock);
	return ctx ? 0 : -ENOENT;
}

static long mock_timeout(s64 timeout_ns)
{
	long timeout;

	if (timeout_ns < 0)
		return MAX_SCHEDULE_TIMEOUT;
	timeout = min_t(u64, nsecs_to_jiffies64(timeout_ns), MAX_SCHEDULE_TIMEOUT - 1);
	return timeout_ns ? timeout + 1 : 0;	/* rounded up, so that it is never too short */
}

/*
 * The ioctl's result of a wait that ended with @left. The time is relative, so
 * what is left must survive the restart after a signal.
 */
static int mock_wait_result(long left, ktime_t start, s64 *timeout_ns)
{
	if (left < 0 && *timeout_ns > 0)
		*timeout_ns = max(*timeout_ns - ktime_to_ns(ktime_sub(ktime_get(), start)), 0LL);
	if (left < 0)
		return left;
	return left ? 0 : -ETIME;
}

/* Returns the result of a job, by its finished fence, which is signalled. */
static void mock_wait_tell(struct dma_fence *fence, struct grtrace_mock_wait *args)
{
	/* Does not use the fence's ops, which may be gone by now. */
	struct drm_sched_fence *s_fence = container_of(fence, struct drm_sched_fence, finished);
	struct dma_fence *parent = s_fence->parent;

	args->error = fence->error;
	args->done_ns = ktime_to_ns(dma_fence_timestamp(fence));
	if (!parent || !dma_fence_is_signaled(parent))
		return;
	args->begun_ns = ktime_to_ns(container_of(parent, struct mock_fence, base)->begun);
	args->ended_ns = ktime_to_ns(dma_fence_timestamp(parent));
}

static int mock_ioctl_wait(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct mock_file *file = drm_file->driver_priv;
	struct grtrace_mock_wait *args = data;
	ktime_t start = ktime_get();
	struct dma_fence *fence;
	bool retired;
	long left;

	if (args->error || args->flags || args->begun_ns || args->ended_ns || args->done_ns)
		return -EINVAL;

	mutex_lock(&file->lock);
	fence = mock_fence_find(file, &args->fence, &retired);
	mutex_unlock(&file->lock);
	if (IS_ERR(fence))
		return PTR_ERR(fence);

	/* Outside drm_dev_enter(), because unbinding would have to wait for it. */
	left = dma_fence_wait_timeout(fence, true, mock_timeout(args->timeout_ns));
	if (left > 0 && retired)
		args->flags = GRTRACE_MOCK_WAIT_RETIRED;
	else if (left > 0)
		mock_wait_tell(fence, args);
	dma_fence_put(fence);
	return mock_wait_result(left, start, &args->timeout_ns);
}

static int mock_ioctl_wait_any(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct dma_fence *fences[GRTRACE_MOCK_MAX_ANY];
	struct mock_file *file = drm_file->driver_priv;
	struct grtrace_mock_wait_any *args = data;
	ktime_t start = ktime_get();
	unsigned int nr;
	bool retired;
	int ret = 0;
	long left;

	if (!args->nr_fences || args->nr_fences > GRTRACE_MOCK_MAX_ANY || args->first)
		return -EINVAL;

	mutex_lock(&file->lock);
	for (nr = 0; nr < args->nr_fences; nr++) {
		fences[nr] = mock_fence_find(file, &args->fences[nr], &retired);
		if (IS_ERR(fences[nr])) {
			ret = PTR_ERR(fences[nr]);
			break;
		}
	}
	mutex_unlock(&file->lock);
	if (!ret) {
		left = dma_fence_wait_any_timeout(fences, nr, true, mock_timeout(args->timeout_ns),
						  &args->first);
		ret = mock_wait_result(left, start, &args->timeout_ns);
	}
	while (nr--)
		dma_fence_put(fences[nr]);
	return ret;
}

static int mock_ioctl_info(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct mock_device *mdev = to_mock_device(drm);
	struct grtrace_mock_info *args = data;
	struct mock_ring *ring;

	if (args->ring >= mdev->nr_rings || args->reserved)
		return -EINVAL;
	ring = &mdev->rings[args->ring];
	args->nr_rings = mdev->nr_rings;
	args->engine_class = ring->engine_class;
	strscpy_pad(args->name, ring->name);
	args->submitted = atomic64_read(&ring->submitted);
	args->completed = atomic64_read(&ring->completed);
	args->failed = atomic64_read(&ring->failed);
	args->timedout = atomic64_read(&ring->timedout);
	args->killed = atomic64_read(&ring->killed);
	return 0;
}

const struct drm_ioctl_desc mock_ioctls[] = {
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_CTX_CREATE, mock_ioctl_ctx_create, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_CTX_DESTROY, mock_ioctl_ctx_destroy, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_SUBMIT, mock_ioctl_submit, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_WAIT, mock_ioctl_wait, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_INFO, mock_ioctl_info, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_WAIT_ANY, mock_ioctl_wait_any, DRM_RENDER_ALLOW),
};

const unsigned int mock_nr_ioctls = ARRAY_SIZE(mock_ioctls);
