// SPDX-License-Identifier: GPL-2.0
/*
 * The virtio-gpu source, by the driver's own tracepoints: a queue that no
 * device has, what the driver would tell of it, and the records to the byte.
 * Responses are those of a host that lies.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/virtio.h>

#include <uapi/linux/virtio_gpu.h>

#include <trace/events/dma_fence.h>
#include "../../drm/virtio/virtgpu_trace.h"

#include "trial.h"

#define VIRTIO_FENCE_CTX	0x7700112233ull

/**
 * struct virtio_case - a queue, and what was recorded of it
 *
 * @test: the test
 * @stream: of the session
 * @ring: id of the queue's ring
 * @ctx: its context
 * @vq: the queue
 * @vdev: its device
 * @parent: the device's parent
 * @driver: the device's driver
 * @fence: a fence of the driver's
 * @fence_lock: its lock
 * @interrupt: where interrupts come from
 */
struct virtio_case {
	struct kunit *test;
	struct stream *stream;
	u32 ring;
	u64 ctx;
	struct virtqueue vq;
	struct virtio_device vdev;
	struct device parent;
	struct device_driver driver;
	struct dma_fence fence;
	spinlock_t fence_lock;	/* which a fence must have before 7.0 */
	struct irq_work interrupt;
};

/* ------------------------------------------------- what the driver does */

static const char *virtio_fence_name(struct dma_fence *fence)
{
	return "kunit";
}

static const struct dma_fence_ops virtio_fence_ops = {
	.get_driver_name = virtio_fence_name,
	.get_timeline_name = virtio_fence_name,
};

static void virtio_queue_on(struct virtqueue *vq, u32 type, u32 flags,
			    u64 fence_id, u32 seqno)
{
	struct virtio_gpu_ctrl_hdr hdr = {
		.type = cpu_to_le32(type),
		.flags = cpu_to_le32(flags),
		.fence_id = cpu_to_le64(fence_id),
		.ctx_id = cpu_to_le32(5),
	};

	trace_virtio_gpu_cmd_queue(vq, &hdr, seqno);
}

static void virtio_queue(struct virtio_case *c, u32 type, u32 flags,
			 u64 fence_id, u32 seqno)
{
	virtio_queue_on(&c->vq, type, flags, fence_id, seqno);
}

/* As under the queue's lock: no other device's fence comes between. */
static void virtio_queue_fenced(struct virtio_case *c, u64 emitted, u32 flags,
				u64 fence_id, u32 seqno)
{
	guard(preempt)();
	c->fence.seqno = emitted;
	trace_dma_fence_emit(&c->fence);
	virtio_queue(c, VIRTIO_GPU_CMD_SUBMIT_3D, flags, fence_id, seqno);
}

static void virtio_respond(struct virtio_case *c, u32 type, u32 seqno)
{
	struct virtio_gpu_ctrl_hdr hdr;

	/* the host's, and none of it is true */
	memset(&hdr, 0xa5, sizeof(hdr));
	hdr.type = cpu_to_le32(type);
	trace_virtio_gpu_cmd_response(&c->vq, &hdr, seqno);
}

static void virtio_in_hardirq(struct irq_work *work)
{
	struct virtio_case *c = container_of(work, struct virtio_case, interrupt);

	trace_virtio_gpu_interrupt(&c->vq);
}

static void virtio_interrupt(struct virtio_case *c)
{
	irq_work_queue(&c->interrupt);
	irq_work_sync(&c->interrupt);
}

/* ------------------------------------------------------------ the cases */

static struct virtio_case *virtio_case(struct kunit *test, const char *name)
{
	struct virtio_case *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->test = test;
	c->parent.init_name = "0000:77:00.0";
	c->driver.name = "virtio_gpu";
	c->vdev.index = 77;
	c->vdev.dev.init_name = "virtio77";
	c->vdev.dev.parent = &c->parent;
	c->vdev.dev.driver = &c->driver;
	c->vq.vdev = &c->vdev;
	c->vq.name = name;
	spin_lock_init(&c->fence_lock);
	dma_fence_init(&c->fence, &virtio_fence_ops, &c->fence_lock,
		       VIRTIO_FENCE_CTX, 0);
	c->interrupt = IRQ_WORK_INIT_HARD(virtio_in_hardirq);
	c->stream = trial_start(test, "");
	return c;
}

