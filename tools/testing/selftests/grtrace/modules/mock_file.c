// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_mock: an open file, its contexts, and the fences it may name.
 *
 * One mutex for each file covers all of it, and is the lock that arming and
 * pushing a job need. Queues (scheduler entities) are made on first use, inside
 * drm_dev_enter(): so none can appear once unbinding has killed them all.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <drm/drm_file.h>

#include "mock.h"

/*
 * Kills the jobs that no ring has taken yet. drm_sched_entity_destroy() would
 * wait for them first.
 *
 * The scheduler rests meanwhile. In a kernel without "drm/sched: Leave a killed
 * entity out of the run queue" it could be taking a job out of the queue, and
 * would then put the entity back into its run queue for good.
 */
static void mock_queue_kill(struct mock_queue *queue)
{
	struct mock_ring *ring;

	if (!queue || !queue->alive)
		return;
	ring = queue->ring;
	mutex_lock(&ring->rest_lock);
	drm_sched_wqueue_stop(&ring->sched);
	drm_sched_entity_fini(&queue->entity);
	drm_sched_wqueue_start(&ring->sched);
	mutex_unlock(&ring->rest_lock);
	queue->alive = false;
}

/**
 * mock_queue_get - the queue of a context on a ring
 * @file: the file, locked
 * @ctx: the context, not killed
 * @ring: the ring
 *
 * Context: Inside drm_dev_enter().
 * Return: the queue, made if necessary, or an ERR_PTR.
 */
struct mock_queue *mock_queue_get(struct mock_file *file, struct mock_ctx *ctx,
				  struct mock_ring *ring)
{
	struct drm_gpu_scheduler *sched = &ring->sched;
	unsigned int index = ring - ring->mdev->rings;
	struct mock_queue *queue = ctx->queues[index];
	int ret;

	if (queue)
		return queue;
	queue = kzalloc_obj(*queue, GFP_KERNEL_ACCOUNT);
	if (!queue)
		return ERR_PTR(-ENOMEM);
	ret = drm_sched_entity_init(&queue->entity, DRM_SCHED_PRIORITY_NORMAL, &sched, 1, NULL);
	if (ret)
		goto err_free;
	queue->alive = true;
	queue->ring = ring;
	queue->fence_ctx = queue->entity.fence_context + 1;
	ret = xa_err(xa_store(&file->queues, queue->fence_ctx, queue, GFP_KERNEL));
	if (ret)
		goto err_entity;
	ctx->queues[index] = queue;
	return queue;

err_entity:
	drm_sched_entity_fini(&queue->entity);
err_free:
	kfree(queue);
	return ERR_PTR(ret);
}

/*
 * Freed by RCU: the scheduler's callback for a dependency, running in an
 * interrupt on another CPU, may still read the entity after
 * drm_sched_entity_fini().
 */
static void mock_queue_free(struct mock_file *file, struct mock_queue *queue)
{
	unsigned int i;

	if (!queue)
		return;
	xa_erase(&file->queues, queue->fence_ctx);
	for (i = 0; i < GRTRACE_MOCK_HISTORY; i++)
		dma_fence_put(queue->history[i]);
	kfree_rcu(queue, rcu);
}

/**
 * mock_ctx_kill - kill a context's jobs, and take no more
 * @ctx: the context, with its file locked
 */
void mock_ctx_kill(struct mock_ctx *ctx)
{
	unsigned int i;

	ctx->killed = true;
	for (i = 0; i < GRTRACE_MOCK_MAX_RINGS; i++)
		mock_queue_kill(ctx->queues[i]);
}

/**
 * mock_ctx_free - free a context
 * @file: its file, locked
 * @ctx: the context, killed
 */
void mock_ctx_free(struct mock_file *file, struct mock_ctx *ctx)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_MOCK_MAX_RINGS; i++)
		mock_queue_free(file, ctx->queues[i]);
	kfree(ctx);
}

/**
 * mock_file_open - a file is opened
 * @drm: the device
 * @drm_file: the file
 *
 * Return: 0 or -ENOMEM.
 */
int mock_file_open(struct drm_device *drm, struct drm_file *drm_file)
{
	struct mock_device *mdev = to_mock_device(drm);
	struct mock_file *file = kzalloc_obj(*file);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->lock);
	xa_init_flags(&file->ctxs, XA_FLAGS_ALLOC1);
	xa_init(&file->queues);
	drm_file->driver_priv = file;

	mutex_lock(&mdev->files_lock);
	list_add_tail(&file->node, &mdev->files);
	mutex_unlock(&mdev->files_lock);
	return 0;
}

/**
 * mock_file_close - a file is closed, possibly long after unbinding
 * @drm: the device
 * @drm_file: the file
 */
void mock_file_close(struct drm_device *drm, struct drm_file *drm_file)
{
	struct mock_device *mdev = to_mock_device(drm);
	struct mock_file *file = drm_file->driver_priv;
	struct mock_ctx *ctx;
	unsigned long i;

	/* Jobs are killed under this lock, so that unbinding cannot overtake it. */
	mutex_lock(&mdev->files_lock);
	list_del(&file->node);
	xa_for_each(&file->ctxs, i, ctx)
		mock_ctx_kill(ctx);
	mutex_unlock(&mdev->files_lock);

	xa_for_each(&file->ctxs, i, ctx)
		mock_ctx_free(file, ctx);
	xa_destroy(&file->ctxs);
	xa_destroy(&file->queues);
	mutex_destroy(&file->lock);
	kfree(file);
}

/**
 * mock_files_kill - kill the jobs of all open files
 * @mdev: the device, unplugged
 */
void mock_files_kill(struct mock_device *mdev)
{
	struct mock_file *file;
	struct mock_ctx *ctx;
	unsigned long i;

	mutex_lock(&mdev->files_lock);
	list_for_each_entry(file, &mdev->files, node) {
		mutex_lock(&file->lock);
		xa_for_each(&file->ctxs, i, ctx)
			mock_ctx_kill(ctx);
		mutex_unlock(&file->lock);
	}
	mutex_unlock(&mdev->files_lock);
}

/**
 * mock_fence_find - the finished fence of a job
 * @file: the file, locked
 * @name: what user space calls it
 * @retired: set if it is no longer kept. Jobs of a queue end in order, so the
 *	oldest that is kept is given: a wait for it ends no earlier.
 *
 * Return: the fence with a reference, or an ERR_PTR.
 */
struct dma_fence *mock_fence_find(struct mock_file *file,
				  const struct grtrace_mock_fence *name, bool *retired)
{
	struct mock_queue *queue = xa_load(&file->queues, name->ctx);
	u64 seqno = name->seqno;

	if (!queue)
		return ERR_PTR(-ENOENT);
	if (!seqno || seqno > queue->last)
		return ERR_PTR(-EINVAL);
	*retired = queue->last - seqno >= GRTRACE_MOCK_HISTORY;
	if (*retired)
		seqno = queue->last - GRTRACE_MOCK_HISTORY + 1;
	return dma_fence_get(queue->history[seqno % GRTRACE_MOCK_HISTORY]);
}

/**
 * mock_fence_keep - remember the finished fence of the newest job
 * @queue: the job's queue, with its file locked
 * @fence: the fence
 */
void mock_fence_keep(struct mock_queue *queue, struct dma_fence *fence)
{
	struct dma_fence **slot = &queue->history[fence->seqno % GRTRACE_MOCK_HISTORY];

	dma_fence_put(*slot);
	*slot = dma_fence_get(fence);
	queue->last = fence->seqno;
}
