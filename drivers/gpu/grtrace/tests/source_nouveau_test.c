// SPDX-License-Identifier: GPL-2.0
/*
 * The nouveau source, by the driver's own tracepoints: channels that no hardware
 * has, what the driver would tell of them and their fences, and the records to
 * the byte.
 */
#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/string.h>

#include "nouveau_trace.h"

#include "trial.h"

#define NOUVEAU_ENGINE(name)	NV_DEVICE_HOST_RUNLIST_ENGINES_##name

#define NOUVEAU_RUNLS	2
#define NOUVEAU_CHANS	8	/* per runlist */

/**
 * struct nouveau_case - a GPU, and what was recorded of it
 *
 * @test: the test
 * @stream: of the session
 * @drm: the GPU
 * @runlist: what its runlists feed
 */
struct nouveau_case {
	struct kunit *test;
	struct stream *stream;
	struct nouveau_drm *drm;
	struct nvif_fifo_runlist runlist[NOUVEAU_RUNLS];
};

/**
 * struct nouveau_made - a channel made up, with all that is its own
 *
 * @c: its GPU
 * @chan: the channel
 * @cli: its client
 * @fctx: its fences
 * @fence: those of them that were emitted
 * @interrupt: where its interrupts come from
 */
struct nouveau_made {
	struct nouveau_case *c;
	struct nouveau_channel chan;
	struct nouveau_cli cli;
	struct nouveau_fence_chan fctx;
	struct nouveau_fence fence[4];
	struct irq_work interrupt;
};

/* ------------------------------------------------- what the driver does */

static const char *nouveau_fence_name(struct dma_fence *fence)
{
	return "kunit";
}

static const struct dma_fence_ops nouveau_made_ops = {
	.get_driver_name = nouveau_fence_name,
	.get_timeline_name = nouveau_fence_name,
};

static void nouveau_in_hardirq(struct irq_work *work)
{
	struct nouveau_made *made = container_of(work, struct nouveau_made,
						 interrupt);

	trace_nouveau_fence_intr(&made->fctx);
}

static void nouveau_interrupt(struct nouveau_made *made)
{
	irq_work_queue(&made->interrupt);
	irq_work_sync(&made->interrupt);
}