/* As the source knows a queue. */
static const void *virtio_key(const struct virtqueue *vq)
{
	return (const void *)vq->vdev + 1 + vq->index;
}

/* The queue is known by now, if there is anybody to know it. */
static void virtio_case_stop(struct virtio_case *c)
{
	struct grtrace_ring *ring = grtrace_ring_find(virtio_key(&c->vq));

	if (ring) {
		c->ring = ring->id;
		c->ctx = ring->ctx;
		grtrace_ring_retire(ring);
	}
	trial_stop(c->test, c->stream);
	trial_source(c->test, c->stream, "virtio_gpu");
	KUNIT_ASSERT_NOT_NULL(c->test, ring);
}

static const struct grtrace_rec_job *virtio_job(const struct stream_record *record)
{
	return record->raw;
}

static u32 virtio_seqno(const struct stream_record *record)
{
	return le32_to_cpu(virtio_job(record)->seqno);
}

/* The queue's own records of a type, or NULL: others work meanwhile. */
static const struct stream_record *
virtio_nth(const struct virtio_case *c, unsigned int type, size_t nth)
{
	const struct stream_record *record;
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		record = &c->stream->record[i];
		if (record->type == type &&
		    le32_to_cpu(virtio_job(record)->ring) == c->ring && !nth--)
			return record;
	}
	return NULL;
}

static size_t virtio_count(const struct virtio_case *c, unsigned int type)
{
	size_t n = 0;

	while (virtio_nth(c, type, n))
		n++;
	return n;
}

/* To the byte, but for when and by whom. */
static void virtio_expect(const struct virtio_case *c, size_t nth,
			  const struct grtrace_rec_job *want)
{
	const struct stream_record *record =
		virtio_nth(c, le16_to_cpu(want->seq.hdr.type), nth);

	stream_same(c->test, record, want);
	KUNIT_EXPECT_EQ(c->test, record->ctx, c->ctx);
}

static struct grtrace_rec_job virtio_want(const struct virtio_case *c, u16 type,
					  u16 size, u32 seqno, u16 flags, u16 arg)
{
	return (struct grtrace_rec_job) {
		.seq.hdr.type = cpu_to_le16(type),
		.seq.hdr.size = cpu_to_le16(size),
		.ctx = cpu_to_le32(c->ctx),
		.seqno = cpu_to_le32(seqno),
		.ring = cpu_to_le32(c->ring),
		.flags = cpu_to_le16(flags),
		.arg = cpu_to_le16(arg),
	};
}

static void virtio_expect_job(const struct virtio_case *c, u16 type, size_t nth,
			      u32 seqno, u16 flags, u16 arg)
{
	const struct grtrace_rec_job want =
		virtio_want(c, type, sizeof(want), seqno, flags, arg);

	virtio_expect(c, nth, &want);
}

static void virtio_expect_fence(const struct virtio_case *c, u16 type, size_t nth,
				u32 seqno, u16 arg, u64 fence_ctx, u64 fence_seqno)
{
	const struct grtrace_rec_job_fence want = {
		.job = virtio_want(c, type, sizeof(want), seqno, 0, arg),
		.fence_ctx = cpu_to_le32(fence_ctx),
		.fence_seqno = cpu_to_le32(fence_seqno),
	};

	virtio_expect(c, nth, &want.job);
}

static void virtio_expect_error(const struct virtio_case *c, size_t nth,
				u32 seqno, s32 code)
{
	const struct grtrace_rec_error want = {
		.job = virtio_want(c, GRTRACE_ERROR, sizeof(want), seqno, 0, 0),
		.kind = cpu_to_le32(GRTRACE_ERROR_HOST),
		.code = cpu_to_le32(code),
	};

	virtio_expect(c, nth, &want.job);
}

/* --------------------------------------------------------- one command */

