// SPDX-License-Identifier: GPL-2.0
/*
 * Source: virtio-gpu. A ring is a virtqueue, a job is a command.
 *
 *	SUBMIT  virtio_gpu_cmd_queue, with the type of the command; names the
 *		command's fence if it has one
 *	COMMIT  virtio_gpu_kick, one for each command of the batch
 *	IRQ     virtio_gpu_interrupt
 *	END     virtio_gpu_cmd_response, with the type of the response
 *	ERROR   the same, if the host refused
 *
 * A command's key is {a context that belongs to the ring, number of the command
 * in its queue}, because most commands have no fence, and the host writes the
 * header of the response, so nothing in it can be trusted. The driver emits a
 * command's fence on the same CPU right before it queues the command, under the
 * queue's lock; this connects the two. The dma_fence source reports the fence
 * itself. Therefore a COMMIT names no fence other than its key.
 *
 * A host that is still working takes a command off the queue before the driver
 * kicks: then its END may come before its COMMIT. An IRQ names no job, because
 * a worker only reads later what the host has done.
 *
 * On kernels without trace events for kicks and interrupts, the other events
 * are found by name, and there is no COMMIT and no IRQ.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/virtio.h>

#include <uapi/linux/virtio_gpu.h>

#ifndef GRTRACE_EXTERNAL
#include <trace/events/dma_fence.h>
#include "../drm/virtio/virtgpu_trace.h"
#endif

/* COMMITs of one kick; limited because a lock is held. QEMU's queue is that long. */
#define VIRTIO_BATCH_MAX	256

/* The last fence emitted on this CPU. */
struct virtio_fence {
	/*
	 * the emitter, for kernels whose spinlocks sleep: another task may emit a
	 * fence before this task's command is queued, which then names no fence
	 */
	struct task_struct *task;
	u64 ctx;
	u64 seqno;	/* the driver also puts it into the command; 0 once used */
};

static DEFINE_PER_CPU(struct virtio_fence, virtio_fence);

/* virtio0 is only a name on the bus; lspci shows its parent. */
static struct device *virtio_device(struct virtqueue *vq)
{
	struct device *dev = &vq->vdev->dev;

	return dev->parent ?: dev;
}

/*
 * The key of a queue: its device, and its number there. When the machine goes to
 * sleep, the driver frees its queues; when the machine wakes up, the driver
 * allocates others, perhaps at swapped addresses, and continues to count. The
 * device stays. No other source has such a key: other keys are aligned addresses,
 * and those of queues 0 and 1 are not.
 */
static const void *virtio_key(const struct virtqueue *vq)
{
	return (const void *)vq->vdev + 1 + vq->index;
}

static struct grtrace_ring *virtio_ring(struct virtqueue *vq)
{
	const void *key = virtio_key(vq);

	/* the contexts of a queue are its commands, see below */
	return grtrace_ring_find(key) ?:
	       grtrace_ring_submit(key, 1, &(struct grtrace_ring_desc) {
			.dev = virtio_device(vq),
			.driver = dev_driver_string(&vq->vdev->dev),
			.name = vq->name,
			.leaves_on = GRTRACE_END,
	       });
}

static void probe_fence_emit(void *data, struct dma_fence *fence)
{
	guard(preempt_notrace)();
	/* An interrupt in between must not find a seqno without its ctx. */
	this_cpu_write(virtio_fence.seqno, 0);
	this_cpu_write(virtio_fence.task, current);
	this_cpu_write(virtio_fence.ctx, fence->context);
	this_cpu_write(virtio_fence.seqno, fence->seqno);
}

/* Gives the job the last emitted fence, if that belongs to its command. */
static void virtio_fence_take(u64 seqno, struct grtrace_job *job)
{
	guard(preempt_notrace)();
	if (this_cpu_read(virtio_fence.seqno) != seqno ||
	    this_cpu_read(virtio_fence.task) != current)
		return;
	job->fence_ctx = this_cpu_read(virtio_fence.ctx);
	job->fence_seqno = seqno;
	this_cpu_write(virtio_fence.seqno, 0);
}

