// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: the modules and drivers that report events. This is all that
 * linux/grtrace.h offers to them beside the hooks: probes, rings and claims.
 *
 * Most sources are modules, which user space loads. A source is linked to its
 * tracepoints, so the module that owns these stays loaded as long as the source
 * does. Its probes are attached while a session runs.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/seq_buf.h>
#include <linux/tracepoint.h>

#include "live.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "stats.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

/* -------------------------------------------------------------- probes */

/* Guards grtrace_probe.attached, probes_on and the list of sources. */
DEFINE_MUTEX(grtrace_probe_lock);
static bool probes_on;		/* attach the probes of new sources */
static LIST_HEAD(source_list);

static int probe_attach(struct grtrace_probe *probe)
{
	int ret;

	lockdep_assert_held(&grtrace_probe_lock);

	if (probe->attached)
		return 0;
#ifdef GRTRACE_EXTERNAL
	if (!probe->tp)
		return 0;
#endif
	ret = tracepoint_probe_register(probe->tp, probe->fn, NULL);
	if (ret)
		pr_warn("cannot attach to %s: %pe\n", probe->tracepoint,
			ERR_PTR(ret));
	probe->attached = !ret;
	return ret;
}

static void probe_detach(struct grtrace_probe *probe)
{
	lockdep_assert_held(&grtrace_probe_lock);

	if (!probe->attached)
		return;
	tracepoint_probe_unregister(probe->tp, probe->fn, NULL);
	probe->attached = false;
}

/* If one fails, the probes before it stay attached. */
static int probes_attach(struct grtrace_source *source)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < source->nr_probes && !ret; i++)
		ret = probe_attach(&source->probes[i]);
	return ret;
}

/*
 * Detaches the last probe first: a probe may rely on those before it, so it must not
 * be attached without them. Probes may still run until
 * tracepoint_synchronize_unregister().
 */
static void probes_detach(struct grtrace_source *source)
{
	unsigned int i = source->nr_probes;

	while (i--)
		probe_detach(&source->probes[i]);
}

#ifdef GRTRACE_EXTERNAL
/* A tracepoint exists while the module that owns it is loaded; a probe lasts no longer. */

/**
 * grtrace_probe_found - use a probe's tracepoint that now exists
 * @probe: the probe
 * @tp: its tracepoint
 *
 * Context: Process, with grtrace_probe_lock held.
 * Return: 0, or -errno if a session runs and the probe could not be attached:
 * then the tracepoint counts as missing.
 */
int grtrace_probe_found(struct grtrace_probe *probe, struct tracepoint *tp)
{
	int ret;

	probe->tp = tp;
	ret = probes_on ? probe_attach(probe) : 0;
	if (ret)
		probe->tp = NULL;
	return ret;
}

/**
 * grtrace_probe_gone - release a probe's tracepoint that is about to disappear
 * @probe: the probe
 *
 * Context: Process, with grtrace_probe_lock held.
 */
void grtrace_probe_gone(struct grtrace_probe *probe)
{
	probe_detach(probe);
	probe->tp = NULL;
}
#endif

/* -------------------------------------------------------------- claims */

/*
 * The sources that claimed fences. A driver's fences are identified by their ops,
 * which its source learns from the first fence that it sees, because it is not
 * linked to the driver.
 */
static struct {
	const struct dma_fence_ops *ops;
	const struct grtrace_source *source;
} source_claims[4];

/**
 * grtrace_fence_claim - claim the fences of a driver
 * @source: the driver's source; it promises to report when its fences are signalled
 * @fence: one of them
 *
 * The dma_fence source leaves these fences out, so that nothing is reported twice.
 * The claim ends when the source is unregistered.
 *
 * Context: Any, in a probe of the source. There is a place for each kind of fence of
 * i915 (one) and nouveau (two), and one more.
 */
void grtrace_fence_claim(const struct grtrace_source *source,
			 const struct dma_fence *fence)
{
	const struct dma_fence_ops *ops = rcu_access_pointer(fence->ops), *seen;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(source_claims); i++)
		if (READ_ONCE(source_claims[i].ops) == ops)
			return;
	for (i = 0; ops && i < ARRAY_SIZE(source_claims); i++) {
		seen = cmpxchg(&source_claims[i].ops, NULL, ops);
		if (!seen)
			WRITE_ONCE(source_claims[i].source, source);
		if (!seen || seen == ops)
			return;
	}
}
EXPORT_SYMBOL_GPL(grtrace_fence_claim);

/**
 * grtrace_fence_source - the source that claims a fence, or NULL
 * @fence: the fence
 *
 * Context: Any; only a field of the fence is read.
 */