static void virtio_life_of_a_command(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");

	virtio_queue_fenced(c, 9, VIRTIO_GPU_FLAG_FENCE, 9, 1);
	trace_virtio_gpu_kick(&c->vq, 1, 1, true);
	virtio_interrupt(c);
	virtio_respond(c, VIRTIO_GPU_RESP_OK_NODATA, 1);
	virtio_case_stop(c);

	virtio_expect_fence(c, GRTRACE_SUBMIT, 0, 1, VIRTIO_GPU_CMD_SUBMIT_3D,
			    VIRTIO_FENCE_CTX, 9);
	virtio_expect_fence(c, GRTRACE_COMMIT, 0, 1, 0, c->ctx, 1);
	virtio_expect_job(c, GRTRACE_IRQ, 0, 0,
			  GRTRACE_IN_HARDIRQ | GRTRACE_TIME_INTERRUPT, 0);
	virtio_expect_job(c, GRTRACE_END, 0, 1, 0, VIRTIO_GPU_RESP_OK_NODATA);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_SUBMIT), 1);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_COMMIT), 1);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_IRQ), 1);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_END), 1);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_ERROR), 0);
}

static void virtio_names_the_queue(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "cursor");
	const struct grtrace_rec_ring *ring = NULL;
	size_t i;

	virtio_queue(c, VIRTIO_GPU_CMD_MOVE_CURSOR, 0, 0, 1);
	virtio_case_stop(c);

	for (i = 0; i < c->stream->n; i++) {
		const struct grtrace_rec_ring *rec = c->stream->record[i].raw;

		if (c->stream->record[i].type == GRTRACE_RING &&
		    le32_to_cpu(rec->ring) == c->ring)
			ring = rec;
	}
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_STREQ(test, ring->device, "0000:77:00.0");
	KUNIT_EXPECT_STREQ(test, ring->driver, "virtio_gpu");
	KUNIT_EXPECT_STREQ(test, ring->name, "cursor");
	KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class),
			GRTRACE_CLASS_UNKNOWN);
	virtio_expect_job(c, GRTRACE_SUBMIT, 0, 1, 0, VIRTIO_GPU_CMD_MOVE_CURSOR);
}

/* A fence is the command's if it was emitted last, and for this one. */
static void virtio_finds_its_own_fence(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");
	const u32 flag = VIRTIO_GPU_FLAG_FENCE;

	virtio_queue_fenced(c, 20, flag, 20, 1);
	virtio_queue(c, VIRTIO_GPU_CMD_SUBMIT_3D, flag, 20, 2);	/* used */
	virtio_queue_fenced(c, 21, flag, 22, 3);		/* another's */
	virtio_queue_fenced(c, 23, 0, 23, 4);			/* not asked for */
	virtio_queue_fenced(c, 0x900000024, flag, 0x900000024, 5);
	virtio_case_stop(c);

	virtio_expect_fence(c, GRTRACE_SUBMIT, 0, 1, VIRTIO_GPU_CMD_SUBMIT_3D,
			    VIRTIO_FENCE_CTX, 20);
	virtio_expect_job(c, GRTRACE_SUBMIT, 1, 2, 0, VIRTIO_GPU_CMD_SUBMIT_3D);
	virtio_expect_job(c, GRTRACE_SUBMIT, 2, 3, 0, VIRTIO_GPU_CMD_SUBMIT_3D);
	virtio_expect_job(c, GRTRACE_SUBMIT, 3, 4, 0, VIRTIO_GPU_CMD_SUBMIT_3D);
	virtio_expect_fence(c, GRTRACE_SUBMIT, 4, 5, VIRTIO_GPU_CMD_SUBMIT_3D,
			    VIRTIO_FENCE_CTX, 0x24);
}

/* ------------------------------------------------------------ doorbells */

static void virtio_kick_commits_a_batch(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");
	u32 seqno;

	for (seqno = 1; seqno <= 5; seqno++)
		virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, seqno);
	trace_virtio_gpu_kick(&c->vq, 3, 3, true);
	/* no doorbell, as the host looks by itself */
	trace_virtio_gpu_kick(&c->vq, 5, 2, false);
	trace_virtio_gpu_kick(&c->vq, 5, 0, false);
	virtio_case_stop(c);

	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_COMMIT), 5);
	for (seqno = 1; seqno <= 5; seqno++)
		virtio_expect_fence(c, GRTRACE_COMMIT, seqno - 1, seqno, 0,
				    c->ctx, seqno);
}

