// SPDX-License-Identifier: GPL-2.0
/*
 * The virtio-gpu source, which includes this file: a queue that no device has, and
 * what the driver would say of it. Responses are those of a host that lies.
 */
#include "source_case.h"

#define VIRTIO_FENCE_CTX	0x7700112233ull
#define VIRTIO_FLUSH		VIRTIO_GPU_CMD_RESOURCE_FLUSH

/* A queue, and what was recorded of it; ids are known once the session is over. */
struct virtio_case {
	struct source_case c;
	u32 ring;
	u64 ctx;
	struct virtqueue vq;
	struct virtio_device vdev;
	struct device_driver driver;
};

static void virtio_queue(struct virtio_case *v, struct virtqueue *vq, u32 type,
			 u32 flags, u64 fence_id, u32 seqno)
{
	struct virtio_gpu_ctrl_hdr hdr = {
		.type = cpu_to_le32(type),
		.flags = cpu_to_le32(flags),
		.fence_id = cpu_to_le64(fence_id),
		.ctx_id = cpu_to_le32(5),
	};

	source_event(&v->c, virtio_gpu_cmd_queue, probe_cmd_queue, vq, &hdr, seqno);
}

/* As under the queue's lock: no other device's fence comes between. */
static void virtio_queue_fenced(struct virtio_case *v, u64 emitted, u32 flags,
				u64 fence_id, u32 seqno)
{
	struct dma_fence fence = { .context = VIRTIO_FENCE_CTX, .seqno = emitted };

	guard(preempt)();
	source_event(&v->c, dma_fence_emit, probe_fence_emit, &fence);
	virtio_queue(v, &v->vq, VIRTIO_GPU_CMD_SUBMIT_3D, flags, fence_id, seqno);
}

static void virtio_kick(struct virtio_case *v, u32 seqno, u32 commands, bool notify)
{
	source_event(&v->c, virtio_gpu_kick, probe_kick, &v->vq, seqno, commands, notify);
}

static void virtio_respond(struct virtio_case *v, u32 type, u32 seqno)
{
	struct virtio_gpu_ctrl_hdr hdr;

	/* the host's, and none of it is true */
	memset(&hdr, 0xa5, sizeof(hdr));
	hdr.type = cpu_to_le32(type);
	source_event(&v->c, virtio_gpu_cmd_response, probe_cmd_response, &v->vq, &hdr, seqno);
}

static void virtio_interrupt(void *data)
{
	struct virtio_case *v = data;

	source_event(&v->c, virtio_gpu_interrupt, probe_interrupt, &v->vq);
}

static struct virtio_case *virtio_case(struct kunit *test)
{
	struct virtio_case *v = test_zalloc(test, sizeof(*v));

	source_start(&v->c, test, &virtio_source);
	v->driver.name = "virtio_gpu";
	v->vdev.index = 77;
	v->vdev.dev.init_name = "virtio77";
	v->vdev.dev.parent = v->c.dev;
	v->vdev.dev.driver = &v->driver;
	v->vq.vdev = &v->vdev;
	v->vq.name = "control";
	return v;
}

static const struct grtrace_ring *virtio_case_ring(struct virtio_case *v, struct virtqueue *vq)
{
	const struct grtrace_ring *ring = grtrace_ring_find(virtio_key(vq));

	KUNIT_ASSERT_NOT_NULL(v->c.test, ring);
	return ring;
}

static void virtio_stop(struct virtio_case *v)
{
	v->ctx = virtio_case_ring(v, &v->vq)->ctx;
	v->ring = source_forget(virtio_key(&v->vq));
	source_stop(&v->c);
}

#define VIRTIO(type, seqno, ...) \
	SOURCE_RECORD(type, v->ring, v->ctx, seqno, __VA_ARGS__)
#define VIRTIO_TYPE(type)	.answered = true, .command = type
#define VIRTIO_SUBMIT(seqno, ...) \
	VIRTIO(SUBMIT, seqno, VIRTIO_TYPE(VIRTIO_GPU_CMD_SUBMIT_3D), __VA_ARGS__)
#define VIRTIO_COMMIT(seqno) \
	VIRTIO(COMMIT, seqno, .fence_ctx = v->ctx, .fence_seqno = seqno)
#define VIRTIO_IRQ	VIRTIO(IRQ, 0, .flags = SOURCE_IN_HARDIRQ)

