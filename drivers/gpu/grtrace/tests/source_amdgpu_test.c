// SPDX-License-Identifier: GPL-2.0
/*
 * The amdgpu source, by the driver's own tracepoints: a ring, jobs, fences and
 * user mode queues that no device has, what the driver would tell of them, and
 * the records to the byte.
 */
#include <kunit/test.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/string.h>

#include "amdgpu.h"
#include "amdgpu_trace.h"

#include "trial.h"

#define AMD_CTX		0x8800000000ull	/* of the device's first ring */
#define AMD_IDX		7		/* the ring's number */
#define AMD_RING_CTX	(AMD_CTX + AMD_IDX)
#define AMD_JOB_CTX	0x8800112233ull	/* of the scheduler's jobs */
#define AMD_FENCES	4		/* places in the ring's table */

/**
 * struct amd_case - a ring of a device, and what was recorded of both
 *
 * @test: the test
 * @stream: of the session
 * @ring_id: id of the ring, once the session is over; 0 if nobody knew it
 * @device_id: likewise of the device
 * @queue_id: likewise of the user mode queue
 * @dev: the device
 * @driver: its driver
 * @adev: what amdgpu knows of it
 * @funcs: the ring's type
 * @ring: the ring
 * @table: its fences in flight
 * @fence: the fences
 * @s_fence: what the scheduler knows of the job
 * @job: a job
 * @fence_drv: where the queue's fences come from
 * @queue_mgr: what the queue belongs to
 * @file: whose it is
 * @queue: a user mode queue
 * @queue_fence: a fence of it
 * @interrupt: where interrupts come from
 */
struct amd_case {
	struct kunit *test;
	struct stream *stream;
	u32 ring_id;
	u32 device_id;
	u32 queue_id;
	struct device dev;
	struct device_driver driver;
	struct amdgpu_device *adev;
	struct amdgpu_ring_funcs funcs;
	struct amdgpu_ring ring;
	struct dma_fence *table[AMD_FENCES];
	struct amdgpu_fence fence[AMD_FENCES];
	struct drm_sched_fence s_fence;
	struct amdgpu_job *job;
	struct amdgpu_userq_fence_driver fence_drv;
	struct amdgpu_userq_mgr queue_mgr;
	struct drm_file file;
	struct amdgpu_usermode_queue queue;
	struct amdgpu_userq_fence queue_fence;
	struct irq_work interrupt;
};

/* ------------------------------------------------- what the driver does */

static const char *amd_fence_name(struct dma_fence *fence)
{
	return "kunit";
}

static const struct dma_fence_ops amd_fence_ops = {
	.get_driver_name = amd_fence_name,
	.get_timeline_name = amd_fence_name,
};

/* A fence on the ring; @ctx: of its job, and @ib: it is that of the job's IBs */
static struct dma_fence *amd_emit(struct amd_case *c, u64 ctx, bool ib)
{
	u32 seq = ++c->ring.fence_drv.sync_seq;
	struct amdgpu_fence *af = &c->fence[seq % AMD_FENCES];

	memset(af, 0, sizeof(*af));
	dma_fence_init(&af->base, &amd_fence_ops, NULL, AMD_RING_CTX, seq);
	af->context = ctx;
	af->skip_ib_dw_end_offset = ib ? 16 : 0;
	c->table[seq % AMD_FENCES] = &af->base;
	return &af->base;
}

/* As in amdgpu_ib_schedule(). */
static void amd_schedule(struct amd_case *c, u64 ctx)
{
	struct dma_fence *fence = amd_emit(c, ctx, true);

	trace_amdgpu_ctx_switch(&c->ring, ctx, fence);
	trace_amdgpu_ib_direct(&c->ring, ctx, fence);
	c->ring.current_ctx = ctx;
	trace_amdgpu_ring_commit(&c->ring);
}