static void virtio_kick_wraps(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");

	trace_virtio_gpu_kick(&c->vq, 1, 3, true);
	virtio_case_stop(c);

	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_COMMIT), 3);
	virtio_expect_fence(c, GRTRACE_COMMIT, 0, U32_MAX, 0, c->ctx, U32_MAX);
	virtio_expect_fence(c, GRTRACE_COMMIT, 1, 0, 0, c->ctx, 0);
	virtio_expect_fence(c, GRTRACE_COMMIT, 2, 1, 0, c->ctx, 1);
}

static void virtio_kick_has_an_end(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");

	trace_virtio_gpu_kick(&c->vq, 5000, U32_MAX, true);
	virtio_case_stop(c);

	/* the newest of them */
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_COMMIT), 256);
	virtio_expect_fence(c, GRTRACE_COMMIT, 0, 5000 - 255, 0, c->ctx,
			    5000 - 255);
	virtio_expect_fence(c, GRTRACE_COMMIT, 255, 5000, 0, c->ctx, 5000);
}

/* ------------------------------------------------------- a host that lies */

static void virtio_host_is_not_believed(struct kunit *test)
{
	static const struct {
		u32 type;
		bool error;
	} hostile[] = {
		{ 0, false },			/* cursor queue: no response */
		{ VIRTIO_GPU_RESP_OK_NODATA, false },
		{ VIRTIO_GPU_CMD_SUBMIT_3D, false },
		{ VIRTIO_GPU_RESP_ERR_UNSPEC - 1, false },
		{ VIRTIO_GPU_RESP_ERR_UNSPEC, true },
		{ 0x7fffffff, true },
		{ 0x80000000, true },
		{ U32_MAX, true },
	};
	struct virtio_case *c = virtio_case(test, "control");
	size_t i, errors = 0;

	/* none of them was ever queued */
	for (i = 0; i < ARRAY_SIZE(hostile); i++)
		virtio_respond(c, hostile[i].type, 0xfffffff0 + i);
	virtio_case_stop(c);

	for (i = 0; i < ARRAY_SIZE(hostile); i++) {
		/* no more of it than the type: neither flags nor fence */
		virtio_expect_job(c, GRTRACE_END, i, 0xfffffff0 + i, 0,
				  hostile[i].type);
		if (hostile[i].error)
			virtio_expect_error(c, errors++, 0xfffffff0 + i,
					    hostile[i].type);
	}
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_END), ARRAY_SIZE(hostile));
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_ERROR), errors);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_COMPLETE), 0);
}

/* A storm, and nothing was queued: an event each, and a ring that has a name. */
static void virtio_interrupts_out_of_nowhere(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");
	size_t i;

	for (i = 0; i < 100; i++)
		virtio_interrupt(c);
	virtio_case_stop(c);

	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_IRQ), 100);
	virtio_expect_job(c, GRTRACE_IRQ, 99, 0,
			  GRTRACE_IN_HARDIRQ | GRTRACE_TIME_INTERRUPT, 0);
}

/* ---------------------------------------------------------- queues that go */

/* Its first command that is seen has this number. */
static void virtio_new_driver(struct kunit *test, u32 first)
{
	struct virtio_case *c = virtio_case(test, "control");
	struct grtrace_ring *ring;
	u32 old = 0;

	virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, 1);
	virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, 2);
	ring = grtrace_ring_find(virtio_key(&c->vq));
	if (ring)
		old = ring->id;
	/* the driver counts from 1 again */
	virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, first);
	virtio_case_stop(c);

	KUNIT_EXPECT_NE(test, c->ring, old);
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_SUBMIT), 1);
	virtio_expect_job(c, GRTRACE_SUBMIT, 0, first, 0,
			  VIRTIO_GPU_CMD_RESOURCE_FLUSH);
	c->ring = old;
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_SUBMIT), 2);
	KUNIT_EXPECT_EQ(test, virtio_seqno(virtio_nth(c, GRTRACE_SUBMIT, 1)), 2);
}

static void virtio_queue_of_a_new_driver(struct kunit *test)
{
	virtio_new_driver(test, 1);
}

