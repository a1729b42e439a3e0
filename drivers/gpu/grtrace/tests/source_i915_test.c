// SPDX-License-Identifier: GPL-2.0
/*
 * The i915 source, by the driver's own tracepoints: a GT with two engines and a
 * virtual one that no device has, requests in the state they have on the way
 * through execlists, GuC and ring submission, and the records to the byte.
 */
#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/spinlock.h>

#ifndef GRTRACE_COMPAT
#include <drm/intel/intel_gmd_interrupt_regs.h>
#endif

#include <trace/events/dma_fence.h>

#include "gt/intel_context_types.h"
#include "gt/intel_engine_types.h"
#include "gt/intel_gt_types.h"
#include "gt/intel_timeline_types.h"
#include "i915_reg.h"
#include "i915_request.h"
#include "i915_trace.h"

#include "trial.h"

#define I915_LOW_LEVEL	IS_ENABLED(CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS)

enum { I915_RENDER, I915_VIDEO, I915_VIRTUAL, I915_ENGINES };

/**
 * struct i915_fake_context - a context, its timeline and two requests on it
 *
 * @ce: the context
 * @timeline: its timeline
 * @hwsp: the last breadcrumb that the engine wrote
 * @rq: requests with seqno 2 and 4, or 1 and 2 without initial breadcrumbs
 */
struct i915_fake_context {
	struct intel_context ce;
	struct intel_timeline timeline;
	u32 hwsp;
	struct i915_request rq[2];
};

/**
 * struct i915_case - a GT, and what was recorded of it
 *
 * @test: the test
 * @stream: of the session
 * @i915: the device
 * @gt: its GT
 * @engine: its engines
 * @ring: the ids of their rings, 0 where there is none
 * @interrupt: where interrupts come from
 * @signal: the request that it signals, or NULL
 * @iir: else what it tells of the engine I915_RENDER
 */
struct i915_case {
	struct kunit *test;
	struct stream *stream;
	struct drm_i915_private *i915;
	struct intel_gt *gt;
	struct intel_engine_cs *engine[I915_ENGINES];
	u32 ring[I915_ENGINES];
	struct irq_work interrupt;
	struct i915_request *signal;
	u16 iir;
};

/* ------------------------------------------------- what the driver does */

static const char *i915_fence_name(struct dma_fence *fence)
{
	return "kunit";
}

static const struct dma_fence_ops i915_fake_ops = {
	.get_driver_name = i915_fence_name,
	.get_timeline_name = i915_fence_name,
};

static const struct dma_fence_ops i915_foreign_ops = {
	.get_driver_name = i915_fence_name,
	.get_timeline_name = i915_fence_name,
};

static DEFINE_SPINLOCK(i915_foreign_lock);

/* A context that is submitted to @engine; a seqno, or two, for each request. */
static struct i915_fake_context *i915_context(struct i915_case *c,
					      unsigned int engine, u32 base,
					      bool initial_breadcrumb)
{
	struct i915_fake_context *ctx;
	u64 fence_ctx = dma_fence_context_alloc(1);
	unsigned int i, step = initial_breadcrumb ? 2 : 1;

	ctx = kunit_kzalloc(c->test, sizeof(*ctx), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(c->test, ctx);
	ctx->hwsp = base;
	ctx->timeline.has_initial_breadcrumb = initial_breadcrumb;
	ctx->ce.engine = c->engine[engine];
	for (i = 0; i < ARRAY_SIZE(ctx->rq); i++) {
		struct i915_request *rq = &ctx->rq[i];

		spin_lock_init(&rq->lock);
		dma_fence_init(&rq->fence, &i915_fake_ops, &rq->lock, fence_ctx,
			       (u32)(base + step * (i + 1)));
		rq->i915 = c->i915;
		rq->engine = c->engine[engine];
		rq->context = &ctx->ce;
		rq->hwsp_seqno = &ctx->hwsp;
		RCU_INIT_POINTER(rq->timeline, &ctx->timeline);
	}
	return ctx;
}

static void i915_add(struct i915_fake_context *ctx)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ctx->rq); i++) {
		trace_i915_request_add(&ctx->rq[i]);
		trace_i915_request_execute(&ctx->rq[i]);
	}
}