/* As in amdgpu_fence_process(), but that the fences are not signalled. */
static void amd_process(struct amd_case *c, u32 seq)
{
	u32 last_seq = atomic_xchg(&c->ring.fence_drv.last_seq, seq);

	trace_amdgpu_fence_process(&c->ring, last_seq, seq);
	while (last_seq != seq)
		c->table[++last_seq % AMD_FENCES] = NULL;
}

static void amd_in_hardirq(struct irq_work *work)
{
	struct amd_case *c = container_of(work, struct amd_case, interrupt);

	amd_process(c, c->ring.fence_drv.sync_seq);
}

static void amd_interrupt(struct amd_case *c)
{
	irq_work_queue(&c->interrupt);
	irq_work_sync(&c->interrupt);
}

/* ------------------------------------------------------------ the cases */

static void amd_case_queue(struct amd_case *c)
{
	struct dma_fence *fence = &c->queue_fence.base;

	c->fence_drv.context = AMD_JOB_CTX + 0x100;
	c->queue_mgr.adev = c->adev;
	c->queue_mgr.file = &c->file;
	c->queue.queue_type = AMDGPU_HW_IP_COMPUTE;
	c->queue.doorbell_index = 4098;
	c->queue.userq_mgr = &c->queue_mgr;
	c->queue.fence_drv = &c->fence_drv;
	dma_fence_init64(fence, &amd_fence_ops, NULL, c->fence_drv.context,
			 0x900000005);
}

/* Does somebody listen who knows what to do with it? */
static bool amd_is_heard(struct amd_case *c)
{
	bool heard;

	trace_amdgpu_userq_create_start(&c->queue);
	heard = grtrace_ring_find(&c->queue);
	trace_amdgpu_userq_create_end(&c->queue, -EAGAIN);
	return heard;
}

static struct amd_case *amd_case(struct kunit *test)
{
	struct amd_case *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->test = test;
	c->adev = kunit_kzalloc(test, sizeof(*c->adev), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->adev);
	c->job = kunit_kzalloc(test, sizeof(*c->job), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->job);

	c->dev.init_name = "0000:88:00.0";
	c->driver.name = "amdgpu";
	c->dev.driver = &c->driver;
	c->adev->dev = &c->dev;
	c->adev->fence_context = AMD_CTX;
	c->funcs.type = AMDGPU_RING_TYPE_GFX;
	c->ring.adev = c->adev;
	c->ring.funcs = &c->funcs;
	c->ring.idx = AMD_IDX;
	strscpy(c->ring.name, "gfx_0.0.0");
	c->ring.fence_drv.num_fences_mask = AMD_FENCES - 1;
	c->ring.fence_drv.fences = c->table;
	c->s_fence.finished.context = AMD_JOB_CTX;
	c->s_fence.finished.seqno = 0x55;
	c->job->base.sched = &c->ring.sched;
	c->job->base.s_fence = &c->s_fence;
	amd_case_queue(c);
	c->interrupt = IRQ_WORK_INIT_HARD(amd_in_hardirq);

	c->stream = trial_start(test, "");
	if (!amd_is_heard(c)) {
		trial_stop(test, c->stream);
		trial_source(test, c->stream, "amdgpu");
		KUNIT_FAIL_AND_ABORT(test, "it heard of no queue");
	}
	return c;
}

static u32 amd_forget(const void *key)
{
	struct grtrace_ring *ring = grtrace_ring_find(key);

	if (!ring)
		return GRTRACE_RING_NONE;
	grtrace_ring_retire(ring);
	return ring->id;
}

static void amd_case_stop(struct amd_case *c)
{
	c->ring_id = amd_forget(&c->ring.sched);
	c->device_id = amd_forget(c->adev);
	c->queue_id = amd_forget(&c->queue);
	trial_stop(c->test, c->stream);
}

