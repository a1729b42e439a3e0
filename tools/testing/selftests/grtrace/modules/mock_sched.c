// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_mock: jobs, and what the DRM scheduler calls back for.
 *
 * Only those of grtrace's events come from here that the scheduler cannot see:
 * the source drm_sched listens to its tracepoints and reports the rest.
 */
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/drm_drv.h>

#include "mock.h"

static struct mock_job *to_mock_job(struct drm_sched_job *base)
{
	return container_of(base, struct mock_job, base);
}

/**
 * mock_job_new - make a job
 * @ring: its ring
 * @entity: the queue it is for
 * @args: what it shall do
 * @client_id: the DRM client's id
 *
 * Ends in mock_job_push() or, before that, in mock_job_free().
 *
 * Return: the job, or an ERR_PTR.
 */
struct mock_job *mock_job_new(struct mock_ring *ring, struct drm_sched_entity *entity,
			      const struct grtrace_mock_submit *args, u64 client_id)
{
	struct mock_fence *fence;
	struct mock_job *job;
	int ret;

	job = kzalloc_obj(*job, GFP_KERNEL_ACCOUNT);
	fence = kzalloc_obj(*fence, GFP_KERNEL_ACCOUNT);
	ret = job && fence ? drm_sched_job_init(&job->base, entity, 1, ring->mdev, client_id) :
			     -ENOMEM;
	if (ret) {
		kfree(fence);
		kfree(job);
		return ERR_PTR(ret);
	}

	spin_lock_init(&fence->lock);
	strscpy(fence->name, ring->name);
	INIT_LIST_HEAD(&job->link);
	job->ring = ring;
	job->fence = fence;
	job->duration_ns = args->duration_ns;
	job->owner.pid = current->pid;
	get_task_comm(job->owner.comm, current);
	job->flags = args->flags;
	refcount_inc(&ring->mdev->jobs);
	return job;
}

/**
 * mock_job_free - free a job that is done, killed, or was never pushed
 * @job: the job
 *
 * The last thing is to say so: unbinding waits for it, then frees the rest.
 */
void mock_job_free(struct mock_job *job)
{
	struct mock_device *mdev = job->ring->mdev;

	drm_sched_job_cleanup(&job->base);
	if (job->has_run)
		dma_fence_put(&job->fence->base);
	else
		kfree(job->fence);
	kfree(job);
	if (refcount_dec_and_test(&mdev->jobs))
		complete(&mdev->jobs_freed);
}

/**
 * mock_job_ring - what grtrace knows the ring of a job as
 * @job: the job, armed and not freed
 *
 * Context: As in a probe: RCU waits for the end of what the caller is in.
 * Return: the ring, or NULL while no session runs and where there are too many.
 */
struct grtrace_ring *mock_job_ring(const struct mock_job *job)
{
	struct mock_ring *ring = job->ring;
	const struct grtrace_ring_desc desc = {
		.dev = ring->mdev->drm.dev,
		.name = ring->name,
		.engine_class = ring->engine_class,
		.timeout_ms = grtrace_ring_timeout(ring->sched.timeout),
	};

	if (!grtrace_running())
		return NULL;
	return grtrace_ring_submit(&ring->sched, job->base.s_fence->finished.context, &desc);
}

/**
 * mock_job_push - hand an armed job to the scheduler
 * @job: the job, no longer ours
 *
 * Context: Under the lock it was armed under.
 */
void mock_job_push(struct mock_job *job)
{
	atomic64_inc(&job->ring->submitted);
	/* before the scheduler's events, which do not contain the kind of the ring */
	scoped_guard(rcu)
		mock_job_ring(job);
	drm_sched_entity_push_job(&job->base);
}

static struct dma_fence *mock_sched_run_job(struct drm_sched_job *base)
{
	struct mock_job *job = to_mock_job(base);

	return mock_ring_queue(job->ring, job);
}

/* As in real drivers: the reset was the whole recovery. */
static void mock_device_wedged(struct mock_device *mdev,
			       struct drm_wedge_task_info *guilty)
{
	int idx;

	if (!drm_dev_enter(&mdev->drm, &idx))
		return;
	drm_dev_wedged_event(&mdev->drm, DRM_WEDGE_RECOVERY_NONE, guilty);
	drm_dev_exit(idx);
}

/*
 * The mock reset. Only when nothing can end any more is it certain whether the
 * job is to blame. The scheduler is stopped and started in any case: it has
 * removed the job from its list, and only drm_sched_stop() adds it again
 * (6.12).
 */
static enum drm_gpu_sched_stat mock_sched_timedout_job(struct drm_sched_job *base)
{
	struct mock_job *job = to_mock_job(base);
	struct mock_ring *ring = job->ring;
	struct grtrace_job key = mock_job_key(job, GRTRACE_TIME_SOFTWARE);
	struct drm_wedge_task_info owner = job->owner;
	bool hung;

	mutex_lock(&ring->rest_lock);
	mock_ring_halt(ring);
	hung = mock_ring_abort(ring, job);
	drm_sched_stop(&ring->sched, base);
	scoped_guard(rcu)
		if (hung)
			grtrace_error(mock_job_ring(job), &key, GRTRACE_ERROR_RESET, 0);
	mock_ring_reattach(ring);
	drm_sched_start(&ring->sched, 0);
	mock_ring_resume(ring);
	mutex_unlock(&ring->rest_lock);
	if (hung)
		mock_device_wedged(ring->mdev, &owner);
	return DRM_GPU_SCHED_STAT_RESET;
}

static void mock_sched_free_job(struct drm_sched_job *base)
{
	struct mock_job *job = to_mock_job(base);

	if (!job->has_run)
		atomic64_inc(&job->ring->killed);
	mock_job_free(job);
}

static const struct drm_sched_backend_ops mock_sched_ops = {
	.run_job = mock_sched_run_job,
	.timedout_job = mock_sched_timedout_job,
	.free_job = mock_sched_free_job,
};

/**
 * mock_sched_init - set up the scheduler of a ring
 * @ring: the ring, with its name and device
 * @dev: the platform device
 * @credits: jobs the hardware takes at a time
 * @timeout_ms: how long it may work on one
 *
 * Return: 0 or -errno.
 */
int mock_sched_init(struct mock_ring *ring, struct device *dev,
		    unsigned int credits, unsigned int timeout_ms)
{
	const struct drm_sched_init_args args = {
		.ops = &mock_sched_ops,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = credits,
		.timeout = msecs_to_jiffies(timeout_ms),
		.timeout_wq = ring->mdev->reset_wq,
		.name = ring->name,
		.dev = dev,
	};

	return drm_sched_init(&ring->sched, &args);
}