static void i915_signal(struct i915_request *rq)
{
	set_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &rq->fence.flags);
	trace_dma_fence_signaled(&rq->fence);
}

static void i915_in_hardirq(struct irq_work *work)
{
	struct i915_case *c = container_of(work, struct i915_case, interrupt);

	if (c->signal)
		i915_signal(c->signal);
	else
		trace_i915_engine_irq(c->engine[I915_RENDER], c->iir);
}

static void i915_signal_in_hardirq(struct i915_case *c, struct i915_request *rq)
{
	c->signal = rq;
	irq_work_queue(&c->interrupt);
	irq_work_sync(&c->interrupt);
}

static void i915_interrupt(struct i915_case *c, u16 iir)
{
	c->signal = NULL;
	c->iir = iir;
	irq_work_queue(&c->interrupt);
	irq_work_sync(&c->interrupt);
}

/* ------------------------------------------------------------ the cases */

static void i915_engine(struct i915_case *c, unsigned int n, const char *name,
			unsigned int class)
{
	struct intel_engine_cs *engine;

	engine = kunit_kzalloc(c->test, sizeof(*engine), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(c->test, engine);
	engine->i915 = c->i915;
	engine->gt = c->gt;
	engine->class = class;
	strscpy(engine->name, name);
	c->engine[n] = engine;
	if (n == I915_VIRTUAL)
		return;
	engine->mask = BIT(n);
	c->gt->engine[n] = engine;
	c->gt->info.engine_mask |= BIT(n);
}

static struct i915_case *i915_case(struct kunit *test)
{
	struct i915_case *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct device *dev;

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->test = test;
	c->i915 = kunit_kzalloc(test, sizeof(*c->i915), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->i915);
	c->gt = kunit_kzalloc(test, sizeof(*c->gt), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->gt);
	c->gt->i915 = c->i915;
	dev = kunit_device_register(test, "fake-i915");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	c->i915->drm.dev = dev;
	/* read by the tracepoints' own records, if tracefs listens as well */
	c->i915->drm.primary = kunit_kzalloc(test, sizeof(*c->i915->drm.primary),
					     GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->i915->drm.primary);
	i915_engine(c, I915_RENDER, "rcs0", RENDER_CLASS);
	i915_engine(c, I915_VIDEO, "vcs0", VIDEO_DECODE_CLASS);
	i915_engine(c, I915_VIRTUAL, "v1x2", VIDEO_DECODE_CLASS);
	c->interrupt = IRQ_WORK_INIT_HARD(i915_in_hardirq);
	c->stream = trial_start(test, "");
	return c;
}

/* The engines are known by now, if there is anybody to know them. */
static void i915_case_stop(struct i915_case *c)
{
	struct grtrace_ring *ring;
	unsigned int i;
	bool known = false;

	for (i = 0; i < I915_ENGINES; i++) {
		ring = grtrace_ring_find(c->engine[i]);
		if (!ring)
			continue;
		known = true;
		c->ring[i] = ring->id;
		grtrace_ring_retire(ring);
	}
	trial_stop(c->test, c->stream);
	trial_source(c->test, c->stream, "i915");
	KUNIT_ASSERT_TRUE_MSG(c->test, known, "it heard of no engine");
}

static const struct grtrace_rec_job *i915_rec(const struct stream_record *record)
{
	return record->raw;
}

/* The records of a type that are about the case, or NULL: others work, too. */
static const struct stream_record *i915_nth(const struct i915_case *c,
					    unsigned int type, u32 ring, u64 ctx,
					    size_t nth)
{
	const struct stream_record *record;
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		record = &c->stream->record[i];
		if (record->type == type && record->ctx == ctx &&
		    le32_to_cpu(i915_rec(record)->ring) == ring && !nth--)
			return record;
	}
	return NULL;
}

static size_t i915_count(const struct i915_case *c, unsigned int type, u32 ring,
			 u64 ctx)
{
	size_t n = 0;

	while (i915_nth(c, type, ring, ctx, n))
		n++;
	return n;
}