/* The records of a type on one ring, or NULL: others work meanwhile. */
static const struct stream_record *
amd_nth(const struct amd_case *c, u32 ring, unsigned int type, size_t nth)
{
	const struct stream_record *record;
	const struct grtrace_rec_job *job;
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		record = &c->stream->record[i];
		job = record->raw;
		if (record->type == type && ring &&
		    le32_to_cpu(job->ring) == ring && !nth--)
			return record;
	}
	return NULL;
}

static size_t amd_count(const struct amd_case *c, u32 ring, unsigned int type)
{
	size_t n = 0;

	while (amd_nth(c, ring, type, n))
		n++;
	return n;
}

/* The last that was told of a ring. */
static const struct grtrace_rec_ring *amd_told(const struct amd_case *c, u32 ring)
{
	const struct grtrace_rec_ring *rec, *last = NULL;
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		rec = c->stream->record[i].raw;
		if (c->stream->record[i].type == GRTRACE_RING &&
		    le32_to_cpu(rec->ring) == ring)
			last = rec;
	}
	KUNIT_ASSERT_NOT_NULL(c->test, last);
	return last;
}

/* To the byte, but for when and by whom. */
static void amd_expect(const struct amd_case *c, size_t nth, u64 ctx,
		       const struct grtrace_rec_job *want)
{
	const struct stream_record *record =
		amd_nth(c, le32_to_cpu(want->ring),
			le16_to_cpu(want->seq.hdr.type), nth);

	stream_same(c->test, record, want);
	KUNIT_EXPECT_EQ(c->test, record->ctx, ctx);
}

static struct grtrace_rec_job amd_want(u32 ring, u16 type, u16 size, u64 ctx,
				       u64 seqno)
{
	return (struct grtrace_rec_job) {
		.seq.hdr.type = cpu_to_le16(type),
		.seq.hdr.size = cpu_to_le16(size),
		.ctx = cpu_to_le32(ctx),
		.seqno = cpu_to_le32(seqno),
		.ring = cpu_to_le32(ring),
	};
}

/* @hardirq: seen in an interrupt; @arg: see the uAPI */
static void amd_expect_job(const struct amd_case *c, u16 type, size_t nth,
			   u64 ctx, u64 seqno, bool hardirq, s16 arg)
{
	struct grtrace_rec_job want =
		amd_want(c->ring_id, type, sizeof(want), ctx, seqno);

	if (hardirq)
		want.flags = cpu_to_le16(GRTRACE_IN_HARDIRQ |
					 GRTRACE_TIME_INTERRUPT);
	want.arg = cpu_to_le16(arg);
	amd_expect(c, nth, ctx, &want);
}

static void amd_expect_fence(const struct amd_case *c, u32 ring, u16 type,
			     size_t nth, u64 ctx, u64 seqno, u64 fence_ctx,
			     u64 fence_seqno)
{
	const struct grtrace_rec_job_fence want = {
		.job = amd_want(ring, type, sizeof(want), ctx, seqno),
		.fence_ctx = cpu_to_le32(fence_ctx),
		.fence_seqno = cpu_to_le32(fence_seqno),
	};

	amd_expect(c, nth, ctx, &want.job);
}

static void amd_expect_error(const struct amd_case *c, u32 ring, size_t nth,
			     u64 ctx, u64 seqno, u32 kind, s32 code)
{
	const struct grtrace_rec_error want = {
		.job = amd_want(ring, GRTRACE_ERROR, sizeof(want), ctx, seqno),
		.kind = cpu_to_le32(kind),
		.code = cpu_to_le32(code),
	};

	/* the packet's upper half is that of no context, too */
	amd_expect(c, nth, ctx, &want.job);
}

/* ------------------------------------------------------------ interrupts */