/* A fence is the command's if it was emitted last, and for this one; the last lives on. */
static void virtio_commands_and_their_fences(struct kunit *test)
{
	struct virtio_case *v = virtio_case(test);
	const u32 flag = VIRTIO_GPU_FLAG_FENCE;

	virtio_queue_fenced(v, 20, flag, 20, 1);
	virtio_queue(v, &v->vq, VIRTIO_GPU_CMD_SUBMIT_3D, flag, 20, 2); /* used */
	virtio_queue_fenced(v, 21, flag, 22, 3);		/* another's */
	virtio_queue_fenced(v, 23, 0, 23, 4);			/* not asked for */
	virtio_queue_fenced(v, 0x900000024, flag, 0x900000024, 5);
	virtio_kick(v, 5, 1, true);
	source_in_hardirq(virtio_interrupt, v);
	virtio_respond(v, VIRTIO_GPU_RESP_OK_NODATA, 5);
	virtio_stop(v);

	source_records(&v->c,
		VIRTIO_SUBMIT(1, .fence_ctx = VIRTIO_FENCE_CTX, .fence_seqno = 20),
		VIRTIO_SUBMIT(2), VIRTIO_SUBMIT(3), VIRTIO_SUBMIT(4),
		VIRTIO_SUBMIT(5, .fence_ctx = VIRTIO_FENCE_CTX, .fence_seqno = 0x24),
		VIRTIO_COMMIT(5),
		VIRTIO_IRQ,
		VIRTIO(END, 5, VIRTIO_TYPE(VIRTIO_GPU_RESP_OK_NODATA)));
	source_expect_ring(&v->c, v->ring, "virtio_gpu", "control", GRTRACE_CLASS_UNKNOWN);
}

struct virtio_kick {
	const char *name;
	u32 queued;	/* commands, from 1 on */
	struct { u32 seqno, commands; } kick[3];
	u32 first;	/* the first COMMIT's seqno, */
	u32 commits;	/* and how many there are */
};

static const struct virtio_kick virtio_kicks[] = {
	/* except for the first without a doorbell, because the host looks by itself */
	{ "a batch", 5, { { 3, 3 }, { 5, 2 }, { 5, 0 } }, 1, 5 },
	{ "numbers wrap", 0, { { 1, 3 } }, U32_MAX, 3 },
	/* the newest of them */
	{ "there is an end", 0, { { 5000, U32_MAX } }, 5000 - 255, 256 },
};

KUNIT_ARRAY_PARAM_DESC(virtio_kicks, virtio_kicks, name);

static void virtio_kick_commits(struct kunit *test)
{
	const struct virtio_kick *kick = test->param_value;
	struct virtio_case *v = virtio_case(test);
	unsigned int i;

	for (i = 1; i <= kick->queued; i++)
		virtio_queue(v, &v->vq, VIRTIO_FLUSH, 0, 0, i);
	for (i = 0; i < ARRAY_SIZE(kick->kick) && kick->kick[i].seqno; i++)
		virtio_kick(v, kick->kick[i].seqno, kick->kick[i].commands, !i);
	virtio_stop(v);

	for (i = 1; i <= kick->queued; i++)
		source_records_so_far(&v->c, VIRTIO(SUBMIT, i, VIRTIO_TYPE(VIRTIO_FLUSH)));
	for (i = 0; i < kick->commits; i++)
		source_records_so_far(&v->c, VIRTIO_COMMIT((u32)(kick->first + i)));
	source_expect_end(&v->c);
}

static void virtio_host_is_not_believed(struct kunit *test)
{
	static const struct {
		u32 type;
		bool error;
	} hostile[] = {
		{ 0, false },			/* cursor queue: no response */
		{ VIRTIO_GPU_RESP_OK_NODATA, false }, { VIRTIO_GPU_CMD_SUBMIT_3D, false },
		{ VIRTIO_GPU_RESP_ERR_UNSPEC - 1, false }, { VIRTIO_GPU_RESP_ERR_UNSPEC, true },
		{ 0x7fffffff, true }, { 0x80000000, true }, { U32_MAX, true },
	};
	struct virtio_case *v = virtio_case(test);
	u32 i, seqno;

	/* none of them was ever queued; and a storm of interrupts: the ring has a name */
	for (i = 0; i < 20; i++)
		source_in_hardirq(virtio_interrupt, v);
	for (i = 0; i < ARRAY_SIZE(hostile); i++)
		virtio_respond(v, hostile[i].type, 0xfffffff0 + i);
	virtio_stop(v);

	for (i = 0; i < 20; i++)
		source_records_so_far(&v->c, VIRTIO_IRQ);
	for (i = 0; i < ARRAY_SIZE(hostile); i++) {
		seqno = 0xfffffff0 + i;
		/* no more of it than the type: neither flags nor fence */
		source_records_so_far(&v->c,
			VIRTIO(END, seqno, VIRTIO_TYPE(hostile[i].type)),
			{ hostile[i].error ? GRTRACE_ERROR : 0, v->ring, v->ctx, seqno,
			  .kind = GRTRACE_ERROR_HOST, .code = hostile[i].type });
	}
	source_expect_end(&v->c);
}

