// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks that linux/grtrace.h offers to sources, and the hot path.
 *
 * The order is: interrupts off; check for a session; filter; then, if the
 * session uses them, watchlists, sampling, rules, limits; clock, reserve, gseq,
 * fill, publish. Nothing here sleeps, allocates, prints or takes a lock. Only
 * filter_device compares names.
 *
 * There are two paths. The plain path is inline. It is for types that pass all
 * filters while nothing else is configured; one test of the event's type
 * selects it. The whole path handles everything that can be configured.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "channel_write.h"
#include "fences.h"
#include "filter.h"
#include "live.h"
#include "record.h"
#include "rings.h"
#include "sampling.h"
#include "snapshot.h"
#include "stages.h"
#include "stats.h"

/* An event that a hook processes. */
struct hook_event {
	u32 head;				/* the record's type and size, as in its header */
	const struct grtrace_ring *ring;
	const struct grtrace_job *job;
	u64 extra;	/* the client of a SUBMIT or QUEUE; the address of an ERROR's failure */
};

/* The fields of a record after struct grtrace_rec_job. */
enum hook_form {
	HOOK_JOB,		/* nothing */
	HOOK_FENCE,		/* a second fence */
	HOOK_SUBMIT,		/* the client */
	HOOK_COMMAND,		/* the client, a second fence and a command */
	HOOK_RESPONSE,		/* the response to a command */
	HOOK_ERROR,		/* what is known about it */
	HOOK_QUEUE,		/* state, reason and the client */
};

static __always_inline unsigned int hook_type(const struct hook_event *event)
{
	return event->head % GRTRACE_TYPE_LIMIT;
}

static __always_inline size_t hook_size(const struct hook_event *event)
{
	return event->head >> 16;
}

static __always_inline bool hook_is_error(const struct hook_event *event)
{
	return hook_type(event) == GRTRACE_ERROR;
}

/* Drivers report a hang by an ERROR; the job's result shows any other failure. */
static __always_inline bool hook_is_failure(const struct hook_event *event)
{
	return hook_is_error(event) ||
	       (hook_type(event) == GRTRACE_COMPLETE && event->job->arg);
}

static __always_inline enum hook_form hook_form(const struct hook_event *event)
{
	size_t size = hook_size(event);

	if (size == sizeof(struct grtrace_rec_job))
		return HOOK_JOB;
	switch (hook_type(event)) {
	case GRTRACE_SUBMIT:
		return size == sizeof(struct grtrace_rec_submit) ? HOOK_SUBMIT :
								   HOOK_COMMAND;
	case GRTRACE_END:
		return HOOK_RESPONSE;
	case GRTRACE_ERROR:
		return HOOK_ERROR;
	case GRTRACE_QUEUE:
		return HOOK_QUEUE;
	default:
		return HOOK_FENCE;
	}
}

/* If one of these bits of preempt_count() is set, the current task is not related to the event. */
#define HOOK_NOT_TASK	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)

/* Optional stages of a session */

#define HOOK_WAITS	(BIT_ULL(GRTRACE_SYNC_WAIT_ENTER) | \
			 BIT_ULL(GRTRACE_SYNC_WAIT_EXIT))

static __always_inline bool
hook_watch_pass(const struct grtrace_live *live, const struct hook_event *event,
		unsigned int context)
{
	const struct grtrace_watch *watch = &live->config.watch;
	u64 ctx = event->job->ctx;
	bool ring, pid = false;

	if (watch->pid.n) {
		if (hook_type(event) == GRTRACE_SUBMIT && !(context & HOOK_NOT_TASK))
			grtrace_owners_learn(&live->memory->owners, ctx);
		pid = grtrace_owners_match(&live->memory->owners, &watch->pid, ctx);
		if (BIT_ULL(hook_type(event)) & HOOK_WAITS)
			pid |= grtrace_owners_match_current(&watch->pid);
	}
	ring = event->ring &&
	       grtrace_watch_has(&watch->ring, event->ring->id);
	return grtrace_watch_decide(watch, grtrace_watch_has(&watch->ctx, ctx),
				    ring, pid);
}

