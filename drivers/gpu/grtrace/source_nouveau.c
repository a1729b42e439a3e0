// SPDX-License-Identifier: GPL-2.0
/*
 * Source: nouveau. A ring is a channel, a job is the work before a fence.
 *
 *	SUBMIT    nouveau_fence_emit
 *	COMMIT    the same
 *	END       dma_fence_signaled of that fence, without an error
 *	COMPLETE  the same, with or without an error
 *	FENCE     the same, where the fence is the hardware fence of a job of the
 *	          DRM scheduler
 *	IRQ       nouveau_fence_intr
 *	ERROR     nouveau_channel_kill
 *
 * Clients that bind memory themselves (VM_BIND) submit by EXEC, which uses the DRM
 * scheduler: the scheduler's source reports these jobs, and names the hardware
 * fence. Such clients cannot use pushbufs, and others cannot use EXEC, so the
 * client shows the role of a fence: it is either the hardware fence of a known job
 * or the only fence of a job. One fence is an exception: the driver uses it to
 * wait for a channel of EXEC before it destroys the channel. It belongs to no job,
 * and is reported only as a FENCE.
 *
 * All other fences follow a pushbuf, or a copy or a page flip of the kernel. The
 * driver assigns the number of a fence only when the work is already in the
 * channel. So such a job is submitted and committed at the same moment, and its
 * fence is both its key and its hardware fence.
 *
 * Fences are signalled by a worker that an interrupt wakes, or by a task that
 * checks them or emits another fence. So END can be late, especially while no
 * task waits.
 *
 * The driver reuses the contexts of fences for other channels.
 * nouveau_channel_new and nouveau_channel_del show when one ring ends and
 * another begins.
 */
#include <linux/bits.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/module.h>
#include <linux/sprintf.h>

#include <trace/events/dma_fence.h>

#include "nouveau_trace.h"

#define RUNLIST_ENGINE(name)	NV_DEVICE_HOST_RUNLIST_ENGINES_##name

/* A runlist may feed several engines. The first matching one determines the class. */
static const struct {
	u32 engines;
	enum grtrace_engine_class engine_class;
} chan_classes[] = {
	/* This engine also computes and copies, and these kinds of work look the same. */
	{ RUNLIST_ENGINE(GR),			GRTRACE_CLASS_RENDER },
	{ RUNLIST_ENGINE(NVDEC) | RUNLIST_ENGINE(MSVLD) |
	  RUNLIST_ENGINE(MSPDEC) | RUNLIST_ENGINE(BSP) | RUNLIST_ENGINE(VP) |
	  RUNLIST_ENGINE(MPEG) | RUNLIST_ENGINE(NVJPG),
						GRTRACE_CLASS_VIDEO_DECODE },
	{ RUNLIST_ENGINE(NVENC) | RUNLIST_ENGINE(MSENC),
						GRTRACE_CLASS_VIDEO_ENCODE },
	{ RUNLIST_ENGINE(CE),			GRTRACE_CLASS_COPY },
	{ ~0u,					GRTRACE_CLASS_OTHER },
};

static struct grtrace_source nouveau_source;

static enum grtrace_engine_class chan_class(const struct nouveau_channel *chan)
{
	u64 engines = nouveau_trace_engines(chan);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(chan_classes); i++)
		if (engines & chan_classes[i].engines)
			return chan_classes[i].engine_class;
	return GRTRACE_CLASS_UNKNOWN;
}

static bool chan_is_exec(const struct nouveau_channel *chan)
{
	return nouveau_cli_uvmm(chan->cli);
}

/* Returns the context in the form that fences have: the driver keeps only its lower half. */
static u64 chan_context(const struct nouveau_channel *chan)
{
	return (u32)nouveau_trace_context(chan);
}

/*
 * A channel is identified by the context of its fences, because this is all
 * that can be read safely from a fence or an interrupt. The bit makes it an
 * address that no ring of another source has.
 */
static const void *chan_key(u64 context, bool exec)
{
	unsigned long key = BIT(BITS_PER_LONG - 2);

	return (const void *)(key | (unsigned long)context << 1 | exec);
}

/* Returns NULL if it has no fence context yet: then it has done nothing. */
static struct grtrace_ring *chan_ring(const struct nouveau_channel *chan)
{
	const void *key = chan_key(chan_context(chan), chan_is_exec(chan));
	const struct nouveau_fence_chan *fctx = READ_ONCE(chan->fence);
	struct grtrace_ring *ring = grtrace_ring_find(key);
	char name[GRTRACE_NAME_LEN + 1];

