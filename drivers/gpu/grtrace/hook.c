// SPDX-License-Identifier: GPL-2.0
/*
 * The hook side: what linux/grtrace.h offers to sources, and the hot path.
 *
 * In order: is there a session; filter; interrupts off; clock, reserve, gseq,
 * fill, publish (record.c and channel.c). Nothing here sleeps, allocates,
 * prints, looks up a name twice or takes a lock.
 */
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/rcupdate.h>

#include "filter.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "stats.h"

/**
 * grtrace_hook_event - offer an event to the running session
 * @event: the event; its type is below %GRTRACE_TYPE_LIMIT
 *
 * Context: Any.
 * Return: false when no session runs.
 */
bool grtrace_hook_event(const struct grtrace_event *event)
{
	const struct grtrace_live *live;
	const struct grtrace_ring *ring = event->ring;
	enum grtrace_stat reason;
	unsigned long flags;

	/* 7.3 calls probes with preemption on */
	preempt_disable_notrace();
	live = rcu_dereference_sched(grtrace_live);
	if (!live) {
		preempt_enable_notrace();
		return false;
	}
	grtrace_stat_inc(GRTRACE_STAT_OFFERED);
	if (ring && event->type == GRTRACE_SUBMIT)
		grtrace_rings_enter(ring);
	else if (ring && event->type == ring->leaves_on)
		grtrace_rings_leave(ring);

	if (unlikely(in_nmi())) {
		grtrace_stat_inc(GRTRACE_STAT_NMI);
	} else if (!grtrace_filter_pass(&live->filter, event->type, ring,
					&reason)) {
		grtrace_stat_inc(reason);
	} else {
		local_irq_save(flags);
		grtrace_record_event(live->channel, event);
		local_irq_restore(flags);
	}
	preempt_enable_notrace();
	return true;
}

/**
 * __grtrace_job - slow half of grtrace_job(), which is to be called instead
 * @type: see grtrace_job()
 * @ring: see grtrace_job()
 * @job: see grtrace_job()
 *
 * Context: Any.
 */
void __grtrace_job(enum grtrace_rec_type type, struct grtrace_ring *ring,
		   const struct grtrace_job *job)
{
	const struct grtrace_event event = {
		.type = type,
		.ring = ring,
		.job = job,
	};

	grtrace_hook_event(&event);
}
EXPORT_SYMBOL_GPL(__grtrace_job);

/**
 * __grtrace_job_fence - slow half of grtrace_job_fence()
 * @type: see grtrace_job_fence()
 * @ring: see grtrace_job_fence()
 * @job: see grtrace_job_fence()
 *
 * Context: Any.
 */
void __grtrace_job_fence(enum grtrace_rec_type type, struct grtrace_ring *ring,
			 const struct grtrace_job *job)
{
	const struct grtrace_event event = {
		.type = type,
		.fence = true,
		.ring = ring,
		.job = job,
	};

	grtrace_hook_event(&event);
}
EXPORT_SYMBOL_GPL(__grtrace_job_fence);

/**
 * __grtrace_error - slow half of grtrace_error()
 * @ring: see grtrace_error()
 * @job: see grtrace_error()
 * @kind: see grtrace_error()
 * @code: see grtrace_error()
 *
 * Context: Any.
 */
void __grtrace_error(struct grtrace_ring *ring, const struct grtrace_job *job,
		     enum grtrace_error_kind kind, s32 code)
{
	const struct grtrace_event event = {
		.type = GRTRACE_ERROR,
		.error = true,
		.kind = kind,
		.code = code,
		.ring = ring,
		.job = job,
	};

	grtrace_hook_event(&event);
}
EXPORT_SYMBOL_GPL(__grtrace_error);

/* --------------------------------------------------------------- rings */

static void hook_ring_note(const struct grtrace_ring *ring)
{
	const struct grtrace_live *live;
	unsigned long flags;

	local_irq_save(flags);
	live = rcu_dereference_sched(grtrace_live);
	if (live && !in_nmi())
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
 * Return: the ring, or NULL when there are too many.
 */
struct grtrace_ring *grtrace_hook_ring(const void *key, u32 id,
				       const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (likely(ring))
		return ring;
	ring = grtrace_rings_prepare(key, id, desc);
	if (!ring) {
		grtrace_stat_inc(GRTRACE_STAT_RINGS_FULL);
		return NULL;
	}
	/* before anybody can find it, so before any record that uses its id */
	hook_ring_note(ring);
	return grtrace_rings_publish(ring);
}

/**
 * grtrace_ring_find - the ring known by an address
 * @key: the address
 *
 * Context: Any.
 * Return: the ring, or NULL; NULL also for one of an earlier session that
 * grtrace_ring_submit() has not yet seen alive in this one.
 */
struct grtrace_ring *grtrace_ring_find(const void *key)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (ring && !ring->owned && !READ_ONCE(ring->newest_ctx))
		return NULL;
	return ring;
}
EXPORT_SYMBOL_GPL(grtrace_ring_find);

/**
 * grtrace_ring_intern - the ring known by an address, interned if need be
 * @key: the address, unique as long as the ring lives
 * @desc: what the source knows of it
 *
 * Context: Any, in a probe; process for a ring that is owned.
 * Return: the ring, or NULL when there are too many; hooks take NULL.
 */
struct grtrace_ring *grtrace_ring_intern(const void *key,
					 const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring;

	if (!desc->owned)
		return grtrace_ring_submit(key, 1, desc);
	grtrace_rings_owner_lock();
	ring = grtrace_hook_ring(key, 0, desc);
	grtrace_rings_owner_unlock();
	return ring;
}
EXPORT_SYMBOL_GPL(grtrace_ring_intern);

/**
 * grtrace_ring_submit - the ring of a job that proves that the ring lives
 * @key: the address of what drives the ring
 * @ctx: the job's context, not 0
 * @desc: what the source knows of it
 *
 * For sources that never hear of a ring's death. Fence contexts are handed out
 * in order, so whatever was created after the ring's last newcomer has a higher
 * one: then, and only then, it is worth asking whether the address still holds
 * the same ring. If not, the old one is retired.
 *
 * Context: Any.
 * Return: as grtrace_ring_intern().
 */
struct grtrace_ring *grtrace_ring_submit(const void *key, u64 ctx,
					 const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = grtrace_rings_find(key);

	if (ring && unlikely(ctx > READ_ONCE(ring->newest_ctx))) {
		if (!ring->owned && !grtrace_rings_same(ring, desc)) {
			grtrace_rings_retire(ring);
			ring = NULL;
		} else {
			WRITE_ONCE(ring->newest_ctx, ctx);
		}
	}
	if (ring)
		return ring;
	ring = grtrace_hook_ring(key, 0, desc);
	if (ring)
		WRITE_ONCE(ring->newest_ctx, ctx);
	return ring;
}
EXPORT_SYMBOL_GPL(grtrace_ring_submit);

/**
 * grtrace_ring_retire - a ring is gone
 * @ring: the ring, or NULL; its address may be used again at once
 *
 * Context: Any; no hook of the caller's may still use the ring.
 */
void grtrace_ring_retire(struct grtrace_ring *ring)
{
	if (ring)
		grtrace_rings_retire(ring);
}
EXPORT_SYMBOL_GPL(grtrace_ring_retire);