static void amd_interrupt_names_the_newest(struct kunit *test)
{
	struct amd_case *c = amd_case(test);

	amd_schedule(c, AMD_JOB_CTX);
	amd_schedule(c, AMD_JOB_CTX);
	amd_interrupt(c);
	/* in a task: a reset found it */
	amd_schedule(c, AMD_JOB_CTX);
	amd_process(c, 3);
	amd_case_stop(c);

	amd_expect_job(c, GRTRACE_IRQ, 0, AMD_RING_CTX, 2, true, 0);
	amd_expect_job(c, GRTRACE_IRQ, 1, AMD_RING_CTX, 3, false, 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_IRQ), 2);
	/* the jobs are the scheduler's: it is for its source to tell */
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_SUBMIT), 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMMIT), 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_END), 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMPLETE), 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_ERROR), 0);
}

static void amd_interrupt_after_a_wrap(struct kunit *test)
{
	struct amd_case *c = amd_case(test);

	c->ring.fence_drv.sync_seq = U32_MAX - 1;
	atomic_set(&c->ring.fence_drv.last_seq, U32_MAX - 1);
	amd_schedule(c, 0);
	amd_schedule(c, 0);
	amd_interrupt(c);
	amd_case_stop(c);

	amd_expect_job(c, GRTRACE_IRQ, 0, AMD_RING_CTX, 0, true, 0);
	amd_expect_job(c, GRTRACE_COMPLETE, 0, AMD_RING_CTX, U32_MAX, true, 0);
	amd_expect_job(c, GRTRACE_COMPLETE, 1, AMD_RING_CTX, 0, true, 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMPLETE), 2);
}

/* What the hardware wrote may be anything; the table is not walked for it. */
static void amd_interrupt_of_nonsense(struct kunit *test)
{
	struct amd_case *c = amd_case(test);

	amd_schedule(c, 0);
	trace_amdgpu_fence_process(&c->ring, 0, 0xdeadbeef);
	trace_amdgpu_fence_process(&c->ring, 5, 3);
	amd_case_stop(c);

	amd_expect_job(c, GRTRACE_IRQ, 0, AMD_RING_CTX, 0xdeadbeef, false, 0);
	amd_expect_job(c, GRTRACE_IRQ, 1, AMD_RING_CTX, 3, false, 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMPLETE), 0);
}

/* -------------------------------------------------------------- contexts */

static void amd_switch_from_one_to_another(struct kunit *test)
{
	struct amd_case *c = amd_case(test);

	amd_schedule(c, AMD_JOB_CTX);
	amd_schedule(c, AMD_JOB_CTX);
	amd_schedule(c, AMD_JOB_CTX + 2);
	amd_schedule(c, 0);
	amd_schedule(c, 0);
	amd_case_stop(c);

	/* before, and what has no context: that of the ring's own fences */
	amd_expect_fence(c, c->ring_id, GRTRACE_CTX_SWITCH, 0, AMD_JOB_CTX, 0,
			 AMD_RING_CTX, 0);
	amd_expect_fence(c, c->ring_id, GRTRACE_CTX_SWITCH, 1, AMD_JOB_CTX + 2,
			 0, AMD_JOB_CTX, 0);
	amd_expect_fence(c, c->ring_id, GRTRACE_CTX_SWITCH, 2, AMD_RING_CTX, 0,
			 AMD_JOB_CTX + 2, 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_CTX_SWITCH), 3);
}

/* --------------------------------------- jobs that bypass the scheduler */

static void amd_direct_job_from_submit_to_complete(struct kunit *test)
{
	struct amd_case *c = amd_case(test);
	unsigned int i;

	amd_schedule(c, 0);			/* 1 */
	amd_schedule(c, AMD_JOB_CTX);		/* 2, the scheduler's */
	amd_emit(c, 0, false);			/* 3, a VM flush */
	amd_schedule(c, 0);			/* 4 */
	c->fence[0].base.error = -ETIME;
	amd_interrupt(c);
	amd_interrupt(c);			/* is all over now */
	amd_case_stop(c);

	for (i = 0; i < 2; i++) {
		u32 seqno = i ? 4 : 1;

		amd_expect_job(c, GRTRACE_SUBMIT, i, AMD_RING_CTX, seqno, false, 0);
		amd_expect_fence(c, c->ring_id, GRTRACE_COMMIT, i, AMD_RING_CTX,
				 seqno, AMD_RING_CTX, seqno);
		amd_expect_job(c, GRTRACE_END, i, AMD_RING_CTX, seqno, true, 0);
		amd_expect_job(c, GRTRACE_COMPLETE, i, AMD_RING_CTX, seqno, true,
			       i ? -ETIME : 0);
	}
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_SUBMIT), 2);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMMIT), 2);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_END), 2);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMPLETE), 2);
}