/* The type, the size, the key and so on, as they must stand in a record. */
static struct grtrace_rec_job i915_want(u16 type, u16 size, u32 ring, u64 ctx,
					u32 seqno, u16 flags, u16 arg)
{
	return (struct grtrace_rec_job) {
		.seq.hdr.type = cpu_to_le16(type),
		.seq.hdr.size = cpu_to_le16(size),
		.ctx = cpu_to_le32(ctx),
		.seqno = cpu_to_le32(seqno),
		.ring = cpu_to_le32(ring),
		.flags = cpu_to_le16(flags),
		.arg = cpu_to_le16(arg),
	};
}

/* To the byte, but for when and by whom. */
static void i915_expect(const struct i915_case *c, size_t nth, u64 ctx,
			const struct grtrace_rec_job *want)
{
	stream_same(c->test, i915_nth(c, le16_to_cpu(want->seq.hdr.type),
				      le32_to_cpu(want->ring), ctx, nth), want);
}

static void i915_expect_job(const struct i915_case *c, u16 type, u32 ring,
			    const struct i915_request *rq, size_t nth, u16 flags,
			    u16 arg)
{
	const struct grtrace_rec_job want =
		i915_want(type, sizeof(want), ring, rq->fence.context,
			  rq->fence.seqno, flags, arg);

	i915_expect(c, nth, rq->fence.context, &want);
}

static void i915_expect_commit(const struct i915_case *c, u32 ring,
			       const struct i915_request *rq, size_t nth)
{
	const struct grtrace_rec_job_fence want = {
		.job = i915_want(GRTRACE_COMMIT, sizeof(want), ring,
				 rq->fence.context, rq->fence.seqno, 0, 0),
		.fence_ctx = cpu_to_le32(rq->fence.context),
		.fence_seqno = cpu_to_le32(rq->fence.seqno),
	};

	i915_expect(c, nth, rq->fence.context, &want.job);
}

/* Either may be NULL. */
static void i915_expect_switch(const struct i915_case *c, u32 ring,
			       const struct i915_request *to,
			       const struct i915_request *from)
{
	u64 ctx = to ? to->fence.context : 0;
	const struct grtrace_rec_job_fence want = {
		.job = i915_want(GRTRACE_CTX_SWITCH, sizeof(want), ring, ctx,
				 to ? to->fence.seqno : 0, 0, 0),
		.fence_ctx = cpu_to_le32(from ? from->fence.context : 0),
		.fence_seqno = cpu_to_le32(from ? from->fence.seqno : 0),
	};

	i915_expect(c, 0, ctx, &want.job);
}

static void i915_expect_error(const struct i915_case *c, u32 ring,
			      const struct i915_request *rq, size_t nth,
			      u32 kind, s32 code)
{
	u64 ctx = rq ? rq->fence.context : 0;
	const struct grtrace_rec_error want = {
		.job = i915_want(GRTRACE_ERROR, sizeof(want), ring, ctx,
				 rq ? rq->fence.seqno : 0, 0, 0),
		.kind = cpu_to_le32(kind),
		.code = cpu_to_le32(code),
	};

	i915_expect(c, nth, ctx, &want.job);
}

static size_t i915_of(const struct i915_case *c, unsigned int type, u32 ring,
		      const struct i915_fake_context *ctx)
{
	return i915_count(c, type, ring, ctx->rq[0].fence.context);
}

/* ---------------------------------------------------------------- tests */

#define IN_HARDIRQ	(GRTRACE_TIME_INTERRUPT | GRTRACE_IN_HARDIRQ)

