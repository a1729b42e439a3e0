// SPDX-License-Identifier: GPL-2.0
/*
 * The nouveau source, which includes this file: channels that no hardware has, and
 * what the driver would say of them and their fences.
 */
#include "source_case.h"

#define NOUVEAU_ENGINE(name)	NV_DEVICE_HOST_RUNLIST_ENGINES_##name

#define NOUVEAU_RUNLS	2
#define NOUVEAU_CHANS	8	/* per runlist */

/* A GPU, and what its runlists feed. */
struct nouveau_case {
	struct source_case c;
	struct nouveau_drm *drm;
	struct nvif_fifo_runlist runlist[NOUVEAU_RUNLS];
};

/* A channel made up, with all that is its own. */
struct nouveau_made {
	struct nouveau_case *g;
	struct nouveau_channel chan;
	struct nouveau_cli cli;
	struct nouveau_fence_chan fctx;
	struct nouveau_fence fence[4];
};

static struct nouveau_made *nouveau_make(struct nouveau_case *g, int runlist,
					 int chid, const char *client)
{
	struct nouveau_made *made = test_zalloc(g->c.test, sizeof(*made));

	made->g = g;
	made->cli.drm = g->drm;
	made->cli.device.runlist = g->runlist;
	made->cli.device.runlists = ARRAY_SIZE(g->runlist);
	strscpy(made->cli.name, client);
	made->chan.cli = &made->cli;
	made->chan.runlist = runlist;
	made->chan.chid = chid;
	made->chan.fence = &made->fctx;
	spin_lock_init(&made->fctx.lock);
	made->fctx.context = g->drm->runl[runlist].context_base + chid;
	made->fctx.event.object.client = &made->cli.base;
	strscpy(made->fctx.name, client);
	return made;
}

/* It submits by EXEC. The pointer is not followed. */
static void nouveau_make_exec(struct nouveau_made *made)
{
	made->cli.uvmm.ptr = (void *)made;
}

static void nouveau_new(struct nouveau_made *made)
{
	source_event(&made->g->c, nouveau_channel_new, probe_channel_new, &made->chan);
}

static void nouveau_emit(struct nouveau_made *made, unsigned int i, u32 seqno)
{
	struct nouveau_fence *fence = &made->fence[i];

	dma_fence_init(&fence->base, &source_fence_ops, &made->fctx.lock,
		       made->fctx.context, seqno);
	spin_lock_irq(&made->fctx.lock);
	source_event(&made->g->c, nouveau_fence_emit, probe_fence_emit, fence, &made->chan);
	spin_unlock_irq(&made->fctx.lock);
}

static void nouveau_on_interrupt(void *data)
{
	struct nouveau_made *made = data;

	source_event(&made->g->c, nouveau_fence_intr, probe_fence_intr, &made->fctx);
}

static void nouveau_signal(struct nouveau_made *made, unsigned int i, int error)
{
	made->fence[i].base.error = error;
	source_event(&made->g->c, dma_fence_signaled, probe_signaled, &made->fence[i].base);
}

static void nouveau_kill(struct nouveau_made *made)
{
	source_event(&made->g->c, nouveau_channel_kill, probe_channel_kill, &made->chan);
}

static void nouveau_del(struct nouveau_made *made)
{
	made->chan.fence = NULL;
	source_event(&made->g->c, nouveau_channel_del, probe_channel_del, &made->chan);
}

/* From the first word to the last, with a job. */
static void nouveau_live(struct nouveau_made *made, bool interrupt)
{
	nouveau_new(made);
	nouveau_emit(made, 0, 1);
	if (interrupt)
		source_in_hardirq(nouveau_on_interrupt, made);
	nouveau_signal(made, 0, 0);
	nouveau_del(made);
}

static struct nouveau_case *nouveau_case(struct kunit *test)
{
	struct nouveau_case *g = test_zalloc(test, sizeof(*g));
	size_t i;

