// SPDX-License-Identifier: GPL-2.0
/*
 * The i915 source, which includes this file: a GT with two engines and a virtual one
 * that no device has, and requests in the state they have on the way through
 * execlists, GuC and ring submission.
 */
#include <linux/spinlock.h>

#include "source_case.h"

#define I915_LOW_LEVEL	IS_ENABLED(CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS)

enum { I915_RENDER, I915_VIDEO, I915_VIRTUAL, I915_ENGINES };

/* A context, its timeline and two requests on it, with seqno 2 and 4, or 1 and 2. */
struct i915_fake_context {
	struct intel_context ce;
	struct i915_gem_context gem;
	struct intel_timeline timeline;
	u32 hwsp;
	struct i915_request rq[2];
};

/* A GT, and what was recorded of it; an interrupt is for @signal, or else has @iir. */
struct i915_case {
	struct source_case c;
	struct drm_i915_private *i915;
	struct intel_gt *gt;
	struct intel_engine_cs *engine[I915_ENGINES];
	u32 ring[I915_ENGINES];
	struct i915_request *signal;
	u16 iir;
};

/* A context that is submitted to @engine; a seqno, or two, for each request. */
static struct i915_fake_context *i915_context(struct i915_case *g, unsigned int engine, u32 base,
					      bool initial_breadcrumb)
{
	struct i915_fake_context *ctx = test_zalloc(g->c.test, sizeof(*ctx));
	u64 fence_ctx = dma_fence_context_alloc(1);
	unsigned int i, step = initial_breadcrumb ? 2 : 1;

	ctx->hwsp = base;
	ctx->timeline.has_initial_breadcrumb = initial_breadcrumb;
	ctx->ce.engine = g->engine[engine];
	for (i = 0; i < ARRAY_SIZE(ctx->rq); i++) {
		struct i915_request *rq = &ctx->rq[i];

		spin_lock_init(&rq->lock);
		dma_fence_init(&rq->fence, &source_fence_ops, &rq->lock, fence_ctx,
			       (u32)(base + step * (i + 1)));
		rq->i915 = g->i915;
		rq->engine = g->engine[engine];
		rq->context = &ctx->ce;
		rq->hwsp_seqno = &ctx->hwsp;
		RCU_INIT_POINTER(rq->timeline, &ctx->timeline);
	}
	return ctx;
}

static void i915_submit(struct i915_case *g, struct i915_request *rq)
{
	source_event(&g->c, i915_request_add, probe_request_add, rq);
}

#if I915_LOW_LEVEL
static void i915_execute(struct i915_case *g, struct i915_request *rq)
{
	source_event(&g->c, i915_request_execute, probe_request_execute, rq);
}

static void i915_out(struct i915_case *g, struct i915_request *rq)
{
	source_event(&g->c, i915_request_out, probe_request_out, rq);
}
#else
static void i915_execute(struct i915_case *g, struct i915_request *rq) { }
static void i915_out(struct i915_case *g, struct i915_request *rq) { }
#endif

static void i915_add(struct i915_case *g, struct i915_fake_context *ctx)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ctx->rq); i++) {
		i915_submit(g, &ctx->rq[i]);
		i915_execute(g, &ctx->rq[i]);
	}
}

static void i915_switch(struct i915_case *g, unsigned int engine,
			struct i915_request *prev, struct i915_request *next)
{
	source_event(&g->c, i915_context_switch, probe_context_switch,
		     g->engine[engine], prev, next);
}

static void i915_signal(struct i915_case *g, struct i915_request *rq)
{
	set_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &rq->fence.flags);
	source_event(&g->c, dma_fence_signaled, probe_fence_signaled, &rq->fence);
}

static void i915_on_interrupt(void *data)
{
	struct i915_case *g = data;

	if (g->signal)
		i915_signal(g, g->signal);
	else
		source_event(&g->c, i915_engine_irq, probe_engine_irq,
			     g->engine[I915_RENDER], g->iir);
}

/* @rq signals, or else the render engine has @iir. */
static void i915_hardirq(struct i915_case *g, struct i915_request *rq, u16 iir)
{
	g->signal = rq;
	g->iir = iir;
	source_in_hardirq(i915_on_interrupt, g);
}