/* ---------------------------------------------------------------- resets */

static void amd_reset_of_a_ring(struct kunit *test)
{
	static const struct {
		u32 type;
		int result;
		u32 kind;
	} steps[] = {
		{ AMDGPU_RESET_TYPE_SOFT_RECOVERY, 0, GRTRACE_ERROR_HANG },
		{ AMDGPU_RESET_TYPE_PER_QUEUE, -ETIMEDOUT, GRTRACE_ERROR_RESET },
		{ AMDGPU_RESET_TYPE_IP_BLOCK_SOFT_RESET, 0, GRTRACE_ERROR_RESET },
	};
	struct amd_case *c = amd_case(test);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		trace_amdgpu_ring_reset(&c->ring, c->job, steps[i].type,
					steps[i].result);
	amd_case_stop(c);

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		amd_expect_error(c, c->ring_id, i, AMD_JOB_CTX, 0x55,
				 steps[i].kind, steps[i].result);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_ERROR),
			ARRAY_SIZE(steps));
}

static void amd_reset_emits_again(struct kunit *test)
{
	struct amd_case *c = amd_case(test);

	amd_schedule(c, AMD_JOB_CTX);
	c->ring.reemit = true;
	trace_amdgpu_ring_commit(&c->ring);
	c->ring.reemit = false;
	amd_case_stop(c);

	amd_expect_error(c, c->ring_id, 0, 0, 0, GRTRACE_ERROR_RESET, 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_ERROR), 1);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_COMMIT), 0);
}

static void amd_reset_of_the_gpu(struct kunit *test)
{
	struct amd_case *c = amd_case(test);
	const struct grtrace_rec_ring *ring;

	trace_amdgpu_gpu_reset_start(c->adev, c->job, AMDGPU_RESET_SRC_JOB);
	trace_amdgpu_gpu_reset_end(c->adev, AMDGPU_RESET_SRC_JOB, -ENODEV);
	trace_amdgpu_gpu_reset_start(c->adev, NULL, AMDGPU_RESET_SRC_USER);
	trace_amdgpu_gpu_reset_end(c->adev, AMDGPU_RESET_SRC_USER, 0);
	amd_case_stop(c);

	amd_expect_error(c, c->ring_id, 0, AMD_JOB_CTX, 0x55,
			 GRTRACE_ERROR_HANG, -ETIME);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_ERROR), 1);
	amd_expect_error(c, c->device_id, 0, 0, 0, GRTRACE_ERROR_RESET, -ENODEV);
	amd_expect_error(c, c->device_id, 1, 0, 0, GRTRACE_ERROR_RESET, 0);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->device_id, GRTRACE_ERROR), 2);
	ring = amd_told(c, c->device_id);
	KUNIT_EXPECT_STREQ(test, ring->name, "gpu");
	KUNIT_EXPECT_STREQ(test, ring->device, "0000:88:00.0");
}

/* ------------------------------------------------------------ engine class */

struct amd_kind {
	const char *name;
	u32 type;
	u32 engine_class;
};