/* A module that is loaded queues commands before its events are found. */
static void virtio_queue_of_a_driver_met_late(struct kunit *test)
{
	virtio_new_driver(test, 2);
}

/* The id that the stream has for a name, or %GRTRACE_RING_NONE. */
static u32 virtio_id_of(const struct virtio_case *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		const struct grtrace_rec_ring *rec = c->stream->record[i].raw;

		if (c->stream->record[i].type == GRTRACE_RING &&
		    !strcmp(rec->device, c->parent.init_name) &&
		    !strcmp(rec->name, name))
			return le32_to_cpu(rec->ring);
	}
	return GRTRACE_RING_NONE;
}

static void virtio_expect_two(struct virtio_case *c, const char *name, u16 arg)
{
	const struct stream_record *record;
	u32 seqno;

	c->ring = virtio_id_of(c, name);
	KUNIT_EXPECT_NE(c->test, c->ring, GRTRACE_RING_NONE);
	KUNIT_ASSERT_EQ_MSG(c->test, virtio_count(c, GRTRACE_SUBMIT), 2, "%s",
			    name);
	for (seqno = 1; seqno <= 2; seqno++) {
		record = virtio_nth(c, GRTRACE_SUBMIT, seqno - 1);
		KUNIT_EXPECT_EQ_MSG(c->test, virtio_seqno(record), seqno, "%s",
				    name);
		KUNIT_EXPECT_EQ_MSG(c->test,
				    le16_to_cpu(virtio_job(record)->arg), arg,
				    "%s", name);
	}
}

/* Both were made anew, each where the other was. The driver counts on. */
static void virtio_queues_after_suspend(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");
	struct virtqueue *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	*other = c->vq;
	other->name = "cursor";
	other->index = 1;
	virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, 1);
	virtio_queue_on(other, VIRTIO_GPU_CMD_MOVE_CURSOR, 0, 0, 1);
	swap(c->vq, *other);
	virtio_queue(c, VIRTIO_GPU_CMD_MOVE_CURSOR, 0, 0, 2);
	virtio_queue_on(other, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, 2);
	grtrace_ring_retire(grtrace_ring_find(virtio_key(other)));
	virtio_case_stop(c);

	virtio_expect_two(c, "control", VIRTIO_GPU_CMD_RESOURCE_FLUSH);
	virtio_expect_two(c, "cursor", VIRTIO_GPU_CMD_MOVE_CURSOR);
}

static void virtio_nothing_between_sessions(struct kunit *test)
{
	struct virtio_case *c = virtio_case(test, "control");

	virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, 7);
	virtio_case_stop(c);
	virtio_queue(c, VIRTIO_GPU_CMD_RESOURCE_FLUSH, 0, 0, 8);
	trace_virtio_gpu_kick(&c->vq, 8, 2, true);
	virtio_interrupt(c);
	virtio_respond(c, U32_MAX, 8);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(virtio_key(&c->vq)));
	KUNIT_EXPECT_EQ(test, virtio_count(c, GRTRACE_SUBMIT), 1);
}

static struct kunit_case virtio_cases[] = {
	KUNIT_CASE(virtio_life_of_a_command),
	KUNIT_CASE(virtio_names_the_queue),
	KUNIT_CASE(virtio_finds_its_own_fence),
	KUNIT_CASE(virtio_kick_commits_a_batch),
	KUNIT_CASE(virtio_kick_wraps),
	KUNIT_CASE(virtio_kick_has_an_end),
	KUNIT_CASE(virtio_host_is_not_believed),
	KUNIT_CASE(virtio_interrupts_out_of_nowhere),
	KUNIT_CASE(virtio_queue_of_a_new_driver),
	KUNIT_CASE(virtio_queue_of_a_driver_met_late),
	KUNIT_CASE(virtio_queues_after_suspend),
	KUNIT_CASE(virtio_nothing_between_sessions),
	{}
};

static struct kunit_suite virtio_suite = {
	.name = "grtrace_source_virtio_gpu",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = virtio_cases,
};

kunit_test_suite(virtio_suite);

MODULE_DESCRIPTION("grtrace: unit tests of the virtio-gpu source");
MODULE_SOFTDEP("pre: grtrace_virtio_gpu");
MODULE_LICENSE("GPL");