static void i915_engine(struct i915_case *g, unsigned int n, const char *name, unsigned int class)
{
	struct intel_engine_cs *engine = test_zalloc(g->c.test, sizeof(*engine));

	engine->i915 = g->i915;
	engine->gt = g->gt;
	engine->class = class;
	strscpy(engine->name, name);
	g->engine[n] = engine;
	if (n == I915_VIRTUAL)
		return;
	engine->mask = BIT(n);
	g->gt->engine[n] = engine;
	g->gt->info.engine_mask |= BIT(n);
}

static struct i915_case *i915_case(struct kunit *test)
{
	struct i915_case *g = test_zalloc(test, sizeof(*g));

	g->i915 = test_zalloc(test, sizeof(*g->i915));
	g->gt = test_zalloc(test, sizeof(*g->gt));
	g->c.first = dma_fence_context_alloc(1);
	source_start(&g->c, test, &i915_source);
	g->gt->i915 = g->i915;
	g->i915->drm.dev = g->c.dev;
	i915_engine(g, I915_RENDER, "rcs0", RENDER_CLASS);
	i915_engine(g, I915_VIDEO, "vcs0", VIDEO_DECODE_CLASS);
	i915_engine(g, I915_VIRTUAL, "v1x2", VIDEO_DECODE_CLASS);
	return g;
}

static void i915_stop(struct i915_case *g)
{
	unsigned int i;

	for (i = 0; i < I915_ENGINES; i++)
		g->ring[i] = source_forget(g->engine[i]);
	source_stop(&g->c);
	g->c.last = dma_fence_context_alloc(1);
	/* as where the driver is unloaded: the next test's ops are learnt again */
	grtrace_source_unregister(&i915_source);
	KUNIT_EXPECT_EQ(g->c.test, grtrace_source_register(&i915_source), 0);
}