const struct grtrace_source *
grtrace_fence_source(const struct dma_fence *fence)
{
	const struct dma_fence_ops *ops = rcu_access_pointer(fence->ops);
	unsigned int i;

	/* A fence without ops was signalled, and its driver has released it. */
	for (i = 0; ops && i < ARRAY_SIZE(source_claims); i++)
		if (READ_ONCE(source_claims[i].ops) == ops)
			return READ_ONCE(source_claims[i].source);
	return NULL;
}
EXPORT_SYMBOL_GPL(grtrace_fence_source);

/* No probe of the source runs. Another driver's fences may get the same ops. */
static void source_unclaim(const struct grtrace_source *source)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(source_claims); i++) {
		if (READ_ONCE(source_claims[i].source) != source)
			continue;
		WRITE_ONCE(source_claims[i].source, NULL);
		/* pairs with the cmpxchg of the next claim */
		smp_store_release(&source_claims[i].ops, NULL);
		any = true;
	}
	/* The probes of dma_fence may still look at the source that had claimed. */
	if (any)
		tracepoint_synchronize_unregister();
}

/* ------------------------------------------------------------- sources */

/**
 * grtrace_source_register - add a source
 * @source: the source; it must stay in place until it is unregistered
 *
 * Its probes are attached whenever a session runs: if one runs now, at once.
 *
 * Context: Process.
 * Return: 0 or -errno.
 */
int grtrace_source_register(struct grtrace_source *source)
{
	int ret = 0;

	mutex_lock(&grtrace_probe_lock);
	list_add_tail(&source->node, &source_list);
	if (probes_on)
		ret = probes_attach(source);
	mutex_unlock(&grtrace_probe_lock);
#ifdef GRTRACE_EXTERNAL
	if (source->nr_probes)
		ret = grtrace_lookup_begin(source);
#endif
	if (ret)
		grtrace_source_unregister(source);
	return ret;
}
EXPORT_SYMBOL_GPL(grtrace_source_register);

/**
 * grtrace_source_unregister - remove a source
 * @source: the source
 *
 * After it returns, no probe of the source runs or will run.
 *
 * Context: Process, sleeps.
 */
void grtrace_source_unregister(struct grtrace_source *source)
{
	scoped_guard(mutex, &grtrace_probe_lock) {
		list_del(&source->node);
		probes_detach(source);
	}
#ifdef GRTRACE_EXTERNAL
	grtrace_lookup_end(source);
#endif
	tracepoint_synchronize_unregister();
	source_unclaim(source);
}
EXPORT_SYMBOL_GPL(grtrace_source_unregister);

/**
 * grtrace_sources_attach - attach the probes of all and of later sources
 *
 * Context: Process.
 * Return: 0, or -errno if a probe could not be attached. A session must not
 * start without that probe, because the trace would not show what is missing.
 * grtrace_sources_detach() detaches the other probes.
 */