/* Checks the watchlists for the job of an event that passed the filter. */
static __always_inline enum grtrace_stat
hook_wanted(const struct grtrace_live *live, const struct hook_event *event,
	    unsigned int context)
{
	const struct grtrace_job *job = event->job;
	bool watch = live->stages & GRTRACE_STAGE_WATCH;

	if (hook_type(event) == GRTRACE_FENCE) {
		if (grtrace_fences_signal(&live->memory->fences, job->ctx, job->seqno,
					  !watch && live->sample == 1))
			return GRTRACE_STAT_WRITTEN;
		return watch ? GRTRACE_STAT_FILTERED_WATCH :
			       GRTRACE_STAT_SAMPLED_OUT;
	}
	if (watch && !hook_watch_pass(live, event, context))
		return GRTRACE_STAT_FILTERED_WATCH;
	if (live->stages & GRTRACE_STAGE_SAMPLE &&
	    !(BIT_ULL(hook_type(event)) & GRTRACE_UNSAMPLED) &&
	    !grtrace_sampling_pass(live->sample_limit, job->ctx, job->seqno))
		return GRTRACE_STAT_SAMPLED_OUT;
	return GRTRACE_STAT_WRITTEN;
}

/*
 * A recorded job names its fence. Returns whether the fence was already signalled
 * and its FENCE refused.
 */
static __always_inline bool hook_fence_is_late(const struct grtrace_live *live,
					       const struct hook_event *event)
{
	const struct grtrace_job *job = event->job;

	return (hook_type(event) == GRTRACE_COMMIT ||
		event->head == GRTRACE_REC_HEAD(GRTRACE_SUBMIT, command)) &&
	       (job->fence_ctx || job->fence_seqno) &&
	       grtrace_fences_name(&live->memory->fences, job->fence_ctx,
				   job->fence_seqno);
}

/*
 * A COMMIT names the fence that the hardware signals, at the END of the job. A queue
 * without an END names the job's own fence.
 */
static __always_inline bool hook_names_end(const struct hook_event *event)
{
	return hook_type(event) == GRTRACE_COMMIT &&
	       event->job->fence_ctx != event->job->ctx;
}

static bool hook_too_full(const struct grtrace_live *live,
			  struct grtrace_chan_cpu *c)
{
	s64 change = grtrace_channel_fill(c) - c->fill;

	/* moving average over about sixteen events */
	c->fill += change / 16;
	return c->fill >= live->pressure_bytes;
}

/* Rules receive all events that pass the filters, even those that a limit refuses. */
static __always_inline u16 hook_judge(const struct grtrace_live *live,
				      const struct hook_event *event, u64 ts)
{
	u16 marks = 0;

	if (live->stages & GRTRACE_STAGE_RULES)
		marks = grtrace_rules_judge(&live->memory->jobs, &live->config.rules,
					    hook_type(event), event->job->ctx,
					    event->job->seqno, ts);
	if (live->stages & GRTRACE_STAGE_TRIGGER) {
		if (marks & GRTRACE_SLOW_QUEUE)
			grtrace_snapshot_trigger(live->config.triggers,
						 GRTRACE_SNAPSHOT_SLOW_QUEUE);
		if (marks & GRTRACE_SLOW_EXEC)
			grtrace_snapshot_trigger(live->config.triggers,
						 GRTRACE_SNAPSHOT_SLOW_EXEC);
		if (hook_is_failure(event))
			grtrace_snapshot_trigger(live->config.triggers,
						 GRTRACE_SNAPSHOT_ERROR);
	}
	return marks;
}