	g->drm = test_zalloc(test, sizeof(*g->drm));
	g->drm->dev = test_zalloc(test, sizeof(*g->drm->dev));
	g->drm->runl_nr = NOUVEAU_RUNLS;
	g->drm->runl = test_zalloc(test, NOUVEAU_RUNLS * sizeof(*g->drm->runl));
	for (i = 0; i < NOUVEAU_RUNLS; i++)
		g->drm->runl[i].context_base = dma_fence_context_alloc(NOUVEAU_CHANS);
	g->c.first = g->drm->runl[0].context_base;
	g->c.last = g->drm->runl[1].context_base + NOUVEAU_CHANS - 1;
	g->runlist[0].engines = NOUVEAU_ENGINE(GR) | NOUVEAU_ENGINE(CE);
	g->runlist[1].engines = NOUVEAU_ENGINE(CE);
	source_start(&g->c, test, &nouveau_source);
	g->drm->dev->dev = g->c.dev;
	return g;
}

static void nouveau_stop(struct nouveau_case *g)
{
	source_stop(&g->c);
	/* as where the driver is unloaded: the next test's ops are learnt again */
	grtrace_source_unregister(&nouveau_source);
	KUNIT_EXPECT_EQ(g->c.test, grtrace_source_register(&nouveau_source), 0);
}

#define NOUVEAU(type, id, made, seqno, ...) \
	SOURCE_RECORD(type, id, (made)->fctx.context, seqno, __VA_ARGS__)
#define NOUVEAU_EMIT(id, made, seqno) \
	NOUVEAU(SUBMIT, id, made, seqno), \
	NOUVEAU(COMMIT, id, made, seqno, \
		.fence_ctx = (made)->fctx.context, .fence_seqno = seqno)
#define NOUVEAU_IRQ(id, made) \
	NOUVEAU(IRQ, id, made, 0, .flags = SOURCE_IN_HARDIRQ)
#define NOUVEAU_DONE(id, made, seqno) \
	NOUVEAU(END, id, made, seqno), NOUVEAU(COMPLETE, id, made, seqno)
/* No single job of a channel is to blame. */
#define NOUVEAU_KILL(id) \
	SOURCE_RECORD(ERROR, id, 0, 0, .kind = GRTRACE_ERROR_KILL, \
		      .code = -ENODEV)

/* EXEC and VM_BIND are the scheduler's to report. */
static void nouveau_leaves_exec_to_the_scheduler(struct kunit *test)
{
	struct nouveau_case *g = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(g, 0, 2, "vulkan[78]");
	u32 id;

	nouveau_make_exec(made);
	nouveau_emit(made, 0, 1);
	nouveau_emit(made, 1, 2);
	source_in_hardirq(nouveau_on_interrupt, made);
	nouveau_signal(made, 0, 0);
	nouveau_kill(made);
	nouveau_signal(made, 1, -ENODEV);
	nouveau_del(made);
	nouveau_stop(g);

	id = source_ring_id(&g->c, "chan0.2 vulkan[78]");
	source_expect_ring_flags(&g->c, id, GRTRACE_RING_SHARED, 0);
	/* the ends of the hardware fences that the scheduler's COMMITs name */
	source_records(&g->c,
		NOUVEAU_IRQ(id, made),
		NOUVEAU(FENCE, GRTRACE_RING_NONE, made, 1),
		NOUVEAU_KILL(id),
		NOUVEAU(FENCE, GRTRACE_RING_NONE, made, 2));
}

