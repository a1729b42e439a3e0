// SPDX-License-Identifier: GPL-2.0
/*
 * The hook side: what linux/grtrace.h offers to sources, and the hot path.
 *
 * In order: interrupts off; is there a session; filter; then, where the session
 * asks for it, watchlists, sampling, rules, limits; clock, reserve, gseq, fill,
 * publish. Nothing here sleeps, allocates, prints, looks up a name twice or
 * takes a lock.
 *
 * It is compiled twice: plain, and whole with all that a session may ask for.
 * One test tells which of the two a hook goes.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "channel.h"
#include "clock.h"
#include "fences.h"
#include "filter.h"
#include "limiter.h"
#include "live.h"
#include "record.h"
#include "rings.h"
#include "rules.h"
#include "sampling.h"
#include "snapshot.h"
#include "stats.h"
#include "watch.h"

/* Which struct an event's record is. */
enum hook_shape {
	HOOK_JOB,
	HOOK_JOB_FENCE,
	HOOK_ERROR,
};

/**
 * struct hook_event - an event on its way
 *
 * @shape: which record it becomes
 * @type: the event, below %GRTRACE_TYPE_LIMIT
 * @ring: the ring, or NULL
 * @job: the arguments
 * @kind: of an ERROR
 * @code: likewise
 */
struct hook_event {
	enum hook_shape shape;
	unsigned int type;
	const struct grtrace_ring *ring;
	const struct grtrace_job *job;
	u32 kind;
	s32 code;
};

/* ------------------------------------------- what a session may ask for */

