// SPDX-License-Identifier: GPL-2.0
/*
 * Records: the only place that fills the structs of the uAPI header, but for
 * PACKET and LOST, which the channel writes itself.
 *
 * It does not know who is tracing, what was filtered or where a reader is.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "channel.h"
#include "record.h"
#include "stats.h"

static_assert(sizeof(struct grtrace_rec_hdr) == 4);
static_assert(sizeof(struct grtrace_rec_packet) == 64);
static_assert(sizeof(struct grtrace_rec_stream_info) == 152);
static_assert(sizeof(struct grtrace_rec_metadata) == 8);
static_assert(sizeof(struct grtrace_rec_lost) == 48);
static_assert(sizeof(struct grtrace_rec_seq) == 16);
static_assert(sizeof(struct grtrace_rec_job) == 32);
static_assert(sizeof(struct grtrace_rec_job_fence) == 40);
static_assert(sizeof(struct grtrace_rec_error) == 40);
static_assert(sizeof(struct grtrace_rec_ring) == 112);
static_assert(sizeof(struct grtrace_rec_task) == 40);
static_assert(sizeof(struct grtrace_rec_message) == 16);

static const struct {
	const char *name;
	const char *letter;
	u16 size;
} record_events[] = {
#define EVENT(type, name, letter, rec) \
	[type] = { name, letter, sizeof(struct grtrace_rec_##rec) }
	EVENT(GRTRACE_SUBMIT, "submit", "Q", job),
	EVENT(GRTRACE_DEP, "dep", "DP", job_fence),
	EVENT(GRTRACE_BLOCKED, "blocked", "UN", job_fence),
	EVENT(GRTRACE_PICK, "pick", "I", job),
	EVENT(GRTRACE_COMMIT, "commit", "D", job_fence),
	EVENT(GRTRACE_START, "start", "B", job),
	EVENT(GRTRACE_END, "end", "E", job),
	EVENT(GRTRACE_COMPLETE, "complete", "C", job),
	EVENT(GRTRACE_IRQ, "irq", "IR", job),
	EVENT(GRTRACE_CTX_SWITCH, "ctx_switch", "CS", job_fence),
	EVENT(GRTRACE_SYNC_WAIT_ENTER, "wait_enter", "WE", job),
	EVENT(GRTRACE_SYNC_WAIT_EXIT, "wait_exit", "WX", job),
	EVENT(GRTRACE_ERROR, "error", "ER", error),
	EVENT(GRTRACE_FENCE, "fence", "FS", job),
#undef EVENT
};

static const char * const record_classes[] = {
	[GRTRACE_CLASS_UNKNOWN]		= "unknown",
	[GRTRACE_CLASS_RENDER]		= "render",
	[GRTRACE_CLASS_COMPUTE]		= "compute",
	[GRTRACE_CLASS_COPY]		= "copy",
	[GRTRACE_CLASS_VIDEO_DECODE]	= "video_decode",
	[GRTRACE_CLASS_VIDEO_ENCODE]	= "video_encode",
	[GRTRACE_CLASS_OTHER]		= "other",
};

static_assert(ARRAY_SIZE(record_classes) == GRTRACE_CLASS_COUNT);

/**
 * grtrace_record_event_name - an event's name in debugfs
 * @type: its number
 *
 * Return: the name, or NULL where there is no such event.
 */
const char *grtrace_record_event_name(unsigned int type)
{
	return type < ARRAY_SIZE(record_events) ? record_events[type].name :
						  NULL;
}

/**
 * grtrace_record_event_letter - the letter readers print for an event
 * @type: its number, that of an event
 */
const char *grtrace_record_event_letter(unsigned int type)
{
	return record_events[type].letter;
}

/**
 * grtrace_record_event_size - bytes of an event's record
 * @type: its number, that of an event
 */
size_t grtrace_record_event_size(unsigned int type)
{
	return record_events[type].size;
}

/**
 * grtrace_record_class_name - an engine class's name in debugfs
 * @engine_class: its number
 *
 * Return: the name, or NULL where there is no such class.
 */
const char *grtrace_record_class_name(unsigned int engine_class)
{
	return engine_class < ARRAY_SIZE(record_classes) ?
	       record_classes[engine_class] : NULL;
}

/* ------------------------------------------------------------- packing */