/* @engine: whose ring; @rq: the request, or NULL */
#define I915(type, engine, rq, ...)						\
	SOURCE_RECORD(type, g->ring[I915_##engine], i915_key(rq).ctx,		\
		      i915_key(rq).seqno, __VA_ARGS__)
/* @how: whether @from was left before its end */
#define I915_SWITCH(engine, from, to, how)					\
	I915(CTX_SWITCH, engine, to, .fence_ctx = i915_key(from).ctx,		\
	     .fence_seqno = i915_key(from).seqno, .arg = GRTRACE_SWITCH_##how)
#define I915_ERROR(engine, rq, _kind, _code, ...)				\
	I915(ERROR, engine, rq, .kind = GRTRACE_ERROR_##_kind, .code = _code, ##__VA_ARGS__)

/* Only with DRM_I915_LOW_LEVEL_TRACEPOINTS */
#define I915_LOW(_type, engine, _rq, ...)					\
	{ I915_LOW_LEVEL ? GRTRACE_##_type : 0, g->ring[I915_##engine],	\
	  i915_key(_rq).ctx, i915_key(_rq).seqno, ##__VA_ARGS__ }
#define I915_COMMIT(engine, rq)							\
	I915_LOW(COMMIT, engine, rq, .fence_ctx = i915_key(rq).ctx,		\
		 .fence_seqno = i915_key(rq).seqno)
/* The records of i915_add() */
#define I915_ADDED(engine, c)							\
	I915(SUBMIT, engine, &(c)->rq[0]), I915_COMMIT(engine, &(c)->rq[0]),	\
	I915(SUBMIT, engine, &(c)->rq[1]), I915_COMMIT(engine, &(c)->rq[1])
#define I915_IRQ(engine)	I915(IRQ, engine, NULL, .flags = SOURCE_IN_HARDIRQ)
#define I915_DONE_IN_HARDIRQ(engine, rq, error)					\
	I915(END, engine, rq, .flags = SOURCE_IN_HARDIRQ),			\
	I915(COMPLETE, engine, rq, .flags = SOURCE_IN_HARDIRQ, .arg = error)

static struct grtrace_job i915_key(const struct i915_request *rq)
{
	return rq ? i915_job(rq) : (struct grtrace_job) {};
}

/*
 * As with GuC, and with ring submission: nothing is known between the execution and the
 * interrupt. The oldest GPUs have other bits.
 */
static void i915_guc(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *ctx = i915_context(g, I915_RENDER, 0, true);

	i915_add(g, ctx);
	ctx->hwsp = 2;
	i915_hardirq(g, NULL, GT_RENDER_USER_INTERRUPT);
	i915_hardirq(g, NULL, I915_USER_INTERRUPT);
	i915_hardirq(g, NULL, ILK_BSD_USER_INTERRUPT);
	i915_hardirq(g, NULL, GT_CONTEXT_SWITCH_INTERRUPT);
	i915_hardirq(g, NULL, GT_RENDER_USER_INTERRUPT | GT_CONTEXT_SWITCH_INTERRUPT);
	i915_hardirq(g, &ctx->rq[0], 0);
	ctx->rq[1].fence.error = -EIO;
	i915_hardirq(g, &ctx->rq[1], 0);
	i915_stop(g);

	source_records(&g->c,
		I915_ADDED(RENDER, ctx),
		I915_IRQ(RENDER), I915_IRQ(RENDER), I915_IRQ(RENDER), I915_IRQ(RENDER),
		I915_DONE_IN_HARDIRQ(RENDER, &ctx->rq[0], 0),
		I915_DONE_IN_HARDIRQ(RENDER, &ctx->rq[1], -EIO));
}

/* Two requests of a context go to a port as one, and without a listener. */
static void i915_execlists(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *ctx = i915_context(g, I915_RENDER, 0, true);

	i915_add(g, ctx);
	/* the first one has written its initial breadcrumb */
	ctx->hwsp = 1;
	i915_switch(g, I915_RENDER, NULL, &ctx->rq[1]);
	ctx->hwsp = 4;
	i915_switch(g, I915_RENDER, &ctx->rq[1], NULL);
	i915_out(g, &ctx->rq[1]);
	i915_signal(g, &ctx->rq[0]);
	i915_signal(g, &ctx->rq[1]);
	i915_stop(g);

	source_records(&g->c,
		I915_ADDED(RENDER, ctx),
		I915_SWITCH(RENDER, NULL, &ctx->rq[0], UNKNOWN),
		I915(START, RENDER, &ctx->rq[0]),
		I915_SWITCH(RENDER, &ctx->rq[1], NULL, DONE),
		/* retired below, which is not the time at which the hardware ended */
		I915_LOW(END, RENDER, &ctx->rq[1]),
		I915(COMPLETE, RENDER, &ctx->rq[0]),
		I915(COMPLETE, RENDER, &ctx->rq[1]));
}

static void i915_preempted(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *low = i915_context(g, I915_RENDER, 0, true);
	struct i915_fake_context *high = i915_context(g, I915_RENDER, 0, true);

	i915_add(g, low);
	i915_switch(g, I915_RENDER, NULL, &low->rq[1]);
	/* one of two is done when the other context comes */
	low->hwsp = 3;
	i915_submit(g, &high->rq[0]);
	i915_execute(g, &high->rq[0]);
	i915_switch(g, I915_RENDER, &low->rq[1], &high->rq[0]);
	i915_out(g, &low->rq[1]);
	i915_execute(g, &low->rq[1]);
	high->hwsp = 2;
	i915_switch(g, I915_RENDER, &high->rq[0], &low->rq[1]);
	/* over before the tasklet hears of it: it has begun, at an unknown time */
	high->hwsp = 4;
	i915_switch(g, I915_RENDER, NULL, &high->rq[1]);
	i915_stop(g);

	source_records(&g->c,
		I915_ADDED(RENDER, low),
		I915_SWITCH(RENDER, NULL, &low->rq[0], UNKNOWN),
		I915(START, RENDER, &low->rq[0]),
		I915(SUBMIT, RENDER, &high->rq[0]), I915_COMMIT(RENDER, &high->rq[0]),
		I915_SWITCH(RENDER, &low->rq[1], &high->rq[0], PREEMPTED),
		I915(START, RENDER, &high->rq[0]),
		I915_COMMIT(RENDER, &low->rq[1]),
		I915_SWITCH(RENDER, &high->rq[0], &low->rq[1], DONE),
		I915(START, RENDER, &low->rq[1]),
		I915_SWITCH(RENDER, NULL, &high->rq[1], UNKNOWN));
}

/* Seqnos have 32 bits, and without initial breadcrumbs there is one each. */
static void i915_seqnos_wrap(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *one = i915_context(g, I915_RENDER, U32_MAX, false);
	struct i915_fake_context *two = i915_context(g, I915_VIDEO, U32_MAX - 1, true);

	i915_add(g, one);
	i915_add(g, two);
	i915_switch(g, I915_RENDER, NULL, &one->rq[1]);
	i915_switch(g, I915_VIDEO, NULL, &two->rq[1]);
	i915_stop(g);

	KUNIT_EXPECT_EQ(test, one->rq[0].fence.seqno, 0);
	KUNIT_EXPECT_EQ(test, two->rq[0].fence.seqno, 0);
	source_records(&g->c,
		I915_ADDED(RENDER, one),
		I915_ADDED(VIDEO, two),
		I915_SWITCH(RENDER, NULL, &one->rq[0], UNKNOWN), I915(START, RENDER, &one->rq[0]),
		I915_SWITCH(VIDEO, NULL, &two->rq[0], UNKNOWN), I915(START, VIDEO, &two->rq[0]));
}

/* It goes from one engine to another, its ring does not. */
static void i915_virtual(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *ctx = i915_context(g, I915_VIRTUAL, 0, true);
	struct i915_request *rq = &ctx->rq[0];

	i915_submit(g, rq);
	rq->engine = g->engine[I915_VIDEO];
	i915_execute(g, rq);
	i915_switch(g, I915_VIDEO, NULL, rq);
	i915_hardirq(g, rq, 0);
	i915_stop(g);

	source_records(&g->c,
		I915(SUBMIT, VIRTUAL, rq), I915_COMMIT(VIRTUAL, rq),
		I915_SWITCH(VIDEO, NULL, rq, UNKNOWN),
		I915(START, VIRTUAL, rq),
		I915_DONE_IN_HARDIRQ(VIRTUAL, rq, 0));
}

/*
 * A request's fence is its COMPLETE, and i915's wait is inside of dma_fence_wait(), or
 * is called without it: both are claimed. Other fences are left to the dma_fence source.
 */
static void i915_waits_and_fences(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *ctx = i915_context(g, I915_RENDER, 0, true);
	struct i915_request *rq = &ctx->rq[0];
	const struct dma_fence_ops foreign_ops = source_fence_ops;
	struct dma_fence foreign = { .context = dma_fence_context_alloc(1) };
	const struct grtrace_source *source, *foreign_source;

	RCU_INIT_POINTER(foreign.ops, &foreign_ops);
	i915_submit(g, rq);
	source_event(&g->c, i915_request_wait_begin, probe_wait_begin, rq, 0);
	source_event(&g->c, i915_request_wait_end, probe_wait_end, rq);
	source = grtrace_fence_source(&rq->fence);
	foreign_source = grtrace_fence_source(&foreign);
	i915_signal(g, rq);
	source_event(&g->c, dma_fence_signaled, probe_fence_signaled, &foreign);
	i915_stop(g);

	KUNIT_EXPECT_PTR_EQ(test, source, &i915_source);
	KUNIT_EXPECT_TRUE(test, i915_source.claims_waits);
	KUNIT_EXPECT_NULL(test, foreign_source);
	KUNIT_EXPECT_NULL(test, grtrace_fence_source(&rq->fence));
	source_records(&g->c,
		I915(SUBMIT, RENDER, rq),
		SOURCE_RECORD(SYNC_WAIT_ENTER, GRTRACE_RING_NONE,
			      rq->fence.context, rq->fence.seqno),
		SOURCE_RECORD(SYNC_WAIT_EXIT, GRTRACE_RING_NONE,
			      rq->fence.context, rq->fence.seqno),
		I915(COMPLETE, RENDER, rq));
}

static void i915_hang(struct kunit *test)
{
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *ctx = i915_context(g, I915_RENDER, 0, true);

	i915_add(g, ctx);
	source_event(&g->c, i915_heartbeat_stopped, probe_heartbeat_stopped,
		     g->engine[I915_RENDER], &ctx->rq[1]);
	source_event(&g->c, i915_gt_error, probe_gt_error, g->gt,
		     BIT(I915_RENDER), "stopped heartbeat");
	source_event(&g->c, i915_engine_reset, probe_engine_reset,
		     g->engine[I915_RENDER], NULL, -ETIMEDOUT);
	ctx->gem.pid = task_pid(current);
	rcu_assign_pointer(ctx->ce.gem_context, &ctx->gem);
	source_event(&g->c, i915_gt_reset, probe_gt_reset, g->gt, BIT(I915_RENDER), "it hangs", 0);
	source_event(&g->c, i915_request_reset, probe_request_reset, &ctx->rq[0], true);
	source_event(&g->c, i915_request_reset, probe_request_reset, &ctx->rq[1], false);
	source_event(&g->c, i915_heartbeat_stopped, probe_heartbeat_stopped,
		     g->engine[I915_VIDEO], NULL);
	/* a request that could not be set up */
	g->gt->info.engine_mask |= BIT(I915_VIRTUAL);
	source_event(&g->c, i915_gt_wedged, probe_gt_wedged, g->gt);
	i915_stop(g);

	source_records(&g->c,
		I915_ADDED(RENDER, ctx),
		I915_ERROR(RENDER, &ctx->rq[1], TIMEOUT, -ETIME),
		I915_ERROR(RENDER, NULL, HANG, -EIO, .text = "stopped heartbeat"),
		I915_ERROR(RENDER, NULL, RESET, -ETIMEDOUT),
		I915_ERROR(RENDER, NULL, RESET, 0, .text = "it hangs"),
		I915_ERROR(VIDEO, NULL, RESET, 0, .text = "it hangs"),
		I915_ERROR(RENDER, &ctx->rq[0], HANG, -EIO, .pid = current->pid,
			   .comm = current->comm),
		I915_ERROR(RENDER, &ctx->rq[1], RESET, -EAGAIN),
		I915_ERROR(VIDEO, NULL, TIMEOUT, -ETIME),
		I915_ERROR(RENDER, NULL, WEDGED, 0),
		I915_ERROR(VIDEO, NULL, WEDGED, 0));
}

static void i915_guc_context_reset(struct kunit *test)
{
#if I915_LOW_LEVEL
	struct i915_case *g = i915_case(test);
	struct i915_fake_context *ctx = i915_context(g, I915_VIRTUAL, 0, true);

	source_event(&g->c, intel_context_reset, probe_context_reset, &ctx->ce);
	i915_stop(g);

	source_records(&g->c, I915_ERROR(VIRTUAL, NULL, RESET, 0));
#else
	kunit_skip(test, "DRM_I915_LOW_LEVEL_TRACEPOINTS is off");
#endif
}

/* Engines come and go at one address: each is a ring of its own. */
static void i915_rings(struct kunit *test)
{
	static const struct {
		unsigned int class;
		unsigned int want;
	} classes[] = {
		{ RENDER_CLASS, GRTRACE_CLASS_RENDER },
		{ VIDEO_DECODE_CLASS, GRTRACE_CLASS_VIDEO_DECODE },
		{ VIDEO_ENHANCEMENT_CLASS, GRTRACE_CLASS_VIDEO_ENCODE },
		{ COPY_ENGINE_CLASS, GRTRACE_CLASS_COPY }, { OTHER_CLASS, GRTRACE_CLASS_OTHER },
		{ COMPUTE_CLASS, GRTRACE_CLASS_COMPUTE }, { 200, GRTRACE_CLASS_UNKNOWN },
	};
	struct i915_case *g = i915_case(test);
	struct intel_engine_cs *engine = g->engine[I915_RENDER];
	u32 i, id, before = GRTRACE_RING_NONE;

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		engine->class = classes[i].class;
		snprintf(engine->name, sizeof(engine->name), "kunit%u", i);
		i915_add(g, i915_context(g, I915_RENDER, 0, true));
	}
	i915_stop(g);

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		snprintf(engine->name, sizeof(engine->name), "kunit%u", i);
		id = source_ring_id(&g->c, engine->name);
		KUNIT_EXPECT_NE(test, id, before);
		source_expect_ring(&g->c, id, "i915", engine->name, classes[i].want);
		before = id;
	}
}

static struct kunit_case i915_cases[] = {
	KUNIT_CASE(i915_guc),
	KUNIT_CASE(i915_execlists),
	KUNIT_CASE(i915_preempted),
	KUNIT_CASE(i915_seqnos_wrap),
	KUNIT_CASE(i915_virtual),
	KUNIT_CASE(i915_waits_and_fences),
	KUNIT_CASE(i915_hang),
	KUNIT_CASE(i915_guc_context_reset),
	KUNIT_CASE(i915_rings),
	{}
};

static struct kunit_suite i915_suite = {
	.name = "grtrace_source_i915",
	.init = trial_init,
	.test_cases = i915_cases,
};

kunit_test_suite(i915_suite);