static struct nouveau_made *nouveau_make(struct nouveau_case *c, int runlist,
					 int chid, const char *client)
{
	struct nouveau_made *made = kunit_kzalloc(c->test, sizeof(*made),
						  GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(c->test, made);
	made->c = c;
	made->interrupt = IRQ_WORK_INIT_HARD(nouveau_in_hardirq);
	made->cli.drm = c->drm;
	made->cli.device.runlist = c->runlist;
	made->cli.device.runlists = ARRAY_SIZE(c->runlist);
	strscpy(made->cli.name, client);
	made->chan.cli = &made->cli;
	made->chan.runlist = runlist;
	made->chan.chid = chid;
	made->chan.fence = &made->fctx;
	spin_lock_init(&made->fctx.lock);
	made->fctx.context = c->drm->runl[runlist].context_base + chid;
	made->fctx.event.object.client = &made->cli.base;
	strscpy(made->fctx.name, client);
	return made;
}

/* It submits by EXEC. Nobody looks behind the pointer. */
static void nouveau_make_exec(struct nouveau_made *made)
{
	made->cli.uvmm.ptr = (void *)made;
}

static void nouveau_emit(struct nouveau_made *made, unsigned int i, u32 seqno)
{
	struct nouveau_fence *fence = &made->fence[i];

	dma_fence_init(&fence->base, &nouveau_made_ops, &made->fctx.lock,
		       made->fctx.context, seqno);
	spin_lock_irq(&made->fctx.lock);
	trace_nouveau_fence_emit(fence, &made->chan);
	spin_unlock_irq(&made->fctx.lock);
}

static void nouveau_signal(struct nouveau_made *made, unsigned int i, int error)
{
	if (error)
		dma_fence_set_error(&made->fence[i].base, error);
	dma_fence_signal(&made->fence[i].base);
}

static void nouveau_del(struct nouveau_made *made)
{
	made->chan.fence = NULL;
	trace_nouveau_channel_del(&made->chan);
}

/* ------------------------------------------------------------ the cases */

static struct nouveau_case *nouveau_case(struct kunit *test)
{
	struct nouveau_case *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct drm_device *drm_dev;
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->test = test;
	c->drm = kunit_kzalloc(test, sizeof(*c->drm), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->drm);
	drm_dev = kunit_kzalloc(test, sizeof(*drm_dev), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, drm_dev);
	drm_dev->dev = kunit_device_register(test, "gpu");
	KUNIT_ASSERT_FALSE(test, IS_ERR(drm_dev->dev));
	c->drm->dev = drm_dev;
	c->drm->runl_nr = NOUVEAU_RUNLS;
	c->drm->runl = kunit_kcalloc(test, NOUVEAU_RUNLS, sizeof(*c->drm->runl),
				     GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->drm->runl);
	for (i = 0; i < NOUVEAU_RUNLS; i++)
		c->drm->runl[i].context_base =
			dma_fence_context_alloc(NOUVEAU_CHANS);
	c->runlist[0].engines = NOUVEAU_ENGINE(GR) | NOUVEAU_ENGINE(CE);
	c->runlist[1].engines = NOUVEAU_ENGINE(CE);
	return c;
}

static void nouveau_case_stop(struct nouveau_case *c)
{
	trial_stop(c->test, c->stream);
	trial_source(c->test, c->stream, "nouveau");
}

/* Is it on the GPU? KUnit gives that a name that a record may have to cut. */
static bool nouveau_is_ours(const struct nouveau_case *c,
			    const struct grtrace_rec_ring *ring)
{
	return !strncmp(ring->device, dev_name(c->drm->dev->dev),
			sizeof(ring->device) - 1);
}

/* The last ring with this name on the GPU, or NULL. */
static const struct grtrace_rec_ring *
nouveau_ring(const struct nouveau_case *c, const char *name)
{
	const struct grtrace_rec_ring *ring = NULL, *rec;
	size_t i;

	for (i = 0; i < c->stream->n; i++) {
		rec = c->stream->record[i].raw;
		if (c->stream->record[i].type == GRTRACE_RING &&
		    nouveau_is_ours(c, rec) && !strcmp(rec->name, name))
			ring = rec;
	}
	return ring;
}

static u32 nouveau_ring_id(const struct nouveau_case *c, const char *name)
{
	const struct grtrace_rec_ring *ring = nouveau_ring(c, name);

	KUNIT_ASSERT_NOT_NULL_MSG(c->test, ring, "no ring %s", name);
	return le32_to_cpu(ring->ring);
}

static const struct stream_record *
nouveau_nth(const struct nouveau_made *made, unsigned int type, size_t nth)
{
	const struct stream *stream = made->c->stream;
	size_t i;

	for (i = 0; i < stream->n; i++)
		if (stream->record[i].type == type &&
		    stream->record[i].ctx == made->fctx.context && !nth--)
			return &stream->record[i];
	return NULL;
}

static size_t nouveau_count(const struct nouveau_made *made, unsigned int type)
{
	size_t n = 0;

	while (nouveau_nth(made, type, n))
		n++;
	return n;
}

static struct grtrace_rec_job nouveau_want(const struct nouveau_made *made,
					   u16 type, u16 size, u32 ring,
					   u32 seqno)
{
	return (struct grtrace_rec_job) {
		.seq.hdr.type = cpu_to_le16(type),
		.seq.hdr.size = cpu_to_le16(size),
		.ctx = cpu_to_le32(made->fctx.context),
		.seqno = cpu_to_le32(seqno),
		.ring = cpu_to_le32(ring),
	};
}

static void nouveau_expect(const struct nouveau_made *made, u16 type, size_t nth,
			   u32 ring, u32 seqno, s16 arg)
{
	struct grtrace_rec_job want = nouveau_want(made, type, sizeof(want),
						   ring, seqno);

	want.arg = cpu_to_le16(arg);
	stream_same(made->c->test, nouveau_nth(made, type, nth), &want);
}

static void nouveau_expect_irq(const struct nouveau_made *made, size_t nth,
			       u32 ring)
{
	struct grtrace_rec_job want = nouveau_want(made, GRTRACE_IRQ,
						   sizeof(want), ring, 0);

	want.flags = cpu_to_le16(GRTRACE_TIME_INTERRUPT | GRTRACE_IN_HARDIRQ);
	stream_same(made->c->test, nouveau_nth(made, GRTRACE_IRQ, nth), &want);
}

static void nouveau_expect_commit(const struct nouveau_made *made, size_t nth,
				  u32 ring, u32 seqno)
{
	const struct grtrace_rec_job_fence want = {
		.job = nouveau_want(made, GRTRACE_COMMIT, sizeof(want), ring,
				    seqno),
		.fence_ctx = cpu_to_le32(made->fctx.context),
		.fence_seqno = cpu_to_le32(seqno),
	};

	stream_same(made->c->test, nouveau_nth(made, GRTRACE_COMMIT, nth),
		    &want.job);
}

/* Of a channel, no single job is to blame. */
static void nouveau_expect_kill(const struct nouveau_case *c, u32 ring)
{
	const struct grtrace_rec_error want = {
		.job.seq.hdr.type = cpu_to_le16(GRTRACE_ERROR),
		.job.seq.hdr.size = cpu_to_le16(sizeof(want)),
		.job.ring = cpu_to_le32(ring),
		.kind = cpu_to_le32(GRTRACE_ERROR_KILL),
		.code = cpu_to_le32(-ENODEV),
	};

	KUNIT_ASSERT_EQ(c->test, stream_count(c->stream, GRTRACE_ERROR), 1);
	stream_same(c->test, stream_nth(c->stream, GRTRACE_ERROR, 0), &want.job);
}

/* ------------------------------------------------------ a channel's jobs */

static void nouveau_life_of_a_pushbuf(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(c, 0, 5, "Xorg[77]");
	u32 id;

	c->stream = trial_start(test, "");
	trace_nouveau_channel_new(&made->chan);
	nouveau_emit(made, 0, 0xfffffff7);
	nouveau_interrupt(made);
	nouveau_signal(made, 0, 0);
	nouveau_del(made);
	nouveau_case_stop(c);

	id = nouveau_ring_id(c, "chan0.5 Xorg[77]");
	nouveau_expect(made, GRTRACE_SUBMIT, 0, id, 0xfffffff7, 0);
	nouveau_expect_commit(made, 0, id, 0xfffffff7);
	nouveau_expect_irq(made, 0, id);
	nouveau_expect(made, GRTRACE_END, 0, id, 0xfffffff7, 0);
	nouveau_expect(made, GRTRACE_COMPLETE, 0, id, 0xfffffff7, 0);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_SUBMIT), 1);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_COMMIT), 1);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_IRQ), 1);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_END), 1);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_COMPLETE), 1);
	/* and not by the dma_fence source again */
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_FENCE), 0);
}