static const struct amd_kind amd_rings[] = {
	{ "gfx_0.0.0", AMDGPU_RING_TYPE_GFX, GRTRACE_CLASS_RENDER },
	{ "comp_1.0.0", AMDGPU_RING_TYPE_COMPUTE, GRTRACE_CLASS_COMPUTE },
	{ "page0", AMDGPU_RING_TYPE_SDMA, GRTRACE_CLASS_COPY },
	{ "uvd", AMDGPU_RING_TYPE_UVD, GRTRACE_CLASS_VIDEO_DECODE },
	{ "vce0", AMDGPU_RING_TYPE_VCE, GRTRACE_CLASS_VIDEO_ENCODE },
	{ "uvd_enc0", AMDGPU_RING_TYPE_UVD_ENC, GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcn_dec", AMDGPU_RING_TYPE_VCN_DEC, GRTRACE_CLASS_VIDEO_DECODE },
	{ "vcn_enc0", AMDGPU_RING_TYPE_VCN_ENC, GRTRACE_CLASS_VIDEO_ENCODE },
	{ "vcn_unified_0", AMDGPU_RING_TYPE_VCN_ENC, GRTRACE_CLASS_VIDEO_DECODE },
	{ "jpeg_dec", AMDGPU_RING_TYPE_VCN_JPEG, GRTRACE_CLASS_VIDEO_DECODE },
	{ "vpe", AMDGPU_RING_TYPE_VPE, GRTRACE_CLASS_OTHER },
	{ "kiq_0.2.1.0", AMDGPU_RING_TYPE_KIQ, GRTRACE_CLASS_OTHER },
	{ "mes_3.0.0", AMDGPU_RING_TYPE_MES, GRTRACE_CLASS_OTHER },
	{ "cper", AMDGPU_RING_TYPE_CPER, GRTRACE_CLASS_OTHER },
	{ "?", U32_MAX, GRTRACE_CLASS_OTHER },
};

static void amd_kind_words(const struct amd_kind *kind, char *words)
{
	strscpy(words, kind->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(amd_rings, amd_rings, amd_kind_words);

static void amd_class_of_a_ring(struct kunit *test)
{
	const struct amd_kind *kind = test->param_value;
	struct amd_case *c = amd_case(test);
	const struct grtrace_rec_ring *ring;

	c->funcs.type = kind->type;
	strscpy(c->ring.name, kind->name);
	amd_process(c, 1);
	amd_case_stop(c);

	ring = amd_told(c, c->ring_id);
	KUNIT_EXPECT_STREQ(test, ring->device, "0000:88:00.0");
	KUNIT_EXPECT_STREQ(test, ring->driver, "amdgpu");
	KUNIT_EXPECT_STREQ(test, ring->name, kind->name);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class), kind->engine_class);
}

/* The ring is the one that the scheduler's source knows, with a class now. */
static void amd_class_of_a_ring_that_is_known(struct kunit *test)
{
	struct amd_case *c = amd_case(test);
	const struct grtrace_ring_desc desc = {
		.dev = &c->dev,
		.name = "page0",
	};
	struct grtrace_ring *ring;

	strscpy(c->ring.name, "page0");
	c->funcs.type = AMDGPU_RING_TYPE_SDMA;
	ring = grtrace_ring_submit(&c->ring.sched, AMD_JOB_CTX, &desc);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_EQ(test, ring->engine_class, GRTRACE_CLASS_UNKNOWN);
	amd_process(c, 1);
	amd_process(c, 2);
	amd_case_stop(c);

	KUNIT_EXPECT_EQ(test, c->ring_id, ring->id);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(amd_told(c, c->ring_id)->engine_class),
			GRTRACE_CLASS_COPY);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->ring_id, GRTRACE_IRQ), 2);
}

/* ----------------------------------------------------- user mode queues */