/* As with GuC: nothing is known between the execution and the interrupt. */
static void i915_guc(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, true);
	u32 ring;

	i915_add(ctx);
	ctx->hwsp = 2;
	i915_interrupt(c, GT_RENDER_USER_INTERRUPT);
	i915_signal_in_hardirq(c, &ctx->rq[0]);
	ctx->rq[1].fence.error = -EIO;
	i915_signal_in_hardirq(c, &ctx->rq[1]);
	i915_case_stop(c);

	ring = c->ring[I915_RENDER];
	i915_expect_job(c, GRTRACE_SUBMIT, ring, &ctx->rq[0], 0, 0, 0);
	i915_expect_job(c, GRTRACE_SUBMIT, ring, &ctx->rq[1], 1, 0, 0);
	i915_expect_job(c, GRTRACE_END, ring, &ctx->rq[0], 0, IN_HARDIRQ, 0);
	i915_expect_job(c, GRTRACE_END, ring, &ctx->rq[1], 1, IN_HARDIRQ, 0);
	i915_expect_job(c, GRTRACE_COMPLETE, ring, &ctx->rq[0], 0, IN_HARDIRQ, 0);
	i915_expect_job(c, GRTRACE_COMPLETE, ring, &ctx->rq[1], 1, IN_HARDIRQ,
			(u16)-EIO);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_COMMIT, ring, ctx),
			I915_LOW_LEVEL ? 2 : 0);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_START, ring, ctx), 0);
	if (!I915_LOW_LEVEL)
		return;
	i915_expect_commit(c, ring, &ctx->rq[0], 0);
	i915_expect_commit(c, ring, &ctx->rq[1], 1);
}

/* Two requests of a context go to a port as one, and nobody listens. */
static void i915_execlists(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, true);
	u32 ring;

	i915_add(ctx);
	/* the first one has written its initial breadcrumb */
	ctx->hwsp = 1;
	trace_i915_context_switch(c->engine[I915_RENDER], NULL, &ctx->rq[1]);
	ctx->hwsp = 4;
	trace_i915_context_switch(c->engine[I915_RENDER], &ctx->rq[1], NULL);
	trace_i915_request_out(&ctx->rq[1]);
	i915_signal(&ctx->rq[0]);
	i915_signal(&ctx->rq[1]);
	i915_case_stop(c);

	ring = c->ring[I915_RENDER];
	i915_expect_switch(c, ring, &ctx->rq[0], NULL);
	i915_expect_switch(c, ring, NULL, &ctx->rq[1]);
	i915_expect_job(c, GRTRACE_START, ring, &ctx->rq[0], 0, 0, 0);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_START, ring, ctx), 1);
	/* retired, which is no time at which the hardware ended */
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_END, ring, ctx), I915_LOW_LEVEL);
	if (I915_LOW_LEVEL)
		i915_expect_job(c, GRTRACE_END, ring, &ctx->rq[1], 0, 0, 0);
	i915_expect_job(c, GRTRACE_COMPLETE, ring, &ctx->rq[0], 0, 0, 0);
	i915_expect_job(c, GRTRACE_COMPLETE, ring, &ctx->rq[1], 1, 0, 0);
}

static void i915_preempted(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *low = i915_context(c, I915_RENDER, 0, true);
	struct i915_fake_context *high = i915_context(c, I915_RENDER, 0, true);
	u32 ring;

	i915_add(low);
	trace_i915_context_switch(c->engine[I915_RENDER], NULL, &low->rq[1]);
	/* one of two is done when the other context comes */
	low->hwsp = 3;
	trace_i915_request_add(&high->rq[0]);
	trace_i915_request_execute(&high->rq[0]);
	trace_i915_context_switch(c->engine[I915_RENDER], &low->rq[1],
				  &high->rq[0]);
	trace_i915_request_out(&low->rq[1]);
	trace_i915_request_execute(&low->rq[1]);
	high->hwsp = 2;
	trace_i915_context_switch(c->engine[I915_RENDER], &high->rq[0],
				  &low->rq[1]);
	i915_case_stop(c);

	ring = c->ring[I915_RENDER];
	i915_expect_switch(c, ring, &high->rq[0], &low->rq[1]);
	i915_expect_job(c, GRTRACE_START, ring, &low->rq[0], 0, 0, 0);
	i915_expect_job(c, GRTRACE_START, ring, &low->rq[1], 1, 0, 0);
	i915_expect_job(c, GRTRACE_START, ring, &high->rq[0], 0, 0, 0);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_END, ring, low), 0);
	if (I915_LOW_LEVEL)
		i915_expect_commit(c, ring, &low->rq[1], 2);
}