static void nouveau_order_of_a_job(struct kunit *test)
{
	static const u16 order[] = {
		GRTRACE_SUBMIT, GRTRACE_COMMIT, GRTRACE_END, GRTRACE_COMPLETE,
	};
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(c, 0, 5, "Xorg[77]");
	const struct stream_record *record;
	u64 seq = 0;
	size_t i;

	c->stream = trial_start(test, "");
	nouveau_emit(made, 0, 1);
	nouveau_signal(made, 0, 0);
	nouveau_del(made);
	nouveau_case_stop(c);

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		record = nouveau_nth(made, order[i], 0);
		KUNIT_ASSERT_NOT_NULL(test, record);
		KUNIT_EXPECT_GT(test, record->seq, seq);
		seq = record->seq;
	}
}

/* What EXEC and VM_BIND do is the scheduler's to tell. */
static void nouveau_leaves_exec_to_the_scheduler(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(c, 0, 2, "vulkan[78]");
	u32 id;

	nouveau_make_exec(made);
	c->stream = trial_start(test, "");
	nouveau_emit(made, 0, 1);
	nouveau_emit(made, 1, 2);
	nouveau_interrupt(made);
	nouveau_signal(made, 0, 0);
	trace_nouveau_channel_kill(&made->chan);
	nouveau_signal(made, 1, -ENODEV);
	nouveau_del(made);
	nouveau_case_stop(c);

	id = nouveau_ring_id(c, "chan0.2 vulkan[78]");
	nouveau_expect_irq(made, 0, id);
	nouveau_expect_kill(c, id);
	/* the ends of the hardware fences that the scheduler's COMMITs name */
	nouveau_expect(made, GRTRACE_FENCE, 0, GRTRACE_RING_NONE, 1, 0);
	nouveau_expect(made, GRTRACE_FENCE, 1, GRTRACE_RING_NONE, 2, 0);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_FENCE), 2);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_SUBMIT), 0);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_COMMIT), 0);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_END), 0);
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_COMPLETE), 0);
}