/*
 * The driver counts from 1 again, or, as a module that is loaded queues commands before
 * its events are found, from 2.
 */
static void virtio_queue_of_a_new_driver(struct kunit *test)
{
	static const u32 seqnos[] = { 1, 2, 1, 2, 2 }, rings[] = { 0, 0, 2, 2, 4 };
	struct virtio_case *v = virtio_case(test);
	const struct grtrace_ring *ring;
	u32 i, id[ARRAY_SIZE(seqnos)];
	u64 ctx[ARRAY_SIZE(seqnos)];

	for (i = 0; i < ARRAY_SIZE(seqnos); i++) {
		virtio_queue(v, &v->vq, VIRTIO_FLUSH, 0, 0, seqnos[i]);
		ring = virtio_case_ring(v, &v->vq);
		id[i] = ring->id;
		ctx[i] = ring->ctx;
	}
	virtio_stop(v);

	for (i = 0; i < ARRAY_SIZE(seqnos); i++) {
		KUNIT_EXPECT_EQ(test, id[i], id[rings[i]]);
		if (i && rings[i] == i)
			KUNIT_EXPECT_NE(test, id[i], id[i - 1]);
		source_records_so_far(&v->c, SOURCE_RECORD(SUBMIT, id[i], ctx[i], seqnos[i],
							   VIRTIO_TYPE(VIRTIO_FLUSH)));
	}
	source_expect_end(&v->c);
}

/* Both were made again, each where the other was. The driver continues to count. */
static void virtio_queues_after_suspend(struct kunit *test)
{
	struct virtio_case *v = virtio_case(test);
	struct virtqueue *other = test_zalloc(test, sizeof(*other));
	u64 ctx[2];
	u32 id[2];

	*other = v->vq;
	other->name = "cursor";
	other->index = 1;
	virtio_queue(v, &v->vq, VIRTIO_FLUSH, 0, 0, 1);
	virtio_queue(v, other, VIRTIO_GPU_CMD_MOVE_CURSOR, 0, 0, 1);
	swap(v->vq, *other);
	virtio_queue(v, &v->vq, VIRTIO_GPU_CMD_MOVE_CURSOR, 0, 0, 2);
	virtio_queue(v, other, VIRTIO_FLUSH, 0, 0, 2);
	ctx[0] = virtio_case_ring(v, other)->ctx;
	source_forget(virtio_key(other));
	virtio_stop(v);

	ctx[1] = v->ctx;
	id[0] = source_ring_id(&v->c, "control");
	id[1] = source_ring_id(&v->c, "cursor");
	source_records(&v->c,
		SOURCE_RECORD(SUBMIT, id[0], ctx[0], 1, VIRTIO_TYPE(VIRTIO_FLUSH)),
		SOURCE_RECORD(SUBMIT, id[1], ctx[1], 1, VIRTIO_TYPE(VIRTIO_GPU_CMD_MOVE_CURSOR)),
		SOURCE_RECORD(SUBMIT, id[1], ctx[1], 2, VIRTIO_TYPE(VIRTIO_GPU_CMD_MOVE_CURSOR)),
		SOURCE_RECORD(SUBMIT, id[0], ctx[0], 2, VIRTIO_TYPE(VIRTIO_FLUSH)));
}

static struct kunit_case virtio_cases[] = {
	KUNIT_CASE(virtio_commands_and_their_fences),
	KUNIT_CASE_PARAM(virtio_kick_commits, virtio_kicks_gen_params),
	KUNIT_CASE(virtio_host_is_not_believed),
	KUNIT_CASE(virtio_queue_of_a_new_driver),
	KUNIT_CASE(virtio_queues_after_suspend),
	{}
};

static struct kunit_suite virtio_suite = {
	.name = "grtrace_source_virtio_gpu",
	.init = trial_init,
	.test_cases = virtio_cases,
};

kunit_test_suite(virtio_suite);