/* Seqnos have 32 bits, and without initial breadcrumbs there is one each. */
static void i915_seqnos_wrap(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *one = i915_context(c, I915_RENDER, U32_MAX,
						     false);
	struct i915_fake_context *two = i915_context(c, I915_VIDEO,
						     U32_MAX - 1, true);

	i915_add(one);
	i915_add(two);
	trace_i915_context_switch(c->engine[I915_RENDER], NULL, &one->rq[1]);
	trace_i915_context_switch(c->engine[I915_VIDEO], NULL, &two->rq[1]);
	i915_case_stop(c);

	KUNIT_EXPECT_EQ(test, one->rq[0].fence.seqno, 0);
	i915_expect_job(c, GRTRACE_START, c->ring[I915_RENDER], &one->rq[0], 0, 0, 0);
	KUNIT_EXPECT_EQ(test, two->rq[0].fence.seqno, 0);
	i915_expect_job(c, GRTRACE_START, c->ring[I915_VIDEO], &two->rq[0], 0, 0, 0);
}

/* What is over before the tasklet hears of it has begun, but nobody knows when. */
static void i915_quick(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, true);

	i915_add(ctx);
	ctx->hwsp = 4;
	trace_i915_context_switch(c->engine[I915_RENDER], NULL, &ctx->rq[1]);
	i915_case_stop(c);

	i915_expect_switch(c, c->ring[I915_RENDER], &ctx->rq[1], NULL);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_START, c->ring[I915_RENDER], ctx), 0);
}

/* As with ring submission: the oldest GPUs have other bits. */
static void i915_legacy(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, false);
	struct grtrace_rec_job want;
	u32 ring;

	i915_add(ctx);
	i915_interrupt(c, I915_USER_INTERRUPT);
	i915_interrupt(c, ILK_BSD_USER_INTERRUPT);
	i915_interrupt(c, GT_CONTEXT_SWITCH_INTERRUPT);
	i915_interrupt(c, GT_RENDER_USER_INTERRUPT | GT_CONTEXT_SWITCH_INTERRUPT);
	i915_signal_in_hardirq(c, &ctx->rq[0]);
	i915_case_stop(c);

	ring = c->ring[I915_RENDER];
	want = i915_want(GRTRACE_IRQ, sizeof(want), ring, 0, 0, IN_HARDIRQ, 0);
	i915_expect(c, 0, 0, &want);
	i915_expect(c, 1, 0, &want);
	i915_expect(c, 2, 0, &want);
	KUNIT_EXPECT_EQ(test, i915_count(c, GRTRACE_IRQ, ring, 0), 3);
	i915_expect_job(c, GRTRACE_SUBMIT, ring, &ctx->rq[0], 0, 0, 0);
	i915_expect_job(c, GRTRACE_COMPLETE, ring, &ctx->rq[0], 0, IN_HARDIRQ, 0);
}

/* It goes from one engine to another, its ring does not. */
static void i915_virtual(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_VIRTUAL, 0, true);
	struct i915_request *rq = &ctx->rq[0];
	u32 ring;

	trace_i915_request_add(rq);
	rq->engine = c->engine[I915_VIDEO];
	trace_i915_request_execute(rq);
	trace_i915_context_switch(c->engine[I915_VIDEO], NULL, rq);
	i915_signal_in_hardirq(c, rq);
	i915_case_stop(c);

	ring = c->ring[I915_VIRTUAL];
	i915_expect_job(c, GRTRACE_SUBMIT, ring, rq, 0, 0, 0);
	i915_expect_job(c, GRTRACE_START, ring, rq, 0, 0, 0);
	i915_expect_job(c, GRTRACE_END, ring, rq, 0, IN_HARDIRQ, 0);
	i915_expect_job(c, GRTRACE_COMPLETE, ring, rq, 0, IN_HARDIRQ, 0);
	i915_expect_switch(c, c->ring[I915_VIDEO], rq, NULL);
	if (I915_LOW_LEVEL)
		i915_expect_commit(c, ring, rq, 0);
}