static void probe_cmd_queue(void *data, struct virtqueue *vq,
			    struct virtio_gpu_ctrl_hdr *hdr, u32 seqno)
{
	u32 flags = le32_to_cpu(hdr->flags);
	struct grtrace_job job = {
		.seqno = seqno,
		.command = le32_to_cpu(hdr->type),
	};
	struct grtrace_ring *ring = grtrace_ring_find(virtio_key(vq));

	/*
	 * If the driver does not continue to count but starts again from 1, it
	 * was bound again, perhaps to another device. The first commands after
	 * a module was reloaded may have been missed.
	 */
	if (ring && seqno <= READ_ONCE(ring->newest_ctx))
		grtrace_ring_retire(virtio_key(vq));
	ring = virtio_ring(vq);
	if (ring)
		WRITE_ONCE(ring->newest_ctx, max(seqno, 1));
	job.ctx = ring ? ring->ctx : 0;
	if (flags & VIRTIO_GPU_FLAG_FENCE)
		virtio_fence_take(le64_to_cpu(hdr->fence_id), &job);
	grtrace_command(ring, &job, 0);
}

#ifndef GRTRACE_EXTERNAL

/*
 * The queue's lock is held. The host has the commands even without a doorbell
 * (@notify): it has announced that it checks the queue by itself.
 */
static void probe_kick(void *data, struct virtqueue *vq, u32 seqno,
		       u32 commands, bool notify)
{
	struct grtrace_ring *ring = virtio_ring(vq);
	struct grtrace_job job = {};

	job.ctx = ring ? ring->ctx : 0;
	job.fence_ctx = job.ctx;
	for (commands = min(commands, VIRTIO_BATCH_MAX); commands; commands--) {
		/* The number has 32 bits, like the driver's count. */
		job.seqno = (u32)(seqno - commands + 1);
		job.fence_seqno = job.seqno;
		grtrace_job_fence(GRTRACE_COMMIT, ring, &job);
	}
}

static void probe_interrupt(void *data, struct virtqueue *vq)
{
	struct grtrace_ring *ring = virtio_ring(vq);
	const struct grtrace_job job = { .ctx = ring ? ring->ctx : 0 };

	grtrace_job(GRTRACE_IRQ, ring, &job);
}

#endif

/* The host wrote @hdr: its type is only copied, and the rest is not read. */
static void probe_cmd_response(void *data, struct virtqueue *vq,
			       struct virtio_gpu_ctrl_hdr *hdr, u32 seqno)
{
	struct grtrace_ring *ring = virtio_ring(vq);
	u32 type = le32_to_cpu(READ_ONCE(hdr->type));
	struct grtrace_job job = {
		.ctx = ring ? ring->ctx : 0,
		.seqno = seqno,
		.command = type,
	};

	grtrace_response(ring, &job);
	if (type >= VIRTIO_GPU_RESP_ERR_UNSPEC)
		grtrace_error(ring, &job, GRTRACE_ERROR_HOST, type);
}

static struct grtrace_probe virtio_probes[] = {
	GRTRACE_PROBE(dma_fence_emit, probe_fence_emit),
	GRTRACE_PROBE(virtio_gpu_cmd_queue, probe_cmd_queue),
#ifndef GRTRACE_EXTERNAL
	GRTRACE_PROBE(virtio_gpu_kick, probe_kick),
	GRTRACE_PROBE(virtio_gpu_interrupt, probe_interrupt),
#endif
	GRTRACE_PROBE(virtio_gpu_cmd_response, probe_cmd_response),
};

#ifdef GRTRACE_EXTERNAL
module_grtrace_source(virtio_source, "virtio_gpu", virtio_probes,
		      .owner = "virtio_gpu");
#else
module_grtrace_source(virtio_source, "virtio_gpu", virtio_probes);
#endif

MODULE_DESCRIPTION("grtrace source: virtio-gpu");
MODULE_LICENSE("GPL");

#ifndef GRTRACE_EXTERNAL
#if IS_ENABLED(CONFIG_GRTRACE_KUNIT_TEST)
#include "tests/source_virtio_gpu_test.c"
#endif
#endif
