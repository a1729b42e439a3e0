// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of linux/grtrace.h for sources, beside the hooks: rings, and claims.
 *
 * A claim says that the source of a driver reports what becomes of its fences. Then
 * the dma_fence source need not, and nothing is reported twice. A driver's fences are
 * known by their ops, which the source learns from the first fence it sees: it is not
 * linked to the driver's.
 */
#include <linux/atomic.h>
#include <linux/dma-fence.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "live.h"
#include "record.h"
#include "rings.h"
#include "stats.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

/* --------------------------------------------------------------- rings */

static void door_ring_note(const struct grtrace_ring *ring)
{
	const struct grtrace_live *live;
	unsigned long flags;

	local_irq_save(flags);
	live = rcu_dereference_sched(grtrace_live);
	if (!(live->stages & GRTRACE_STAGE_OFF) && !in_nmi())
		grtrace_record_ring(live->channel, ring);
	local_irq_restore(flags);
}

/**
 * grtrace_hook_ring - find a ring, or intern it
 * @key: the address it is known by
 * @id: the id a new one must have, or 0
 * @desc: what is known of it
 *
 * Context: Any.
 * Return: the ring, or NULL as grtrace_rings_prepare().
 */
struct grtrace_ring *grtrace_hook_ring(const void *key, u32 id,
				       const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (likely(ring))
		return ring;
	ring = grtrace_rings_prepare(key, id, desc);
	if (!ring) {
		this_cpu_inc(grtrace_stats[GRTRACE_STAT_RINGS_FULL]);
		return NULL;
	}
	/* before it can be found, so before any record that uses its id */
	door_ring_note(ring);
	return grtrace_rings_publish(ring);
}

/**
 * grtrace_rings_announce - write all rings to the stream
 * @channel: the session's, which hooks write to already
 *
 * Rings that come from now on are written when they are interned.
 *
 * Context: Process.
 */
void grtrace_rings_announce(struct grtrace_channel *channel)
{
	struct grtrace_ring *ring;
	unsigned long flags;
	u32 cursor = 0;

	guard(grtrace_rings)();
	while ((ring = grtrace_rings_next(&cursor))) {
		local_irq_save(flags);
		grtrace_record_ring(channel, ring);
		local_irq_restore(flags);
	}
}

/**
 * grtrace_ring_find - the ring known by an address
 * @key: the address
 *
 * Context: Any, in a probe: what it returns is good until the probe ends.
 * Return: the ring, or NULL; NULL also for one of an earlier session that
 * grtrace_ring_submit() has not yet seen alive in this one.
 */
struct grtrace_ring *grtrace_ring_find(const void *key)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (!ring || !READ_ONCE(ring->newest_ctx))
		return NULL;
	/* else its cache line would go from CPU to CPU */
	if (unlikely(!READ_ONCE(ring->recent)))
		WRITE_ONCE(ring->recent, true);
	return ring;
}
EXPORT_SYMBOL_GPL(grtrace_ring_find);

/**
 * grtrace_ring_submit - the ring of a job that proves that the ring lives
 * @key: the address of what drives the ring
 * @ctx: the job's context, not 0
 * @desc: what the source knows of it
 *
 * For sources that do not learn when a ring ends. Fence contexts are handed out
 * in order, so a context created after the ring's newest one is higher. Only
 * for such a context is it checked whether the address still holds the same
 * ring. If not, the old one is retired.
 *
 * Context: As grtrace_ring_find().
 * Return: the ring, or NULL when there are too many; hooks take NULL.
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
	ring = grtrace_hook_ring(key, 0, desc);
	if (ring)
		WRITE_ONCE(ring->newest_ctx, ctx);
	return ring;
}
EXPORT_SYMBOL_GPL(grtrace_ring_submit);

/**
 * __grtrace_ring_classify - slow half of grtrace_ring_classify()
 * @ring: see grtrace_ring_classify()
 * @engine_class: see grtrace_ring_classify()
 *
 * Context: Any.
 */
void __grtrace_ring_classify(struct grtrace_ring *ring,
			     enum grtrace_engine_class engine_class)
{
	u32 unknown = GRTRACE_CLASS_UNKNOWN;

	if (engine_class == GRTRACE_CLASS_UNKNOWN ||
	    engine_class >= GRTRACE_CLASS_COUNT)
		return;
	/* again, because readers of the stream only know the old class */
	if (try_cmpxchg(&ring->engine_class, &unknown, engine_class))
		door_ring_note(ring);
}
EXPORT_SYMBOL_GPL(__grtrace_ring_classify);

/**
 * grtrace_ring_retire - the ring known by an address is gone
 * @key: the address, which may be used again at once
 *
 * Also one of an earlier session, which grtrace_ring_find() does not return before
 * a job has shown that it lives.
 *
 * Context: As grtrace_ring_find(); no hook of the caller's may still use the ring.
 */
void grtrace_ring_retire(const void *key)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (ring)
		grtrace_rings_retire(ring);
}
EXPORT_SYMBOL_GPL(grtrace_ring_retire);

/* -------------------------------------------------------------- claims */

#define CLAIMS_MAX	4

static const struct dma_fence_ops *claims[GRTRACE_CLAIM_COUNT][CLAIMS_MAX];

/**
 * grtrace_fence_claim - a source reports something of its driver's fences
 * @claim: what it reports
 * @ops: the ops of these fences
 *
 * Context: Any. With too many drivers the fences of the last are reported
 * twice.
 */
void grtrace_fence_claim(enum grtrace_claim claim,
			 const struct dma_fence_ops *ops)
{
	const struct dma_fence_ops *seen;
	unsigned int i;

	for (i = 0; i < CLAIMS_MAX; i++) {
		seen = cmpxchg(&claims[claim][i], NULL, ops);
		if (!seen || seen == ops)
			return;
	}
}
EXPORT_SYMBOL_GPL(grtrace_fence_claim);

/**
 * grtrace_fence_unclaim - it no longer does
 * @ops: the ops of these fences
 *
 * Context: Process, when no probe of the source runs.
 */
void grtrace_fence_unclaim(const struct dma_fence_ops *ops)
{
	unsigned int claim, i;

	for (claim = 0; claim < GRTRACE_CLAIM_COUNT; claim++)
		for (i = 0; i < CLAIMS_MAX; i++)
			cmpxchg(&claims[claim][i], ops, NULL);
}
EXPORT_SYMBOL_GPL(grtrace_fence_unclaim);

/**
 * grtrace_fence_claimed - does another source report this?
 * @claim: what
 * @fence: of this fence
 *
 * Context: Any; nothing but a field of the fence is read.
 */
bool grtrace_fence_claimed(enum grtrace_claim claim,
			   const struct dma_fence *fence)
{
	const struct dma_fence_ops *ops = rcu_access_pointer(fence->ops);
	unsigned int i;

	/* none: it is signalled, and its driver has forgotten it */
	if (!ops)
		return false;
	for (i = 0; i < CLAIMS_MAX; i++)
		if (READ_ONCE(claims[claim][i]) == ops)
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(grtrace_fence_claimed);
