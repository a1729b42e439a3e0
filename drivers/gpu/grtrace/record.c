// SPDX-License-Identifier: GPL-2.0
/*
 * Records: fills the structs of the uAPI header. Exceptions are ordinary
 * events, which hook.c fills in one go, and PACKET, LOST and STOP, which the
 * channel writes itself.
 *
 * It does not know the session, the filters or the readers.
 */
#include <linux/build_bug.h>
#include <linux/cgroup.h>
#include <linux/cleanup.h>
#include <linux/dma-fence.h>
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "channel_write.h"
#include "record.h"
#include "stats.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

static_assert(sizeof(struct grtrace_rec_hdr) == 4);
static_assert(sizeof(struct grtrace_rec_packet) == 64);
static_assert(sizeof(struct grtrace_rec_stream_info) == 152);
static_assert(sizeof(struct grtrace_rec_metadata) == 8);
static_assert(sizeof(struct grtrace_rec_lost) == 48);
static_assert(sizeof(struct grtrace_rec_stop) == 40);
static_assert(sizeof(struct grtrace_rec_seq) == 16);
static_assert(sizeof(struct grtrace_rec_job) == 32);
static_assert(sizeof(struct grtrace_rec_job_fence) == 40);
static_assert(sizeof(struct grtrace_rec_submit) == 40);
static_assert(sizeof(struct grtrace_rec_command) == 56);
static_assert(sizeof(struct grtrace_rec_response) == 40);
static_assert(sizeof(struct grtrace_rec_error) == 128);
static_assert(sizeof(struct grtrace_rec_ring) == 120);
static_assert(sizeof(struct grtrace_rec_task) == 48);
static_assert(sizeof(struct grtrace_rec_message) == 16);
static_assert(sizeof(struct grtrace_rec_sample) == 32);
static_assert(sizeof(struct grtrace_rec_queue) == 48);
static_assert(sizeof(struct grtrace_rec_fence_name) == 80);