/* Backpressure lets errors pass, and keeps room for them. */
static __always_inline bool
hook_limits_pass(const struct grtrace_live *live, struct grtrace_chan_cpu *c,
		 const struct hook_event *event, u64 ts)
{
	if (live->stages & GRTRACE_STAGE_PRESSURE && hook_too_full(live, c) &&
	    !hook_is_error(event)) {
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

/* Returns the context that the CPU is in, from preempt_count(). */
static __always_inline unsigned int hook_context(void)
{
	unsigned int context = preempt_count();

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		context |= softirq_count();
	return context;
}

/* Sets the interrupt context in a record's flags; called outside of task context. */
static __always_inline u32 hook_interrupt(u32 flags)
{
	if (!(hook_context() & HARDIRQ_MASK))
		return flags | GRTRACE_IN_SOFTIRQ;
	if (!(flags & GRTRACE_TIME_MASK))
		flags |= GRTRACE_TIME_INTERRUPT;
	return flags | GRTRACE_IN_HARDIRQ;
}

/* The parts of a record that are not in its event. */
struct hook_stamp {
	u32 ring;
	u32 flags;	/* flags and arg, as in the record */
	u64 ts;
	u64 ids;	/* pid and tgid of the current task */
};

static void hook_fill_error(struct grtrace_rec_error *error,
			    const struct grtrace_failure *failure)
{
	error->kind = cpu_to_le32(failure->kind);
	error->code = cpu_to_le32(failure->code);
	error->pid = cpu_to_le32(failure->pid);
	error->reserved = 0;
	strscpy_pad(error->comm, failure->comm ?: "");
	strscpy_pad(error->text, failure->text ?: "");
}

/* Fills what follows struct grtrace_rec_job. */
static __always_inline void hook_fill_form(void *rec,
					   const struct hook_event *event,
					   enum hook_form form)
{
	const struct grtrace_job *job = event->job;
	struct grtrace_rec_job_fence *fence = rec;
	struct grtrace_rec_response *response = rec;
	struct grtrace_rec_command *command = rec;
	struct grtrace_rec_submit *submit = rec;
	struct grtrace_rec_queue *queue = rec;

	switch (form) {
	case HOOK_JOB:
		break;
	case HOOK_FENCE:
		fence->fence_ctx = cpu_to_le32(job->fence_ctx);
		fence->fence_seqno = cpu_to_le32(job->fence_seqno);
		break;
	case HOOK_COMMAND:
		command->fence_ctx = cpu_to_le32(job->fence_ctx);
		command->fence_seqno = cpu_to_le32(job->fence_seqno);
		command->command = cpu_to_le32(job->command);
		command->reserved = 0;
		fallthrough;
	case HOOK_SUBMIT:
		submit->client = cpu_to_le64(event->extra);
		break;
	case HOOK_RESPONSE:
		response->response = cpu_to_le32(job->command);
		response->reserved = 0;
		break;
	case HOOK_ERROR:
		hook_fill_error(rec, (const void *)(unsigned long)event->extra);
		break;
	case HOOK_QUEUE:
		/* state and reason came as a second fence */
		queue->state = cpu_to_le32(job->fence_ctx);
		queue->reason = cpu_to_le32(job->fence_seqno);
		queue->client = cpu_to_le64(event->extra);
		break;
	}
}

/* On the plain path, @size and @form are constants at compile time. */
static __always_inline void
hook_fill(struct grtrace_chan_cpu *c, const struct hook_event *event,
	  size_t size, enum hook_form form, struct hook_stamp stamp)
{
	struct grtrace_rec_job *rec = grtrace_channel_at(c);
	const struct grtrace_job *job = event->job;

	grtrace_record_seq(c, &rec->seq, event->head, stamp.ts, stamp.ids);
	rec->ctx = cpu_to_le32(job->ctx);
	rec->seqno = cpu_to_le32(job->seqno);
	rec->ring = cpu_to_le32(stamp.ring);
	/* flags and arg */
	put_unaligned_le32(stamp.flags, &rec->flags);
	hook_fill_form(rec, event, form);
	grtrace_channel_publish(c, size, GRTRACE_KIND_EVENT);
}

/* Returns flags and arg in one word, laid out as in a record, which saves a load. */
static __always_inline u32 hook_flags(const struct grtrace_job *job)
{
	return job->time | (u32)job->arg << 16;
}

/* Writes any event in any context, with the notes that must come before it. */
static __always_inline void
hook_write(struct grtrace_chan_cpu *c, const struct hook_event *event, u32 ring,
	   u64 ts, u32 marks, u32 sample)
{
	struct hook_stamp stamp = {
		.ring = ring,
		.flags = hook_flags(event->job) | marks,
		.ts = ts,
		.ids = grtrace_record_task_ids(current),
	};
	size_t size = hook_size(event);
	u64 ctx = event->job->ctx;

	/* A new sub-buffer forgets what is known, so make room for all first. */
	if (!grtrace_channel_room(c, size + GRTRACE_TASK_ROOM, GRTRACE_KIND_EVENT,
				  ts, ctx, sample)) {
		/* The notes come with a later event: they are not lost. */
		grtrace_stat_add(GRTRACE_STAT_BYTES_DROPPED,
				 -(u64)GRTRACE_TASK_ROOM);
		return;
	}
	if (!(hook_context() & HOOK_NOT_TASK))
		grtrace_record_task_once(c, current, stamp.ids, ts);
	else
		stamp.flags = hook_interrupt(stamp.flags);
	if (!grtrace_channel_reserve(c, size, GRTRACE_KIND_EVENT, ts, ctx, sample))
		return;
	hook_fill(c, event, size, hook_form(event), stamp);
	__this_cpu_inc(grtrace_written->events[grtrace_width(size)][hook_type(event)]);
}

/*
 * A FENCE that was refused belongs to a recorded job after all. It is offered
 * once more.
 */
static noinline notrace void hook_fence_late(const struct grtrace_live *live,
					     const struct grtrace_job *named,
					     u64 ts)
{
	const struct grtrace_job job = {
		.ctx = named->fence_ctx,
		.seqno = named->fence_seqno,
		.time = GRTRACE_TIME_INFERRED,
	};
	const struct hook_event event = {
		.head = GRTRACE_REC_HEAD(GRTRACE_FENCE, job),
		.job = &job,
	};
	struct grtrace_chan_cpu *c = this_cpu_ptr(live->cpu);

	grtrace_stat_inc(GRTRACE_STAT_OFFERED);
	if (hook_limits_pass(live, c, &event, ts))
		hook_write(c, &event, GRTRACE_RING_NONE, ts, 0, live->sample);
}

/* Counts the event for its ring, and returns the id of the ring. */
static __always_inline u32 hook_count_ring(const struct hook_event *event)
{
	if (!event->ring)
		return GRTRACE_RING_NONE;
	grtrace_rings_count(event->ring, event->head);
	return event->ring->id;
}

/* Handles an event of a session with optional stages. */
static __always_inline void
hook_whole_event(const struct grtrace_live *live,
		 const struct hook_event *event)
{
	struct grtrace_chan_cpu *c = this_cpu_ptr(live->cpu);
	unsigned int context = hook_context();
	u32 ring = hook_count_ring(event), marks;
	enum grtrace_stat stat;
	u64 ts;

	grtrace_stat_inc(GRTRACE_STAT_OFFERED);
	stat = grtrace_filter(&live->config.filter, hook_type(event), event->ring);
	if (stat == GRTRACE_STAT_WRITTEN && hook_type(event) == GRTRACE_FENCE &&
	    live->stages & GRTRACE_STAGE_ONE_END &&
	    grtrace_fences_has_end(&live->memory->fences, event->job->ctx, event->job->seqno))
		stat = GRTRACE_STAT_FILTERED_LEVEL;
	if (stat == GRTRACE_STAT_WRITTEN &&
	    live->stages & (GRTRACE_STAGE_WATCH | GRTRACE_STAGE_SAMPLE))
		stat = hook_wanted(live, event, context);
	if (stat != GRTRACE_STAT_WRITTEN) {
		grtrace_stat_inc(stat);
		return;
	}
	/* Only events that pass the filters count as lost. */
	if (unlikely(context & NMI_MASK)) {
		grtrace_channel_nmi(live->channel);
		return;
	}
	/* Taken before the reserve, because LOST contains the time of the lost event. */
	ts = grtrace_clock(live->config.clock);
	marks = hook_judge(live, event, ts);
	if (hook_limits_pass(live, c, event, ts))
		hook_write(c, event, ring, ts, marks, live->sample);
	if (live->stages & GRTRACE_STAGE_ONE_END && hook_names_end(event))
		grtrace_fences_end(&live->memory->fences, event->job->fence_ctx,
				   event->job->fence_seqno);
	else if (live->stages & (GRTRACE_STAGE_WATCH | GRTRACE_STAGE_SAMPLE) &&
		 hook_fence_is_late(live, event))
		hook_fence_late(live, event->job, ts);
}

/* Returned by value: a struct whose address is taken would be built on all paths. */
static __always_inline struct hook_event
hook_unpack(u32 head, const struct grtrace_ring *ring,
	    const struct grtrace_job *job, u64 extra)
{
	return (struct hook_event) {
		.head = head,
		.ring = ring,
		.job = job,
		.extra = extra,
	};
}

static noinline notrace void
hook_whole(const struct grtrace_live *live, u32 head,
	   const struct grtrace_ring *ring, const struct grtrace_job *job,
	   u64 extra)
{
	const struct hook_event event = hook_unpack(head, ring, job, extra);
	bool profile = live->stages & GRTRACE_STAGE_PROFILE;
	u64 begin = 0;

	if (unlikely(live->stages & GRTRACE_STAGE_OFF)) {
		grtrace_stat_inc(GRTRACE_STAT_DISABLED);
		return;
	}
	if (profile)
		begin = ktime_get_mono_fast_ns();
	hook_whole_event(live, &event);
	if (profile)
		grtrace_stat_latency(ktime_get_mono_fast_ns() - begin);
}

/* Handles a plain event that needs a packet or a note first, or that is in an NMI. */
static noinline notrace __cold void
hook_rare(struct grtrace_chan_cpu *c, u32 head, u32 ring,
	  const struct grtrace_job *job, u64 ts, u64 extra)
{
	const struct hook_event event = hook_unpack(head, NULL, job, extra);

	grtrace_stat_inc(GRTRACE_STAT_OFFERED);
	if (hook_context() & NMI_MASK)
		grtrace_channel_nmi(c->channel);
	else
		hook_write(c, &event, ring, ts, 0, 0);
}

/*
 * Events here pass all filters, and no other stage is configured. There is only
 * one call, for the clock: values used after it stay in registers that need not
 * be saved.
 */
static __always_inline void hook_plain(const struct grtrace_live *live,
				       const struct hook_event *event,
				       size_t size, enum hook_form form)
{
	struct grtrace_chan_cpu *c = this_cpu_ptr(live->cpu);
	const struct grtrace_job *job = event->job;
	struct hook_stamp stamp = {
		.ring = hook_count_ring(event),
		.flags = hook_flags(job),
		.ts = ktime_get_mono_fast_ns(),
		.ids = grtrace_record_task_ids(current),
	};

	if (likely(!(hook_context() & HOOK_NOT_TASK))) {
		if (unlikely(!grtrace_record_task_known(c, current, stamp.ids)))
			goto rare;
	} else {
		if (unlikely(hook_context() & NMI_MASK))
			goto rare;
		stamp.flags = hook_interrupt(stamp.flags);
	}
	if (unlikely(!grtrace_channel_fits(c, size, GRTRACE_KIND_EVENT, stamp.ts,
					   job->ctx, 0)))
		goto rare;
	hook_fill(c, event, size, form, stamp);
	__this_cpu_inc(grtrace_written->plain[grtrace_width(size)][hook_type(event)]);
	return;

rare:
	hook_rare(c, event->head, stamp.ring, job, stamp.ts, event->extra);
}

static __always_inline void hook(const struct hook_event *event, size_t size,
				 enum hook_form form)
{
	const struct grtrace_live *live;
	unsigned long flags;

	local_irq_save(flags);
	live = rcu_dereference_sched(grtrace_live);
	if (likely(live->plain & BIT_ULL(hook_type(event))))
		hook_plain(live, event, size, form);
	else
		hook_whole(live, event->head, event->ring, event->job,
			   event->extra);
	local_irq_restore(flags);
}

/* The slow halves of the hooks, whose documentation is in linux/grtrace.h. */

notrace void __grtrace_job(u32 head, struct grtrace_ring *ring,
			   const struct grtrace_job *job)
{
	const struct hook_event event = hook_unpack(head, ring, job, 0);

	hook(&event, sizeof(struct grtrace_rec_job), HOOK_JOB);
}
EXPORT_SYMBOL_GPL(__grtrace_job);

notrace void __grtrace_submit(struct grtrace_ring *ring,
			      const struct grtrace_job *job, u64 client)
{
	const struct hook_event event =
		hook_unpack(GRTRACE_REC_HEAD(GRTRACE_SUBMIT, submit), ring, job,
			    client);

	hook(&event, sizeof(struct grtrace_rec_submit), HOOK_SUBMIT);
}
EXPORT_SYMBOL_GPL(__grtrace_submit);

notrace void __grtrace_command(struct grtrace_ring *ring,
			       const struct grtrace_job *job, u64 client)
{
	const struct hook_event event =
		hook_unpack(GRTRACE_REC_HEAD(GRTRACE_SUBMIT, command), ring, job,
			    client);

	hook(&event, sizeof(struct grtrace_rec_command), HOOK_COMMAND);
}
EXPORT_SYMBOL_GPL(__grtrace_command);

notrace void __grtrace_response(struct grtrace_ring *ring,
				const struct grtrace_job *job)
{
	const struct hook_event event =
		hook_unpack(GRTRACE_REC_HEAD(GRTRACE_END, response), ring, job, 0);

	hook(&event, sizeof(struct grtrace_rec_response), HOOK_RESPONSE);
}
EXPORT_SYMBOL_GPL(__grtrace_response);

notrace void __grtrace_job_fence(u32 head, struct grtrace_ring *ring,
				 const struct grtrace_job *job)
{
	const struct hook_event event = hook_unpack(head, ring, job, 0);

	hook(&event, sizeof(struct grtrace_rec_job_fence), HOOK_FENCE);
}
EXPORT_SYMBOL_GPL(__grtrace_job_fence);

/* For rare events, which are never on the plain path. */
static notrace void hook_seldom(u32 head, struct grtrace_ring *ring,
				const struct grtrace_job *job, u64 extra)
{
	unsigned long flags;

	local_irq_save(flags);
	hook_whole(rcu_dereference_sched(grtrace_live), head, ring, job, extra);
	local_irq_restore(flags);
}

notrace void __grtrace_error(struct grtrace_ring *ring,
			     const struct grtrace_job *job,
			     const struct grtrace_failure *failure)
{
	hook_seldom(GRTRACE_REC_HEAD(GRTRACE_ERROR, error), ring, job,
		    (unsigned long)failure);
}
EXPORT_SYMBOL_GPL(__grtrace_error);

notrace void __grtrace_queue(struct grtrace_ring *ring, u64 ctx,
			     enum grtrace_queue_state state,
			     enum grtrace_queue_reason reason, u64 client)
{
	const struct grtrace_job job = {
		.ctx = ctx,
		.fence_ctx = state,
		.fence_seqno = reason,
	};

	hook_seldom(GRTRACE_REC_HEAD(GRTRACE_QUEUE, queue), ring, &job, client);
}
EXPORT_SYMBOL_GPL(__grtrace_queue);

notrace void __grtrace_fence_name(enum grtrace_rec_type type, struct dma_fence *fence)
{
	const struct grtrace_live *live;
	struct grtrace_chan_cpu *c;
	unsigned long flags;
	u64 ts;

	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags) ||
	    hook_context() & NMI_MASK)
		return;
	local_irq_save(flags);
	live = rcu_dereference_sched(grtrace_live);
	if (!(live->stages & GRTRACE_STAGE_OFF) &&
	    live->config.filter.pass_mask & BIT_ULL(type)) {
		c = this_cpu_ptr(live->cpu);
		ts = grtrace_clock(live->config.clock);
		if (!grtrace_record_fence_known(c, fence->context, ts))
			grtrace_record_fence_name(c, fence, ts);
	}
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(__grtrace_fence_name);