/* And not what is on the other runlist's channel of the same id. */
static void nouveau_kill_fails_what_is_pending(struct kunit *test)
{
	struct nouveau_case *g = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(g, 0, 3, "glxgears[79]");
	struct nouveau_made *other = nouveau_make(g, 1, 3, "glxgears[79]");
	const struct grtrace_source *source;
	u32 id, other_id;

	nouveau_emit(made, 0, 0xfffffff7);
	/* not for the dma_fence source once more */
	source = grtrace_fence_source(&made->fence[0].base);
	nouveau_emit(other, 0, 1);
	nouveau_emit(made, 1, 0xfffffff8);
	nouveau_emit(made, 2, 0xfffffff9);
	nouveau_signal(made, 0, 0);
	nouveau_kill(made);
	nouveau_signal(made, 1, -ENODEV);
	nouveau_signal(made, 2, -ENODEV);
	nouveau_signal(other, 0, 0);
	nouveau_del(made);
	nouveau_del(other);
	nouveau_stop(g);

	KUNIT_EXPECT_PTR_EQ(test, source, &nouveau_source);
	KUNIT_EXPECT_FALSE(test, nouveau_source.claims_waits);
	id = source_ring_id(&g->c, "chan0.3 glxgears[79]");
	other_id = source_ring_id(&g->c, "chan1.3 glxgears[79]");
	KUNIT_EXPECT_NE(test, id, other_id);
	/* the hardware finished one of them */
	source_records(&g->c,
		NOUVEAU_EMIT(id, made, 0xfffffff7), NOUVEAU_EMIT(other_id, other, 1),
		NOUVEAU_EMIT(id, made, 0xfffffff8), NOUVEAU_EMIT(id, made, 0xfffffff9),
		NOUVEAU_DONE(id, made, 0xfffffff7),
		NOUVEAU_KILL(id),
		NOUVEAU(COMPLETE, id, made, 0xfffffff8, .arg = -ENODEV),
		NOUVEAU(COMPLETE, id, made, 0xfffffff9, .arg = -ENODEV),
		NOUVEAU_DONE(other_id, other, 1));
}

/* The event for errors is there before the channel's fences are. */
static void nouveau_kill_of_a_newborn(struct kunit *test)
{
	struct nouveau_case *g = nouveau_case(test);
	struct nouveau_made *made = nouveau_make(g, 1, 4, "glxgears[79]");

	made->chan.fence = NULL;
	/* neither ring nor context say whose it is */
	g->c.first = 0;
	g->c.last = 0;
	nouveau_kill(made);
	nouveau_del(made);
	nouveau_stop(g);

	source_records(&g->c, NOUVEAU_KILL(GRTRACE_RING_NONE));
}

static void nouveau_expect_ring(struct nouveau_case *g, const char *name,
				enum grtrace_engine_class engine_class)
{
	source_expect_ring(&g->c, source_ring_id(&g->c, name), "nouveau", name, engine_class);
}

static void nouveau_names_the_channel(struct kunit *test)
{
	static const struct {
		u64 engines;
		enum grtrace_engine_class engine_class;
	} known[] = {
		{ 0, GRTRACE_CLASS_UNKNOWN }, { NOUVEAU_ENGINE(SW), GRTRACE_CLASS_OTHER },
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
	struct nouveau_case *g = nouveau_case(test);
	struct nouveau_made *made;
	char name[GRTRACE_NAME_LEN];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		snprintf(name, sizeof(name), "client%zu", i);
		made = nouveau_make(g, 1, 6, name);
		g->runlist[1].engines = known[i].engines;
		nouveau_new(made);
		nouveau_del(made);
	}
	/* it was not asked yet what the runlists feed, or there are more than were listed */
	for (i = 0; i < 2; i++) {
		made = nouveau_make(g, 1, 6, i ? "more" : "none");
		made->cli.device.runlist = i ? g->runlist : NULL;
		made->cli.device.runlists = i ? 1 : ARRAY_SIZE(g->runlist);
		nouveau_new(made);
		nouveau_del(made);
	}
	nouveau_stop(g);

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		snprintf(name, sizeof(name), "chan1.6 client%zu", i);
		nouveau_expect_ring(g, name, known[i].engine_class);
	}
	nouveau_expect_ring(g, "chan1.6 none", GRTRACE_CLASS_UNKNOWN);
	nouveau_expect_ring(g, "chan1.6 more", GRTRACE_CLASS_UNKNOWN);
}