/* --------------------------------------------------------------- errors */

static void nouveau_kill_fails_what_is_pending(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(c, 0, 3, "glxgears[79]");
	u32 id;

	c->stream = trial_start(test, "");
	nouveau_emit(made, 0, 10);
	nouveau_emit(made, 1, 11);
	nouveau_emit(made, 2, 12);
	nouveau_signal(made, 0, 0);
	trace_nouveau_channel_kill(&made->chan);
	nouveau_signal(made, 1, -ENODEV);
	nouveau_signal(made, 2, -ENODEV);
	nouveau_del(made);
	nouveau_case_stop(c);

	id = nouveau_ring_id(c, "chan0.3 glxgears[79]");
	nouveau_expect_kill(c, id);
	nouveau_expect(made, GRTRACE_COMPLETE, 0, id, 10, 0);
	nouveau_expect(made, GRTRACE_COMPLETE, 1, id, 11, -ENODEV);
	nouveau_expect(made, GRTRACE_COMPLETE, 2, id, 12, -ENODEV);
	/* the hardware finished one of them */
	KUNIT_EXPECT_EQ(test, nouveau_count(made, GRTRACE_END), 1);
	nouveau_expect(made, GRTRACE_END, 0, id, 10, 0);
}

/* The event for errors is there before the channel's fences are. */
static void nouveau_kill_of_a_newborn(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(c, 1, 4, "glxgears[79]");

	made->chan.fence = NULL;
	c->stream = trial_start(test, "");
	trace_nouveau_channel_kill(&made->chan);
	nouveau_del(made);
	nouveau_case_stop(c);

	nouveau_expect_kill(c, GRTRACE_RING_NONE);
}

/* ---------------------------------------------------------------- rings */

static void nouveau_names_the_channel(struct kunit *test)
{
	static const struct {
		u64 engines;
		enum grtrace_engine_class engine_class;
	} known[] = {
		{ 0, GRTRACE_CLASS_UNKNOWN },
		{ NOUVEAU_ENGINE(SW), GRTRACE_CLASS_OTHER },
		{ NOUVEAU_ENGINE(GR) | NOUVEAU_ENGINE(CE) | NOUVEAU_ENGINE(SW),
		  GRTRACE_CLASS_RENDER },
		/* one FIFO for all, before Kepler */
		{ NOUVEAU_ENGINE(GR) | NOUVEAU_ENGINE(MPEG) | NOUVEAU_ENGINE(ME),
		  GRTRACE_CLASS_RENDER },
		{ NOUVEAU_ENGINE(CE) | NOUVEAU_ENGINE(SW), GRTRACE_CLASS_COPY },
		{ NOUVEAU_ENGINE(NVDEC), GRTRACE_CLASS_VIDEO_DECODE },
		{ NOUVEAU_ENGINE(MSVLD), GRTRACE_CLASS_VIDEO_DECODE },
		{ NOUVEAU_ENGINE(MSPDEC), GRTRACE_CLASS_VIDEO_DECODE },
		{ NOUVEAU_ENGINE(NVJPG), GRTRACE_CLASS_VIDEO_DECODE },
		{ NOUVEAU_ENGINE(NVENC), GRTRACE_CLASS_VIDEO_ENCODE },
		{ NOUVEAU_ENGINE(MSENC), GRTRACE_CLASS_VIDEO_ENCODE },
		{ NOUVEAU_ENGINE(MSPPP), GRTRACE_CLASS_OTHER },
		{ NOUVEAU_ENGINE(SEC2), GRTRACE_CLASS_OTHER },
		{ NOUVEAU_ENGINE(OFA), GRTRACE_CLASS_OTHER },
	};
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *made;
	const struct grtrace_rec_ring *ring;
	char name[GRTRACE_NAME_LEN];
	size_t i;

	c->stream = trial_start(test, "");
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		snprintf(name, sizeof(name), "client%zu", i);
		made = nouveau_make(c, 1, 6, name);
		c->runlist[1].engines = known[i].engines;
		trace_nouveau_channel_new(&made->chan);
		nouveau_del(made);
	}
	nouveau_case_stop(c);

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		snprintf(name, sizeof(name), "chan1.6 client%zu", i);
		ring = nouveau_ring(c, name);
		KUNIT_ASSERT_NOT_NULL_MSG(test, ring, "no ring %s", name);
		KUNIT_EXPECT_STREQ(test, ring->driver, "nouveau");
		KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class),
				known[i].engine_class);
	}
}