int grtrace_sources_attach(void)
{
	struct grtrace_source *source;
	int ret;

	guard(mutex)(&grtrace_probe_lock);
	probes_on = true;
	list_for_each_entry(source, &source_list, node) {
		ret = probes_attach(source);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * grtrace_sources_detach - detach all probes
 *
 * After it returns no probe runs.
 *
 * Context: Process, sleeps.
 */
void grtrace_sources_detach(void)
{
	struct grtrace_source *source;

	scoped_guard(mutex, &grtrace_probe_lock) {
		probes_on = false;
		list_for_each_entry(source, &source_list, node)
			probes_detach(source);
	}
	tracepoint_synchronize_unregister();
}

/*
 * Prints a line for each source: its name, the number of its tracepoints that exist
 * now, and the number that this kernel can have.
 */
void grtrace_sources_print(struct seq_buf *text)
{
	struct grtrace_source *source;
	unsigned int found, known;

	guard(mutex)(&grtrace_probe_lock);
	list_for_each_entry(source, &source_list, node) {
		found = source->nr_probes;
		known = source->nr_probes;
#ifdef GRTRACE_EXTERNAL
		grtrace_lookup_count(source, &found, &known);
#endif
		seq_buf_printf(text, "source %s %u %u\n", source->name, found,
			       known);
	}
}

/* --------------------------------------------------------------- rings */

/* The channel of the session that runs, or is about to; with preemption off. */
static struct grtrace_channel *source_channel(void)
{
	return READ_ONCE(rcu_dereference_sched(grtrace_live)->channel);
}

static bool source_has_channel(void)
{
	guard(preempt)();
	return source_channel();
}

static void source_ring_note(const struct grtrace_ring *ring)
{
	struct grtrace_channel *channel;
	unsigned long flags;

	local_irq_save(flags);
	channel = source_channel();
	if (channel && !in_nmi())
		grtrace_record_ring(channel, ring);
	local_irq_restore(flags);
}

/**
 * grtrace_hook_ring - find a ring, or intern it
 * @key: the address that identifies it
 * @id: id for a new ring, or 0
 * @ctx: context of the job that showed it, or 0
 * @desc: the known facts about it
 *
 * Context: As grtrace_rings_prepare().
 * Return: the ring, or NULL for the reasons of grtrace_rings_prepare(), or because
 * no session would have its description.
 */
struct grtrace_ring *grtrace_hook_ring(const void *key, u32 id, u64 ctx,
				       const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (likely(ring))
		return ring;
	if (!source_has_channel())
		return NULL;
	ring = grtrace_rings_prepare(key, id, desc);
	if (!ring) {
		this_cpu_inc(grtrace_stats[GRTRACE_STAT_RINGS_FULL]);
		return NULL;
	}
	/* Other CPUs find it, with this context, as soon as it is published. */
	ring->newest_ctx = ctx;
	/* The note is written before the ring can be found, and so before records with its id. */
	source_ring_note(ring);
	return grtrace_rings_publish(ring);
}

/*
 * Writes all rings to the stream of the session that is about to begin, whose probes
 * are attached. From now on, rings that are interned are written at that time. After
 * it returns, no probe is left that could not intern one.
 */
void grtrace_rings_announce(struct grtrace_channel *channel)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	WRITE_ONCE(grtrace_live_off.channel, channel);
	tracepoint_synchronize_unregister();
	guard(mutex)(&grtrace_rings_lock);
	while ((ring = grtrace_rings_next(&cursor)))
		source_ring_note(ring);
}

/**
 * grtrace_ring_find - find the ring of an address
 * @key: the address
 *
 * Context: Any, in a probe: the result is valid until the probe ends.
 * Return: the ring, or NULL. Also NULL for a ring of an earlier session if
 * grtrace_ring_submit() was not yet called for it in this session.
 */
struct grtrace_ring *grtrace_ring_find(const void *key)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (!ring || !READ_ONCE(ring->newest_ctx))
		return NULL;
	/* A write without this check would move its cache line from CPU to CPU. */
	if (unlikely(!READ_ONCE(ring->recent)))
		WRITE_ONCE(ring->recent, true);
	return ring;
}
EXPORT_SYMBOL_GPL(grtrace_ring_find);

/**
 * grtrace_ring_submit - find the ring of a submitted job
 * @key: address of the object that drives the ring
 * @ctx: the job's context, not 0
 * @desc: the facts that the source knows about it
 *
 * For sources that are not notified when a ring is destroyed. Fence contexts
 * are allocated in order, so a context that is newer than the ring's newest one
 * has a higher number. Such a context makes the core check whether the address
 * still belongs to the same ring. If not, the old ring is retired.
 *
 * Context: As grtrace_ring_find().
 * Return: the ring, or NULL if there are too many; hooks accept NULL.
 */
struct grtrace_ring *grtrace_ring_submit(const void *key, u64 ctx,
					 const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (ring && unlikely(ctx > READ_ONCE(ring->newest_ctx))) {
		if (!grtrace_rings_same(ring, desc)) {
			grtrace_rings_retire(ring);
			ring = NULL;
		} else {
			WRITE_ONCE(ring->newest_ctx, ctx);
		}
	}
	if (ring) {
		if (unlikely(!READ_ONCE(ring->recent)))
			WRITE_ONCE(ring->recent, true);
		return ring;
	}
	return grtrace_hook_ring(key, 0, ctx, desc);
}
EXPORT_SYMBOL_GPL(grtrace_ring_submit);

/* The slow half of grtrace_ring_classify(). */
void __grtrace_ring_classify(struct grtrace_ring *ring,
			     enum grtrace_engine_class engine_class)
{
	u32 unknown = GRTRACE_CLASS_UNKNOWN;

	if (engine_class == GRTRACE_CLASS_UNKNOWN ||
	    engine_class >= GRTRACE_CLASS_COUNT)
		return;
	/* Write the note again, because readers of the stream only know the old class. */
	if (try_cmpxchg(&ring->engine_class, &unknown, engine_class))
		source_ring_note(ring);
}
EXPORT_SYMBOL_GPL(__grtrace_ring_classify);

/**
 * grtrace_ring_retire - report that the ring of an address is gone
 * @key: the address, which may be reused at once
 *
 * This includes a ring of an earlier session, which grtrace_ring_find() does not
 * return until a job has shown that it exists.
 *
 * Context: As grtrace_ring_find(); the caller must not use the ring afterwards.
 */
void grtrace_ring_retire(const void *key)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (ring)
		grtrace_rings_retire(ring);
}
EXPORT_SYMBOL_GPL(grtrace_ring_retire);