/* The id of a channel is free when the channel goes, and so is its context. */
static void nouveau_context_is_used_again(struct kunit *test)
{
	struct nouveau_case *g = nouveau_case(test);
	struct nouveau_made *first = nouveau_make(g, 1, 7, "first[1]");
	struct nouveau_made *second = nouveau_make(g, 1, 7, "second[2]");
	struct nouveau_made *exec = nouveau_make(g, 1, 7, "exec[3]");
	struct nouveau_made *last = nouveau_make(g, 1, 7, "last[4]");
	struct grtrace_ring *ring;
	u32 id[4], early;

	nouveau_make_exec(exec);
	nouveau_new(first);
	ring = grtrace_ring_find(chan_key(first->fctx.context, false));
	KUNIT_ASSERT_NOT_NULL(test, ring);
	early = ring->id;
	/* even the same client's is another channel */
	nouveau_live(first, false);
	/* an interrupt that comes late belongs to no job */
	source_in_hardirq(nouveau_on_interrupt, first);
	nouveau_live(second, true);
	nouveau_live(exec, true);
	nouveau_live(last, false);
	nouveau_stop(g);

	id[0] = source_ring_id(&g->c, "chan1.7 first[1]");
	id[1] = source_ring_id(&g->c, "chan1.7 second[2]");
	id[2] = source_ring_id(&g->c, "chan1.7 exec[3]");
	id[3] = source_ring_id(&g->c, "chan1.7 last[4]");
	KUNIT_EXPECT_LT(test, early, id[0]);
	KUNIT_EXPECT_LT(test, id[0], id[1]);
	KUNIT_EXPECT_LT(test, id[1], id[2]);
	KUNIT_EXPECT_LT(test, id[2], id[3]);
	source_records(&g->c,
		NOUVEAU_EMIT(id[0], first, 1), NOUVEAU_DONE(id[0], first, 1),
		NOUVEAU_IRQ(GRTRACE_RING_NONE, first),
		NOUVEAU_EMIT(id[1], first, 1), NOUVEAU_IRQ(id[1], first),
		NOUVEAU_DONE(id[1], first, 1),
		NOUVEAU_IRQ(id[2], first),
		NOUVEAU(FENCE, GRTRACE_RING_NONE, first, 1),
		NOUVEAU_EMIT(id[3], first, 1), NOUVEAU_DONE(id[3], first, 1));
}

/* Unseen, one goes and another comes. */
static void nouveau_context_is_used_again_unseen(struct kunit *test)
{
	struct nouveau_case *g = nouveau_case(test);
	struct nouveau_made *first = nouveau_make(g, 0, 7, "first[1]");
	struct nouveau_made *second = nouveau_make(g, 0, 7, "second[2]");
	u32 id[2];

	nouveau_emit(first, 0, 1);
	nouveau_signal(first, 0, 0);
	nouveau_stop(g);
	id[0] = source_ring_id(&g->c, "chan0.7 first[1]");
	source_records(&g->c,
		NOUVEAU_EMIT(id[0], first, 1), NOUVEAU_DONE(id[0], first, 1));

	source_start(&g->c, test, &nouveau_source);
	source_in_hardirq(nouveau_on_interrupt, second);
	nouveau_emit(second, 0, 1);
	source_in_hardirq(nouveau_on_interrupt, second);
	nouveau_signal(second, 0, 0);
	nouveau_del(second);
	nouveau_stop(g);

	id[1] = source_ring_id(&g->c, "chan0.7 second[2]");
	KUNIT_EXPECT_NE(test, id[0], id[1]);
	/* no ring before it is known whose it is */
	source_records(&g->c,
		NOUVEAU_IRQ(GRTRACE_RING_NONE, second),
		NOUVEAU_EMIT(id[1], second, 1), NOUVEAU_IRQ(id[1], second),
		NOUVEAU_DONE(id[1], second, 1));
}

static struct kunit_case nouveau_cases[] = {
	KUNIT_CASE(nouveau_leaves_exec_to_the_scheduler),
	KUNIT_CASE(nouveau_kill_fails_what_is_pending),
	KUNIT_CASE(nouveau_kill_of_a_newborn),
	KUNIT_CASE(nouveau_names_the_channel),
	KUNIT_CASE(nouveau_context_is_used_again),
	KUNIT_CASE(nouveau_context_is_used_again_unseen),
	{}
};

static struct kunit_suite nouveau_suite = {
	.name = "grtrace_source_nouveau",
	.init = trial_init,
	.test_cases = nouveau_cases,
};

kunit_test_suite(nouveau_suite);