static void amd_queue_asks_for_a_fence(struct kunit *test)
{
	struct amd_case *c = amd_case(test);
	const struct dma_fence *fence = &c->queue_fence.base;
	const struct grtrace_rec_ring *ring;
	struct grtrace_rec_job want;

	trace_amdgpu_userq_emit_fence(&c->dev, &c->queue, &c->queue_fence);
	amd_case_stop(c);

	ring = amd_told(c, c->queue_id);
	KUNIT_EXPECT_STREQ(test, ring->device, "0000:88:00.0");
	KUNIT_EXPECT_STREQ(test, ring->driver, "amdgpu");
	KUNIT_EXPECT_STREQ(test, ring->name, "userq_comp_4098");
	KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class),
			GRTRACE_CLASS_COMPUTE);
	want = amd_want(c->queue_id, GRTRACE_SUBMIT, sizeof(want),
			fence->context, fence->seqno);
	amd_expect(c, 0, fence->context, &want);
	amd_expect_fence(c, c->queue_id, GRTRACE_COMMIT, 0, fence->context,
			 fence->seqno, fence->context, fence->seqno);
}

/* Known from its creation on, even if it never asks for a fence. */
static void amd_queue_comes_and_goes(struct kunit *test)
{
	struct amd_case *c = amd_case(test);
	struct grtrace_ring *ring;
	u32 first;

	trace_amdgpu_userq_create_start(&c->queue);
	trace_amdgpu_userq_create_end(&c->queue, 0);
	ring = grtrace_ring_find(&c->queue);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	first = ring->id;
	trace_amdgpu_userq_destroy_end(&c->queue, 0);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&c->queue));

	/* another at the same address */
	trace_amdgpu_userq_create_start(&c->queue);
	ring = grtrace_ring_find(&c->queue);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_NE(test, ring->id, first);
	trace_amdgpu_userq_create_end(&c->queue, -ENOMEM);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&c->queue));
	trace_amdgpu_userq_create_end(&c->queue, -ENOMEM);
	amd_case_stop(c);

	KUNIT_EXPECT_STREQ(test, amd_told(c, first)->name, "userq_comp_4098");
}

static void amd_queue_hangs(struct kunit *test)
{
	struct amd_case *c = amd_case(test);

	c->queue.queue_type = AMDGPU_HW_IP_VPE;
	trace_amdgpu_userq_state_changed(&c->queue, AMDGPU_USERQ_STATE_MAPPED);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&c->queue));
	trace_amdgpu_userq_state_changed(&c->queue, AMDGPU_USERQ_STATE_HUNG);
	amd_case_stop(c);

	amd_expect_error(c, c->queue_id, 0, 0, 0, GRTRACE_ERROR_HANG, -ETIME);
	KUNIT_EXPECT_EQ(test, amd_count(c, c->queue_id, GRTRACE_ERROR), 1);
	KUNIT_EXPECT_STREQ(test, amd_told(c, c->queue_id)->name,
			   "userq_other_4098");
}

static struct kunit_case amd_test_cases[] = {
	KUNIT_CASE(amd_interrupt_names_the_newest),
	KUNIT_CASE(amd_interrupt_after_a_wrap),
	KUNIT_CASE(amd_interrupt_of_nonsense),
	KUNIT_CASE(amd_switch_from_one_to_another),
	KUNIT_CASE(amd_direct_job_from_submit_to_complete),
	KUNIT_CASE(amd_reset_of_a_ring),
	KUNIT_CASE(amd_reset_emits_again),
	KUNIT_CASE(amd_reset_of_the_gpu),
	KUNIT_CASE_PARAM(amd_class_of_a_ring, amd_rings_gen_params),
	KUNIT_CASE(amd_class_of_a_ring_that_is_known),
	KUNIT_CASE(amd_queue_asks_for_a_fence),
	KUNIT_CASE(amd_queue_comes_and_goes),
	KUNIT_CASE(amd_queue_hangs),
	{}
};

static struct kunit_suite amd_test_suite = {
	.name = "grtrace_source_amdgpu",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = amd_test_cases,
};

kunit_test_suite(amd_test_suite);

MODULE_DESCRIPTION("grtrace: unit tests of the amdgpu source");
MODULE_SOFTDEP("pre: grtrace_amdgpu");
MODULE_LICENSE("GPL");