static void record_seq_fill(struct grtrace_channel *channel,
			    struct grtrace_rec_seq *rec, u16 type, u16 size,
			    u64 ts)
{
	rec->hdr.type = cpu_to_le16(type);
	rec->hdr.size = cpu_to_le16(size);
	rec->ts = cpu_to_le32(ts);
	rec->seq = cpu_to_le32(grtrace_channel_seq(channel,
						   this_cpu_ptr(channel->cpu)));
	rec->pid = cpu_to_le32(current->pid);
}

static bool record_task(struct grtrace_channel *channel, u64 ts)
{
	struct grtrace_rec_task *rec;

	rec = grtrace_channel_reserve(channel, sizeof(*rec),
				      GRTRACE_KIND_NOTE, ts, 0);
	if (!rec)
		return false;
	record_seq_fill(channel, &rec->seq, GRTRACE_TASK, sizeof(*rec), ts);
	rec->tgid = cpu_to_le32(current->tgid);
	rec->reserved = 0;
	/* may be torn by a rename at this moment, but always ends */
	memcpy(rec->comm, current->comm, sizeof(rec->comm));
	rec->comm[sizeof(rec->comm) - 1] = '\0';
	grtrace_channel_publish(channel, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
	return true;
}

/* A pid may come again for another task, and exec and prctl rename one. */
static u64 record_task_identity(const struct task_struct *task)
{
	u64 comm[TASK_COMM_LEN / sizeof(u64)];

	memcpy(comm, task->comm, sizeof(comm));
	return ((u64)task->tgid << 32 | task->pid) ^ comm[0] ^
	       rol64(comm[1], 1);
}

/* Say who a pid is before the first record of its that this CPU writes. */
static void record_task_once(struct grtrace_channel *channel, u64 ts)
{
	struct grtrace_chan_cpu *c = this_cpu_ptr(channel->cpu);
	u64 *seen = &c->tasks_seen[current->pid % GRTRACE_TASKS_SEEN];
	u64 task = record_task_identity(current);

	if (unlikely(*seen != task) && record_task(channel, ts))
		*seen = task;
}

static u16 record_flags(const struct grtrace_job *job)
{
	u16 time = job->time & GRTRACE_TIME_MASK;

	if (in_hardirq()) {
		if (time == GRTRACE_TIME_SOFTWARE)
			time = GRTRACE_TIME_INTERRUPT;
		return time | GRTRACE_IN_HARDIRQ;
	}
	if (in_serving_softirq())
		return time | GRTRACE_IN_SOFTIRQ;
	return time | GRTRACE_IN_TASK;
}

/**
 * grtrace_record_event - write an event
 * @channel: where to
 * @event: the event
 *
 * Context: Any but NMI, interrupts off.
 */
void grtrace_record_event(struct grtrace_channel *channel,
			  const struct grtrace_event *event)
{
	const struct grtrace_job *job = event->job;
	u16 flags = record_flags(job);
	struct grtrace_rec_job *rec;
	size_t size = sizeof(*rec);
	u64 ts;

	if (event->fence)
		size = sizeof(struct grtrace_rec_job_fence);
	else if (event->error)
		size = sizeof(struct grtrace_rec_error);

	/* before the reserve: a LOST record wants the time of what it lost */
	ts = ktime_get_mono_fast_ns();
	if ((flags & GRTRACE_IN_MASK) == GRTRACE_IN_TASK) {
		/* flight recorder: TASK and event go into one sub-buffer */
		if (unlikely(channel->overwrite))
			grtrace_channel_reserve(channel, size +
						sizeof(struct grtrace_rec_task),
						GRTRACE_KIND_EVENT, ts,
						job->ctx);
		record_task_once(channel, ts);
	}

	rec = grtrace_channel_reserve(channel, size, GRTRACE_KIND_EVENT, ts,
				      job->ctx);
	if (!rec)
		return;
	record_seq_fill(channel, &rec->seq, event->type, size, ts);
	rec->ctx = cpu_to_le32(job->ctx);
	rec->seqno = cpu_to_le32(job->seqno);
	rec->ring = cpu_to_le32(event->ring ? event->ring->id :
					      GRTRACE_RING_NONE);
	rec->flags = cpu_to_le16(flags);
	rec->arg = cpu_to_le16(job->arg);
	if (event->fence) {
		struct grtrace_rec_job_fence *fence = (void *)rec;

		fence->fence_ctx = cpu_to_le32(job->fence_ctx);
		fence->fence_seqno = cpu_to_le32(job->fence_seqno);
	} else if (event->error) {
		struct grtrace_rec_error *error = (void *)rec;

		error->kind = cpu_to_le32(event->kind);
		error->code = cpu_to_le32(event->code);
	}
	grtrace_channel_publish(channel, size, GRTRACE_KIND_EVENT, ts);
	this_cpu_inc(grtrace_stats.by_type[event->type]);
}

/**
 * grtrace_record_ring_fill - fill a RING record but for its sequenced part
 * @rec: the record
 * @ring: the ring
 */
void grtrace_record_ring_fill(struct grtrace_rec_ring *rec,
			      const struct grtrace_ring *ring)
{
	rec->seq.hdr.type = cpu_to_le16(GRTRACE_RING);
	rec->seq.hdr.size = cpu_to_le16(sizeof(*rec));
	rec->ring = cpu_to_le32(ring->id);
	rec->engine_class = cpu_to_le32(ring->engine_class);
	memcpy(rec->device, ring->device, sizeof(rec->device));
	memcpy(rec->driver, ring->driver, sizeof(rec->driver));
	memcpy(rec->name, ring->name, sizeof(rec->name));
}

/**
 * grtrace_record_ring - write a RING note
 * @channel: where to
 * @ring: the ring
 *
 * Context: Any but NMI, interrupts off.
 */
void grtrace_record_ring(struct grtrace_channel *channel,
			 const struct grtrace_ring *ring)
{
	u64 ts = ktime_get_mono_fast_ns();
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(channel, sizeof(*rec),
				      GRTRACE_KIND_NOTE, ts, 0);
	if (!rec)
		return;
	record_seq_fill(channel, &rec->seq, GRTRACE_RING, sizeof(*rec), ts);
	grtrace_record_ring_fill(rec, ring);
	grtrace_channel_publish(channel, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
}

/**
 * grtrace_record_message - write a MESSAGE note
 * @channel: where to
 * @text: the text
 * @length: its bytes, at most %GRTRACE_MESSAGE_MAX
 *
 * Context: Process.
 * Return: false when there was no room.
 */
bool grtrace_record_message(struct grtrace_channel *channel, const char *text,
			    size_t length)
{
	size_t size = ALIGN(sizeof(struct grtrace_rec_message) + length, 8);
	struct grtrace_rec_message *rec;
	unsigned long flags;
	u64 ts;

	local_irq_save(flags);
	ts = ktime_get_mono_fast_ns();
	record_task_once(channel, ts);
	rec = grtrace_channel_reserve(channel, size, GRTRACE_KIND_NOTE, ts, 0);
	if (rec) {
		record_seq_fill(channel, &rec->seq, GRTRACE_MESSAGE, size, ts);
		memset(rec->text, 0, size - sizeof(*rec));
		memcpy(rec->text, text, length);
		grtrace_channel_publish(channel, size, GRTRACE_KIND_NOTE, ts);
	}
	local_irq_restore(flags);
	return rec;
}

static void record_info(struct grtrace_channel *channel, u16 type,
			const void *body, size_t length, size_t header)
{
	size_t size = ALIGN(header + length, 8);
	struct grtrace_rec_hdr *rec;
	unsigned long flags;
	u64 ts;

	local_irq_save(flags);
	ts = ktime_get_mono_fast_ns();
	rec = grtrace_channel_reserve(channel, size, GRTRACE_KIND_INFO, ts, 0);
	if (rec) {
		memset(rec, 0, size);
		memcpy((void *)rec + header, body, length);
		rec->type = cpu_to_le16(type);
		rec->size = cpu_to_le16(size);
		grtrace_channel_publish(channel, size, GRTRACE_KIND_INFO, ts);
	}
	local_irq_restore(flags);
}

/**
 * grtrace_record_stream_info - write STREAM_INFO
 * @channel: where to
 * @info: the record, but for its header
 *
 * Context: Process.
 */
void grtrace_record_stream_info(struct grtrace_channel *channel,
				const struct grtrace_rec_stream_info *info)
{
	record_info(channel, GRTRACE_STREAM_INFO, info, sizeof(*info), 0);
}

/**
 * grtrace_record_metadata - write a METADATA record
 * @channel: where to
 * @text: whole lines
 * @length: their bytes; record and packet must fit a sub-buffer
 *
 * Context: Process.
 */
void grtrace_record_metadata(struct grtrace_channel *channel, const char *text,
			     size_t length)
{
	record_info(channel, GRTRACE_METADATA, text, length,
		    sizeof(struct grtrace_rec_metadata));
}