/* i915's wait is inside of dma_fence_wait(), or is called without it. */
static void i915_waits(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, true);
	struct i915_request *rq = &ctx->rq[0];

	trace_i915_request_add(rq);
	trace_dma_fence_wait_start(&rq->fence);
	trace_i915_request_wait_begin(rq, 0);
	trace_i915_request_wait_end(rq);
	trace_dma_fence_wait_end(&rq->fence);
	trace_i915_request_wait_begin(rq, 0);
	trace_i915_request_wait_end(rq);
	i915_case_stop(c);

	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_SYNC_WAIT_ENTER, GRTRACE_RING_NONE, ctx), 2);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_SYNC_WAIT_EXIT, GRTRACE_RING_NONE, ctx), 2);
	i915_expect_job(c, GRTRACE_SYNC_WAIT_ENTER, GRTRACE_RING_NONE, rq, 1, 0, 0);
	i915_expect_job(c, GRTRACE_SYNC_WAIT_EXIT, GRTRACE_RING_NONE, rq, 1, 0, 0);
}

/* A request's fence is its COMPLETE; others are left to the dma_fence source. */
static void i915_fences(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, true);
	struct dma_fence *foreign = kunit_kzalloc(test, sizeof(*foreign), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, foreign);
	dma_fence_init(foreign, &i915_foreign_ops, &i915_foreign_lock,
		       dma_fence_context_alloc(1), 1);
	i915_add(ctx);
	i915_signal(&ctx->rq[0]);
	trace_dma_fence_signaled(foreign);
	i915_case_stop(c);

	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_COMPLETE, c->ring[I915_RENDER], ctx), 1);
	KUNIT_EXPECT_EQ(test, i915_of(c, GRTRACE_FENCE, GRTRACE_RING_NONE, ctx), 0);
	KUNIT_EXPECT_EQ(test, i915_count(c, GRTRACE_COMPLETE, GRTRACE_RING_NONE,
					 foreign->context), 0);
}

static void i915_hang(struct kunit *test)
{
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx = i915_context(c, I915_RENDER, 0, true);
	u32 rcs, vcs;

	i915_add(ctx);
	trace_i915_heartbeat_stopped(c->engine[I915_RENDER], &ctx->rq[1]);
	trace_i915_gt_error(c->gt, BIT(I915_RENDER), "stopped heartbeat");
	trace_i915_engine_reset(c->engine[I915_RENDER], NULL, -ETIMEDOUT);
	trace_i915_gt_reset(c->gt, BIT(I915_RENDER), "it hangs", 0);
	trace_i915_request_reset(&ctx->rq[0], true);
	trace_i915_request_reset(&ctx->rq[1], false);
	trace_i915_heartbeat_stopped(c->engine[I915_VIDEO], NULL);
	/* one that could not be set up */
	c->gt->info.engine_mask |= BIT(I915_VIRTUAL);
	trace_i915_gt_wedged(c->gt);
	i915_case_stop(c);

	rcs = c->ring[I915_RENDER];
	vcs = c->ring[I915_VIDEO];
	i915_expect_error(c, rcs, &ctx->rq[1], 0, GRTRACE_ERROR_TIMEOUT, -ETIME);
	i915_expect_error(c, rcs, NULL, 0, GRTRACE_ERROR_HANG, -EIO);
	i915_expect_error(c, rcs, NULL, 1, GRTRACE_ERROR_RESET, -ETIMEDOUT);
	i915_expect_error(c, rcs, NULL, 2, GRTRACE_ERROR_RESET, 0);
	i915_expect_error(c, rcs, &ctx->rq[0], 1, GRTRACE_ERROR_HANG, -EIO);
	i915_expect_error(c, rcs, &ctx->rq[1], 2, GRTRACE_ERROR_RESET, -EAGAIN);
	i915_expect_error(c, rcs, NULL, 3, GRTRACE_ERROR_WEDGED, 0);
	KUNIT_EXPECT_EQ(test, i915_count(c, GRTRACE_ERROR, rcs, 0), 4);
	i915_expect_error(c, vcs, NULL, 0, GRTRACE_ERROR_RESET, 0);
	i915_expect_error(c, vcs, NULL, 1, GRTRACE_ERROR_TIMEOUT, -ETIME);
	i915_expect_error(c, vcs, NULL, 2, GRTRACE_ERROR_WEDGED, 0);
	KUNIT_EXPECT_EQ(test, i915_count(c, GRTRACE_ERROR, vcs, 0), 3);
}