	if (likely(ring))
		return ring;
	if (!fctx)
		return NULL;
	/* Ids may be per runlist. The buffer has one byte more, so that a cut name is noticed. */
	scnprintf(name, sizeof(name), "chan%d.%d %s", chan->runlist, chan->chid,
		  fctx->name);
	return grtrace_ring_submit(key, chan_context(chan),
				   &(struct grtrace_ring_desc) {
		.dev = chan->cli->drm->dev->dev,
		.driver = "nouveau",
		.name = name,
		.engine_class = chan_class(chan),
		/* with all channels of its runlist */
		.flags = GRTRACE_RING_SHARED,
	});
}

/* Retires the ring or rings of the channel that had this context. */
static void chan_retire(const struct nouveau_channel *chan)
{
	u64 context = chan_context(chan);

	grtrace_ring_retire(chan_key(context, false));
	grtrace_ring_retire(chan_key(context, true));
}

static void probe_channel_new(void *data, struct nouveau_channel *chan)
{
	/* The previous channel may have ended before the session began. */
	chan_retire(chan);
	chan_ring(chan);
}

/* All fences of the channel are signalled. */
static void probe_channel_del(void *data, struct nouveau_channel *chan)
{
	chan_retire(chan);
}

/*
 * The job that the channel was executing is not known here. The scheduler has
 * already reported jobs of EXEC that hang.
 */
static void probe_channel_kill(void *data, struct nouveau_channel *chan)
{
	grtrace_error(chan_ring(chan), NULL, GRTRACE_ERROR_KILL, -ENODEV);
}

/* The lock of the channel's fences is held. */
static void probe_fence_emit(void *data, struct nouveau_fence *fence,
			     struct nouveau_channel *chan)
{
	/* This includes channels of EXEC, because interrupts look them up. */
	struct grtrace_ring *ring = chan_ring(chan);
	const struct grtrace_job job = grtrace_job_of(&fence->base, &fence->base);

	/* Each kind of fence is claimed: old hardware has two. */
	grtrace_fence_claim(&nouveau_source, &fence->base);
	if (chan_is_exec(chan))
		return;
	grtrace_submit(ring, &job, 0);
	grtrace_job_fence(GRTRACE_COMMIT, ring, &job);
}

/*
 * A worker finds out later how far the channel came. A channel that has
 * submitted nothing since the session began has no ring yet.
 */
static void probe_fence_intr(void *data, struct nouveau_fence_chan *fctx)
{
	const struct grtrace_job job = {
		.ctx = fctx->context,
		.time = GRTRACE_TIME_INTERRUPT,
	};
	struct grtrace_ring *ring;

	ring = grtrace_ring_find(chan_key(fctx->context, false)) ?:
	       grtrace_ring_find(chan_key(fctx->context, true));
	grtrace_job(GRTRACE_IRQ, ring, &job);
}

/* This may be any driver's fence, with its lock held: only its fields may be read. */
static void probe_signaled(void *data, struct dma_fence *fence)
{
	struct grtrace_job job = grtrace_job_of(fence, NULL);
	struct grtrace_ring *ring;

	ring = grtrace_ring_find(chan_key(fence->context, false));
	if (!ring) {
		if (grtrace_fence_source(fence) == &nouveau_source)
			grtrace_job(GRTRACE_FENCE, NULL, &job);
		return;
	}
	/* a killed channel did not do its remaining work */
	if (!fence->error)
		grtrace_job(GRTRACE_END, ring, &job);
	job.arg = fence->error;
	grtrace_job(GRTRACE_COMPLETE, ring, &job);
}

/* The probes that distinguish rings come first: other probes are never attached without them. */
static struct grtrace_probe nouveau_probes[] = {
	GRTRACE_PROBE(nouveau_channel_del, probe_channel_del),
	GRTRACE_PROBE(nouveau_channel_new, probe_channel_new),
	GRTRACE_PROBE(nouveau_channel_kill, probe_channel_kill),
	GRTRACE_PROBE(nouveau_fence_emit, probe_fence_emit),
	GRTRACE_PROBE(nouveau_fence_intr, probe_fence_intr),
	GRTRACE_PROBE(dma_fence_signaled, probe_signaled),
};

module_grtrace_source(nouveau_source, "nouveau", nouveau_probes);

MODULE_DESCRIPTION("grtrace source: nouveau");
MODULE_LICENSE("GPL");

#if IS_ENABLED(CONFIG_GRTRACE_KUNIT_TEST)
#include "tests/source_nouveau_test.c"
#endif