static const struct {
	const char *name;
	const char *letter;
	u16 size;
} record_events[] = {
#define EVENT(type, name, letter, rec) \
	[type] = { name, letter, sizeof(struct grtrace_rec_##rec) }
	EVENT(GRTRACE_SUBMIT, "submit", "Q", submit),
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
	EVENT(GRTRACE_QUEUE, "queue_state", "QS", queue),
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

/* The name of an event or of an engine class in debugfs; NULL if no one has this number. */
const char *grtrace_record_event_name(unsigned int type)
{
	return type < ARRAY_SIZE(record_events) ? record_events[type].name :
						  NULL;
}

/* The letter that readers print for a valid event, and the size of its record. */
const char *grtrace_record_event_letter(unsigned int type)
{
	return record_events[type].letter;
}

size_t grtrace_record_event_size(unsigned int type)
{
	return record_events[type].size;
}

const char *grtrace_record_class_name(unsigned int engine_class)
{
	return engine_class < ARRAY_SIZE(record_classes) ?
	       record_classes[engine_class] : NULL;
}

/* ------------------------------------------------------------- packing */

/* Only the default hierarchy's: in it a task is in one cgroup. */
static u64 record_cgroup(const struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	guard(rcu)();	/* the task may move */
	return cgroup_id(rcu_dereference(task->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}

static void record_task(struct grtrace_chan_cpu *c,
			const struct task_struct *task, u64 ids, u64 ts)
{
	struct grtrace_rec_task *rec;
	size_t size = sizeof(*rec);

	if (!grtrace_channel_reserve(c, size, GRTRACE_KIND_NOTE, ts, 0, 0))
		return;
	rec = grtrace_channel_at(c);
	grtrace_record_seq(c, &rec->seq, GRTRACE_REC_HEAD(GRTRACE_TASK, task),
			   ts, ids);
	rec->tgid = cpu_to_le32(ids >> 32);
	rec->reserved = 0;
	/* A rename at this moment may tear the name, but it always ends with a NUL. */
	data_race(memcpy(rec->comm, task->comm, sizeof(rec->comm)));
	rec->comm[sizeof(rec->comm) - 1] = '\0';
	rec->cgroup = cpu_to_le64(record_cgroup(task));
	grtrace_channel_publish(c, size, GRTRACE_KIND_NOTE);
	c->tasks_seen[(u32)ids % GRTRACE_TASKS_SEEN] =
		grtrace_record_task_identity(task, ids);
}

/**
 * grtrace_record_task - write a TASK note, and one of the process's leader
 * @c: this CPU's end of the channel
 * @task: the current task
 * @ids: see grtrace_record_task_once()
 * @ts: current time
 *
 * A process is named after its leader, which may never submit anything. While
 * a thread lives, its leader exists, if only as a zombie.
 *
 * Context: Any but NMI, interrupts off.
 */
void grtrace_record_task(struct grtrace_chan_cpu *c,
			 const struct task_struct *task, u64 ids, u64 ts)
{
	const struct task_struct *leader = task->group_leader;
	u64 leader_ids = grtrace_record_task_ids(leader);

	if (leader != task && !grtrace_record_task_known(c, leader, leader_ids))
		record_task(c, leader, leader_ids, ts);
	record_task(c, task, ids, ts);
}

/* The names of a fence, as in its record. */
struct fence_names {
	char driver[GRTRACE_DRIVER_LEN];
	char timeline[GRTRACE_NAME_LEN];
	bool cut;
};

/*
 * Returns false for a fence that is signalled: its driver may be gone, and its names are
 * not the driver's.
 */
static bool fence_names_get(struct fence_names *names, struct dma_fence *fence)
{
	const char __rcu *driver, *timeline;

	guard(rcu)();	/* as long as the names are used */
	driver = dma_fence_driver_name(fence);
	timeline = dma_fence_timeline_name(fence);
	names->cut = strscpy_pad(names->driver, rcu_dereference(driver)) < 0;
	names->cut |= strscpy_pad(names->timeline, rcu_dereference(timeline)) < 0;
	return !test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags);
}

static void fence_fill(struct grtrace_chan_cpu *c, u64 ctx,
		       const struct fence_names *names, u64 ts)
{
	struct grtrace_rec_fence_name *rec = grtrace_channel_at(c);

	grtrace_record_seq(c, &rec->seq, GRTRACE_REC_HEAD(GRTRACE_FENCE_NAME, fence_name),
			   ts, current->pid);
	rec->ctx = cpu_to_le64(ctx);
	memcpy(rec->driver, names->driver, sizeof(rec->driver));
	memcpy(rec->timeline, names->timeline, sizeof(rec->timeline));
	grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE);
}

/**
 * grtrace_record_fence_name - write a FENCE_NAME note
 * @c: this CPU's end of the channel
 * @fence: a fence that is not signalled, as far as the caller knows
 * @ts: current time
 *
 * Context: Any but NMI, interrupts off.
 */
void grtrace_record_fence_name(struct grtrace_chan_cpu *c,
			       struct dma_fence *fence, u64 ts)
{
	/* A new sub-buffer forgets what is known, so make room for all first. */
	const size_t more = GRTRACE_FENCE_ROOM;
	struct fence_names names;

	if (!fence_names_get(&names, fence))
		return;
	if (!grtrace_channel_room(c, sizeof(struct grtrace_rec_fence_name) + more,
				  GRTRACE_KIND_NOTE, ts, 0, 0)) {
		grtrace_stat_add(GRTRACE_STAT_BYTES_DROPPED, -(u64)more);
		return;
	}
	c->fences_seen[fence->context % GRTRACE_FENCES_SEEN] = fence->context + 1;
	/* A job's fence: its RING has the names. */
	if (!strcmp(names.driver, "drm_sched"))
		return;
	fence_fill(c, fence->context, &names, ts);
	if (names.cut)
		grtrace_stat_inc(GRTRACE_STAT_SHORT);
}

/*
 * Writes a note, or a record that is not sequenced: @head bytes that are filled
 * here, then @body. Returns false if there was no room.
 */
static bool record_put(struct grtrace_channel *channel,
		       enum grtrace_rec_kind kind, u16 type, size_t head,
		       const void *body, size_t length)
{
	size_t size = ALIGN(head + length, 8);
	struct grtrace_chan_cpu *c;
	unsigned long flags;
	void *rec;
	bool room;
	u64 ts;

	local_irq_save(flags);
	c = grtrace_channel_cpu(channel);
	ts = grtrace_clock(channel->clock);
	room = grtrace_channel_reserve(c, size, kind, ts, 0, 0);
	if (room) {
		rec = grtrace_channel_at(c);
		memset(rec, 0, size);
		memcpy(rec + head, body, length);
		if (kind == GRTRACE_KIND_NOTE)
			grtrace_record_seq(c, rec, type | size << 16, ts,
					   current->pid);
		else
			put_unaligned_le32(type | size << 16, rec);
		grtrace_channel_publish(c, size, kind);
	}
	local_irq_restore(flags);
	return room;
}

/* Fills a RING record except for its sequenced part. */
void grtrace_record_ring_fill(struct grtrace_rec_ring *rec,
			      const struct grtrace_ring *ring)
{
	rec->seq.hdr.type = cpu_to_le16(GRTRACE_RING);
	rec->seq.hdr.size = cpu_to_le16(sizeof(*rec));
	rec->ring = cpu_to_le32(ring->id);
	rec->engine_class = cpu_to_le32(READ_ONCE(ring->engine_class));
	memcpy(rec->device, ring->device, sizeof(rec->device));
	memcpy(rec->driver, ring->driver, sizeof(rec->driver));
	memcpy(rec->name, ring->name, sizeof(rec->name));
	rec->flags = cpu_to_le32(ring->flags);
	rec->timeout_ms = cpu_to_le32(ring->timeout_ms);
}

/**
 * grtrace_record_ring - write a RING note
 * @channel: channel to write to
 * @ring: the ring
 *
 * Context: Any but NMI.
 */
void grtrace_record_ring(struct grtrace_channel *channel,
			 const struct grtrace_ring *ring)
{
	struct grtrace_rec_ring rec = {};

	grtrace_record_ring_fill(&rec, ring);
	if (record_put(channel, GRTRACE_KIND_NOTE, GRTRACE_RING, 0, &rec,
		       sizeof(rec)) && ring->name_cut)
		this_cpu_inc(grtrace_stats[GRTRACE_STAT_SHORT]);
}

/**
 * grtrace_record_sample - write a SAMPLE note
 * @channel: channel to write to
 * @sample: the new N
 * @previous: the old N
 * @reason: the reason for the change
 * @fill: fill of the fullest CPU's buffer in percent
 *
 * Context: Process.
 */
void grtrace_record_sample(struct grtrace_channel *channel, u32 sample,
			   u32 previous, enum grtrace_sample_reason reason,
			   u32 fill)
{
	const struct grtrace_rec_sample rec = {
		.sample = cpu_to_le32(sample),
		.previous = cpu_to_le32(previous),
		.reason = cpu_to_le32(reason),
		.fill = cpu_to_le32(fill),
	};

	record_put(channel, GRTRACE_KIND_NOTE, GRTRACE_SAMPLE, 0, &rec,
		   sizeof(rec));
}

/**
 * grtrace_record_message - write a MESSAGE note
 * @channel: channel to write to
 * @text: the text
 * @length: its length in bytes, at most %GRTRACE_MESSAGE_MAX
 *
 * Context: Process.
 * Return: false if there was no room.
 */
bool grtrace_record_message(struct grtrace_channel *channel, const char *text,
			    size_t length)
{
	size_t head = sizeof(struct grtrace_rec_message);
	struct grtrace_chan_cpu *c;
	unsigned long flags;
	bool room;
	u64 ts;

	local_irq_save(flags);
	c = grtrace_channel_cpu(channel);
	ts = grtrace_clock(channel->clock);
	/* A new sub-buffer forgets known tasks, so make room first. */
	room = grtrace_channel_room(c, ALIGN(head + length, 8) +
				    GRTRACE_TASK_ROOM, GRTRACE_KIND_NOTE, ts,
				    0, 0);
	if (room) {
		grtrace_record_task_once(c, current,
					 grtrace_record_task_ids(current), ts);
		room = record_put(channel, GRTRACE_KIND_NOTE, GRTRACE_MESSAGE,
				  head, text, length);
	} else {
		grtrace_stat_add(GRTRACE_STAT_BYTES_DROPPED,
				 -(u64)GRTRACE_TASK_ROOM);
	}
	local_irq_restore(flags);
	return room;
}

/* Writes STREAM_INFO, which is complete except for its header. */
void grtrace_record_stream_info(struct grtrace_channel *channel,
				const struct grtrace_rec_stream_info *info)
{
	record_put(channel, GRTRACE_KIND_INFO, GRTRACE_STREAM_INFO, 0, info,
		   sizeof(*info));
}

/**
 * grtrace_record_metadata - write a METADATA record
 * @channel: channel to write to
 * @text: whole lines
 * @length: their length in bytes, at most GRTRACE_MESSAGE_MAX; record and packet
 *	must fit into a sub-buffer
 *
 * Context: Process.
 */
void grtrace_record_metadata(struct grtrace_channel *channel, const char *text,
			     size_t length)
{
	record_put(channel, GRTRACE_KIND_INFO, GRTRACE_METADATA,
		   sizeof(struct grtrace_rec_metadata), text, length);
}