static void i915_guc_context_reset(struct kunit *test)
{
	struct i915_case *c;
	struct i915_fake_context *ctx;

	if (!I915_LOW_LEVEL)
		kunit_skip(test, "DRM_I915_LOW_LEVEL_TRACEPOINTS is off");
	c = i915_case(test);
	ctx = i915_context(c, I915_VIRTUAL, 0, true);
	trace_intel_context_reset(&ctx->ce);
	i915_case_stop(c);

	i915_expect_error(c, c->ring[I915_VIRTUAL], NULL, 0, GRTRACE_ERROR_RESET, 0);
}

static void i915_rings(struct kunit *test)
{
	static const struct {
		unsigned int class;
		unsigned int want;
	} classes[] = {
		{ RENDER_CLASS, GRTRACE_CLASS_RENDER },
		{ VIDEO_DECODE_CLASS, GRTRACE_CLASS_VIDEO_DECODE },
		{ VIDEO_ENHANCEMENT_CLASS, GRTRACE_CLASS_VIDEO_ENCODE },
		{ COPY_ENGINE_CLASS, GRTRACE_CLASS_COPY },
		{ OTHER_CLASS, GRTRACE_CLASS_OTHER },
		{ COMPUTE_CLASS, GRTRACE_CLASS_COMPUTE },
		{ 200, GRTRACE_CLASS_UNKNOWN },
	};
	struct i915_case *c = i915_case(test);
	struct i915_fake_context *ctx;
	unsigned int i, seen = 0;
	size_t n;

	/* engines come and go at one address: each is a ring of its own */
	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		c->engine[I915_RENDER]->class = classes[i].class;
		snprintf(c->engine[I915_RENDER]->name,
			 sizeof(c->engine[I915_RENDER]->name), "kunit%u", i);
		ctx = i915_context(c, I915_RENDER, 0, true);
		i915_add(ctx);
	}
	i915_case_stop(c);

	for (n = 0; n < c->stream->n; n++) {
		const struct stream_record *record = &c->stream->record[n];
		const struct grtrace_rec_ring *ring = record->raw;

		if (record->type != GRTRACE_RING ||
		    sscanf(ring->name, "kunit%u", &i) != 1)
			continue;
		KUNIT_ASSERT_EQ(test, i, seen);
		KUNIT_EXPECT_STREQ(test, ring->driver, "i915");
		KUNIT_EXPECT_STREQ(test, ring->device, dev_name(c->i915->drm.dev));
		KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class),
				classes[i].want);
		seen++;
	}
	KUNIT_EXPECT_EQ(test, seen, ARRAY_SIZE(classes));
}

static struct kunit_case i915_cases[] = {
	KUNIT_CASE(i915_guc),
	KUNIT_CASE(i915_execlists),
	KUNIT_CASE(i915_preempted),
	KUNIT_CASE(i915_seqnos_wrap),
	KUNIT_CASE(i915_quick),
	KUNIT_CASE(i915_legacy),
	KUNIT_CASE(i915_virtual),
	KUNIT_CASE(i915_waits),
	KUNIT_CASE(i915_fences),
	KUNIT_CASE(i915_hang),
	KUNIT_CASE(i915_guc_context_reset),
	KUNIT_CASE(i915_rings),
	{}
};

static struct kunit_suite i915_suite = {
	.name = "grtrace_source_i915",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = i915_cases,
};

kunit_test_suite(i915_suite);

MODULE_DESCRIPTION("grtrace: unit tests of the i915 source");
MODULE_SOFTDEP("pre: grtrace_i915");
MODULE_LICENSE("GPL");