static bool hook_in_task(unsigned int context)
{
	return !(context & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
}

static bool hook_watch_pass(const struct grtrace_live *live,
			    const struct hook_event *event,
			    unsigned int context)
{
	const struct grtrace_watch *watch = &live->watch;
	u64 ctx = event->job->ctx;
	bool pid = false;

	if (watch->pid.n) {
		if (event->type == GRTRACE_SUBMIT && hook_in_task(context))
			grtrace_owners_learn(live->owners, ctx);
		pid = grtrace_owners_match(live->owners, &watch->pid, ctx);
		if (BIT_ULL(event->type) & (BIT_ULL(GRTRACE_SYNC_WAIT_ENTER) |
					    BIT_ULL(GRTRACE_SYNC_WAIT_EXIT)))
			pid |= grtrace_owners_match_current(&watch->pid);
	}
	return grtrace_watch_decide(watch, grtrace_watch_has(&watch->ctx, ctx),
				    event->ring &&
				    grtrace_watch_has(&watch->ring,
						      event->ring->id),
				    pid);
}

/* Is the event, which passed the filter, one of those asked for? */
static bool hook_job_wanted(const struct grtrace_live *live,
			    const struct hook_event *event,
			    unsigned int context, enum grtrace_stat *reason)
{
	const struct grtrace_job *job = event->job;

	if (event->type == GRTRACE_FENCE) {
		*reason = live->stages & GRTRACE_STAGE_WATCH ?
			  GRTRACE_STAT_FILTERED_WATCH : GRTRACE_STAT_SAMPLED_OUT;
		return grtrace_fences_take(live->fences, job->ctx, job->seqno);
	}
	if (live->stages & GRTRACE_STAGE_WATCH &&
	    !hook_watch_pass(live, event, context)) {
		*reason = GRTRACE_STAT_FILTERED_WATCH;
		return false;
	}
	if (live->stages & GRTRACE_STAGE_SAMPLE &&
	    !(BIT_ULL(event->type) & GRTRACE_UNSAMPLED) &&
	    !grtrace_sampling_pass(live->sample_limit, job->ctx, job->seqno)) {
		*reason = GRTRACE_STAT_SAMPLED_OUT;
		return false;
	}
	if (event->shape == HOOK_JOB_FENCE &&
	    (event->type == GRTRACE_SUBMIT || event->type == GRTRACE_COMMIT))
		grtrace_fences_name(live->fences, job->fence_ctx,
				    job->fence_seqno);
	return true;
}

static bool hook_too_full(const struct grtrace_live *live,
			  struct grtrace_chan_cpu *c)
{
	s64 change = grtrace_channel_fill(c) - c->fill;

	/* the mean of the last events, some sixteen of them */
	c->fill += change / 16;
	return c->fill >= live->pressure_bytes;
}

/* Rules see all that was asked for, also what is then refused. */
static u16 hook_judge(const struct grtrace_live *live,
		      const struct hook_event *event, u64 ts)
{
	u16 marks = 0;

	if (live->stages & GRTRACE_STAGE_RULES)
		marks = grtrace_rules_judge(live->jobs, &live->rules,
					    event->type, event->job->ctx,
					    event->job->seqno, ts);
	if (live->stages & GRTRACE_STAGE_TRIGGER) {
		if (marks & GRTRACE_SLOW_QUEUE)
			grtrace_snapshot_trigger(live->triggers,
						 GRTRACE_SNAPSHOT_SLOW_QUEUE);
		if (marks & GRTRACE_SLOW_EXEC)
			grtrace_snapshot_trigger(live->triggers,
						 GRTRACE_SNAPSHOT_SLOW_EXEC);
		if (event->shape == HOOK_ERROR)
			grtrace_snapshot_trigger(live->triggers,
						 GRTRACE_SNAPSHOT_ERROR);
	}
	return marks;
}

/* Errors are let pass: it is for them that room is kept. */
static bool hook_limits_pass(const struct grtrace_live *live,
			     struct grtrace_chan_cpu *c,
			     const struct hook_event *event, u64 ts)
{
	if (live->stages & GRTRACE_STAGE_PRESSURE && hook_too_full(live, c) &&
	    event->shape != HOOK_ERROR) {
		grtrace_channel_refuse(c, true, ts);
		return false;
	}
	if (live->stages & GRTRACE_STAGE_LIMIT &&
	    !grtrace_limiter_pass(live->limiter, ts)) {
		grtrace_channel_refuse(c, false, ts);
		return false;
	}
	return true;
}

/* --------------------------------------------------------- the hot path */

/* Where the CPU is, as a record tells it; @time: see &struct grtrace_job. */
static __always_inline u16 hook_flags(unsigned int context, u16 time)
{
	time &= GRTRACE_TIME_MASK;
	if (likely(!(context & (HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return time | GRTRACE_IN_TASK;
	if (!(context & HARDIRQ_MASK))
		return time | GRTRACE_IN_SOFTIRQ;
	if (time == GRTRACE_TIME_SOFTWARE)
		time = GRTRACE_TIME_INTERRUPT;
	return time | GRTRACE_IN_HARDIRQ;
}

static __always_inline void hook_write(const struct grtrace_live *live,
				       struct grtrace_chan_cpu *c,
				       const struct hook_event *event,
				       u64 ts, u16 flags)
{
	const struct grtrace_job *job = event->job;
	size_t size = sizeof(struct grtrace_rec_job);
	struct grtrace_rec_job *rec;

	if (event->shape == HOOK_JOB_FENCE)
		size = sizeof(struct grtrace_rec_job_fence);
	else if (event->shape == HOOK_ERROR)
		size = sizeof(struct grtrace_rec_error);

	if ((flags & GRTRACE_IN_MASK) == GRTRACE_IN_TASK)
		grtrace_record_task_once(c, ts);
	rec = grtrace_channel_reserve(c, size, GRTRACE_KIND_EVENT, ts, job->ctx,
				      live->sample);
	if (unlikely(!rec))
		return;
	grtrace_record_seq(c, &rec->seq, event->type, size, ts);
	rec->ctx = cpu_to_le32(job->ctx);
	rec->seqno = cpu_to_le32(job->seqno);
	rec->ring = cpu_to_le32(event->ring ? event->ring->id :
					      GRTRACE_RING_NONE);
	rec->flags = cpu_to_le16(flags);
	rec->arg = cpu_to_le16(job->arg);
	if (event->shape == HOOK_JOB_FENCE) {
		struct grtrace_rec_job_fence *fence = (void *)rec;

		fence->fence_ctx = cpu_to_le32(job->fence_ctx);
		fence->fence_seqno = cpu_to_le32(job->fence_seqno);
	} else if (event->shape == HOOK_ERROR) {
		struct grtrace_rec_error *error = (void *)rec;

		error->kind = cpu_to_le32(event->kind);
		error->code = cpu_to_le32(event->code);
	}
	grtrace_channel_publish(c, size, GRTRACE_KIND_EVENT, ts);
	this_cpu_inc(grtrace_stats.by_type[event->type % GRTRACE_TYPE_LIMIT]);
}

static __always_inline void hook_offer(const struct grtrace_live *live,
				       const struct hook_event *event,
				       const bool whole)
{
	struct grtrace_chan_cpu *c = this_cpu_ptr(live->cpu);
	unsigned int context = preempt_count();
	enum grtrace_stat reason;
	u16 flags;
	u64 ts;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		context |= softirq_count();
	grtrace_stat_inc(GRTRACE_STAT_OFFERED);
	if (event->ring)
		grtrace_rings_count(event->ring, event->type);

	if (unlikely(context & NMI_MASK)) {
		grtrace_channel_nmi(live->channel);
		return;
	}
	if (!grtrace_filter_pass(&live->filter, event->type, event->ring,
				 &reason)) {
		grtrace_stat_inc(reason);
		return;
	}
	flags = hook_flags(context, event->job->time);
	if (!whole) {
		/* before the reserve: LOST wants the time of what it lost */
		ts = ktime_get_mono_fast_ns();
		hook_write(live, c, event, ts, flags);
		return;
	}

	if (live->stages & (GRTRACE_STAGE_WATCH | GRTRACE_STAGE_SAMPLE) &&
	    !hook_job_wanted(live, event, context, &reason)) {
		grtrace_stat_inc(reason);
		return;
	}
	ts = grtrace_clock(live->clock);
	flags |= hook_judge(live, event, ts);
	if (!hook_limits_pass(live, c, event, ts))
		return;
	hook_write(live, c, event, ts, flags);
}

/* The rarer half: no session after all, or one that asks for more. */
static noinline bool hook_slow(const struct grtrace_live *live,
			       const struct hook_event *event)
{
	u64 begin;

	if (!live) {
		grtrace_stat_inc(GRTRACE_STAT_DISABLED);
		return false;
	}
	if (!(live->stages & GRTRACE_STAGE_PROFILE)) {
		hook_offer(live, event, true);
		return true;
	}
	begin = ktime_get_mono_fast_ns();
	hook_offer(live, event, true);
	grtrace_stat_latency(ktime_get_mono_fast_ns() - begin);
	return true;
}

static __always_inline bool hook(const struct hook_event *event)
{
	const struct grtrace_live *live;
	unsigned long flags;
	bool ret = true;

	local_irq_save(flags);
	live = rcu_dereference_sched(grtrace_live);
	if (likely(live && !live->stages)) {
		hook_offer(live, event, false);
	} else {
		/* of its own, so that the other may stay in registers */
		struct hook_event copy = *event;

		ret = hook_slow(live, &copy);
	}
	local_irq_restore(flags);
	return ret;
}

/**
 * __grtrace_job - slow half of grtrace_job(), which is to be called instead
 * @type: see grtrace_job()
 * @ring: see grtrace_job()
 * @job: see grtrace_job()
 *
 * Context: Any.
 * Return: false when no session runs.
 */
bool __grtrace_job(enum grtrace_rec_type type, struct grtrace_ring *ring,
		   const struct grtrace_job *job)
{
	const struct hook_event event = {
		.shape = HOOK_JOB,
		.type = type,
		.ring = ring,
		.job = job,
	};

	return hook(&event);
}
EXPORT_SYMBOL_GPL(__grtrace_job);

/**
 * __grtrace_job_fence - slow half of grtrace_job_fence()
 * @type: see grtrace_job_fence()
 * @ring: see grtrace_job_fence()
 * @job: see grtrace_job_fence()
 *
 * Context: Any.
 * Return: false when no session runs.
 */
bool __grtrace_job_fence(enum grtrace_rec_type type, struct grtrace_ring *ring,
			 const struct grtrace_job *job)
{
	const struct hook_event event = {
		.shape = HOOK_JOB_FENCE,
		.type = type,
		.ring = ring,
		.job = job,
	};

	return hook(&event);
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
 * Return: false when no session runs.
 */
bool __grtrace_error(struct grtrace_ring *ring, const struct grtrace_job *job,
		     enum grtrace_error_kind kind, s32 code)
{
	const struct hook_event event = {
		.shape = HOOK_ERROR,
		.type = GRTRACE_ERROR,
		.ring = ring,
		.job = job,
		.kind = kind,
		.code = code,
	};

	return hook(&event);
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