/* Nobody asked yet what the runlists feed, or there are more than were told. */
static void nouveau_runlist_is_not_known(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *none = nouveau_make(c, 0, 6, "none");
	struct nouveau_made *more = nouveau_make(c, 1, 6, "more");
	const struct grtrace_rec_ring *ring;

	none->cli.device.runlist = NULL;
	more->cli.device.runlists = 1;
	c->stream = trial_start(test, "");
	trace_nouveau_channel_new(&none->chan);
	trace_nouveau_channel_new(&more->chan);
	nouveau_del(none);
	nouveau_del(more);
	nouveau_case_stop(c);

	ring = nouveau_ring(c, "chan0.6 none");
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class),
			GRTRACE_CLASS_UNKNOWN);
	ring = nouveau_ring(c, "chan1.6 more");
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(ring->engine_class),
			GRTRACE_CLASS_UNKNOWN);
}

/* The id of a channel is free when the channel goes, and so is its context. */
static void nouveau_context_is_used_again(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *first = nouveau_make(c, 1, 7, "first[1]");
	struct nouveau_made *second = nouveau_make(c, 1, 7, "second[2]");
	struct nouveau_made *exec = nouveau_make(c, 1, 7, "exec[3]");
	struct nouveau_made *last = nouveau_make(c, 1, 7, "first[1]");
	u32 id[4];

	nouveau_make_exec(exec);
	c->stream = trial_start(test, "");
	trace_nouveau_channel_new(&first->chan);
	nouveau_emit(first, 0, 1);
	nouveau_signal(first, 0, 0);
	nouveau_del(first);
	/* an interrupt that comes late is nobody's */
	nouveau_interrupt(first);

	trace_nouveau_channel_new(&second->chan);
	nouveau_emit(second, 0, 1);
	nouveau_interrupt(second);
	nouveau_signal(second, 0, 0);
	nouveau_del(second);

	trace_nouveau_channel_new(&exec->chan);
	nouveau_emit(exec, 0, 1);
	nouveau_interrupt(exec);
	nouveau_signal(exec, 0, 0);
	nouveau_del(exec);

	/* even the same client's is another channel */
	trace_nouveau_channel_new(&last->chan);
	nouveau_emit(last, 0, 1);
	nouveau_signal(last, 0, 0);
	nouveau_del(last);
	nouveau_case_stop(c);

	KUNIT_ASSERT_EQ(test, nouveau_count(first, GRTRACE_SUBMIT), 3);
	KUNIT_ASSERT_EQ(test, nouveau_count(first, GRTRACE_COMPLETE), 3);
	id[0] = le32_to_cpu(((const struct grtrace_rec_job *)
			     nouveau_nth(first, GRTRACE_SUBMIT, 0)->raw)->ring);
	id[1] = nouveau_ring_id(c, "chan1.7 second[2]");
	id[2] = nouveau_ring_id(c, "chan1.7 exec[3]");
	id[3] = nouveau_ring_id(c, "chan1.7 first[1]");
	KUNIT_EXPECT_LT(test, id[0], id[1]);
	KUNIT_EXPECT_LT(test, id[1], id[2]);
	KUNIT_EXPECT_LT(test, id[2], id[3]);

	nouveau_expect(first, GRTRACE_SUBMIT, 0, id[0], 1, 0);
	nouveau_expect(first, GRTRACE_COMPLETE, 0, id[0], 1, 0);
	nouveau_expect(first, GRTRACE_SUBMIT, 1, id[1], 1, 0);
	nouveau_expect_commit(first, 1, id[1], 1);
	nouveau_expect(first, GRTRACE_COMPLETE, 1, id[1], 1, 0);
	nouveau_expect(first, GRTRACE_FENCE, 0, GRTRACE_RING_NONE, 1, 0);
	nouveau_expect(first, GRTRACE_SUBMIT, 2, id[3], 1, 0);
	nouveau_expect(first, GRTRACE_COMPLETE, 2, id[3], 1, 0);
	nouveau_expect_irq(first, 0, GRTRACE_RING_NONE);
	nouveau_expect_irq(first, 1, id[1]);
	nouveau_expect_irq(first, 2, id[2]);
}

/* While nobody looks, one goes and another comes. */
static void nouveau_context_is_used_again_unseen(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *first = nouveau_make(c, 0, 7, "first[1]");
	struct nouveau_made *second = nouveau_make(c, 0, 7, "second[2]");
	u32 id[2];

	c->stream = trial_start(test, "");
	nouveau_emit(first, 0, 1);
	nouveau_signal(first, 0, 0);
	nouveau_case_stop(c);
	id[0] = nouveau_ring_id(c, "chan0.7 first[1]");
	nouveau_expect(first, GRTRACE_SUBMIT, 0, id[0], 1, 0);

	c->stream = trial_start(test, "");
	nouveau_interrupt(second);
	nouveau_emit(second, 0, 1);
	nouveau_interrupt(second);
	nouveau_signal(second, 0, 0);
	nouveau_del(second);
	nouveau_case_stop(c);

	id[1] = nouveau_ring_id(c, "chan0.7 second[2]");
	KUNIT_EXPECT_NE(test, id[0], id[1]);
	/* not before it is known whose it is */
	nouveau_expect_irq(second, 0, GRTRACE_RING_NONE);
	nouveau_expect(second, GRTRACE_SUBMIT, 0, id[1], 1, 0);
	nouveau_expect_irq(second, 1, id[1]);
	nouveau_expect(second, GRTRACE_COMPLETE, 0, id[1], 1, 0);
}

/* Where each runlist counts its channels by itself. */
static void nouveau_same_id_on_two_runlists(struct kunit *test)
{
	struct nouveau_case *c = nouveau_case(test);
	struct nouveau_made *render = nouveau_make(c, 0, 1, "kunit[1]");
	struct nouveau_made *copy = nouveau_make(c, 1, 1, "kunit[1]");
	u32 id[2];

	c->stream = trial_start(test, "");
	nouveau_emit(render, 0, 1);
	nouveau_emit(copy, 0, 1);
	nouveau_signal(copy, 0, 0);
	nouveau_signal(render, 0, 0);
	nouveau_del(copy);
	nouveau_del(render);
	nouveau_case_stop(c);

	id[0] = nouveau_ring_id(c, "chan0.1 kunit[1]");
	id[1] = nouveau_ring_id(c, "chan1.1 kunit[1]");
	KUNIT_EXPECT_NE(test, id[0], id[1]);
	nouveau_expect(render, GRTRACE_SUBMIT, 0, id[0], 1, 0);
	nouveau_expect(render, GRTRACE_COMPLETE, 0, id[0], 1, 0);
	nouveau_expect(copy, GRTRACE_SUBMIT, 0, id[1], 1, 0);
	nouveau_expect(copy, GRTRACE_COMPLETE, 0, id[1], 1, 0);
}

static int nouveau_suite_init(struct kunit_suite *suite)
{
	request_module("grtrace_nouveau");
	return 0;
}

static struct kunit_case nouveau_cases[] = {
	KUNIT_CASE(nouveau_life_of_a_pushbuf),
	KUNIT_CASE(nouveau_order_of_a_job),
	KUNIT_CASE(nouveau_leaves_exec_to_the_scheduler),
	KUNIT_CASE(nouveau_kill_fails_what_is_pending),
	KUNIT_CASE(nouveau_kill_of_a_newborn),
	KUNIT_CASE(nouveau_names_the_channel),
	KUNIT_CASE(nouveau_runlist_is_not_known),
	KUNIT_CASE(nouveau_context_is_used_again),
	KUNIT_CASE(nouveau_context_is_used_again_unseen),
	KUNIT_CASE(nouveau_same_id_on_two_runlists),
	{}
};

static struct kunit_suite nouveau_suite = {
	.name = "grtrace_source_nouveau",
	.suite_init = nouveau_suite_init,
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = nouveau_cases,
};

kunit_test_suite(nouveau_suite);

MODULE_DESCRIPTION("grtrace: unit tests of the nouveau source");
MODULE_LICENSE("GPL");
