/* SPDX-License-Identifier: GPL-2.0 */
/* Turns events into records, and writes records to the channel. */
#ifndef _GRTRACE_RECORD_H_
#define _GRTRACE_RECORD_H_

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/grtrace.h>
#include <linux/sched.h>
#include <linux/unaligned.h>

#include "channel_write.h"

/* Two TASK notes are written before a task's first record: one for its leader, one for the task. */
#define GRTRACE_TASK_ROOM	(2 * sizeof(struct grtrace_rec_task))
/* After a FENCE_NAME come the event that names the fence, and what comes before that. */
#define GRTRACE_FENCE_ROOM	(sizeof(struct grtrace_rec_packet) + GRTRACE_TASK_ROOM + \
				 sizeof(struct grtrace_rec_job_fence))

struct grtrace_rec_stream_info;

void grtrace_record_task(struct grtrace_chan_cpu *c,
			 const struct task_struct *task, u64 ids, u64 ts);
void grtrace_record_fence_name(struct grtrace_chan_cpu *c,
			       struct dma_fence *fence, u64 ts);
void grtrace_record_ring(struct grtrace_channel *channel,
			 const struct grtrace_ring *ring);
void grtrace_record_sample(struct grtrace_channel *channel, u32 sample,
			   u32 previous, enum grtrace_sample_reason reason,
			   u32 fill);
bool grtrace_record_message(struct grtrace_channel *channel, const char *text,
			    size_t length);
void grtrace_record_stream_info(struct grtrace_channel *channel,
				const struct grtrace_rec_stream_info *info);
void grtrace_record_metadata(struct grtrace_channel *channel, const char *text,
			     size_t length);

void grtrace_record_ring_fill(struct grtrace_rec_ring *rec,
			      const struct grtrace_ring *ring);
size_t grtrace_record_event_size(unsigned int type);
const char *grtrace_record_event_name(unsigned int type);
const char *grtrace_record_event_letter(unsigned int type);
const char *grtrace_record_class_name(unsigned int engine_class);

/* Fills the start of a sequenced record; @head is its GRTRACE_REC_HEAD(), or equivalent. */
static __always_inline void grtrace_record_seq(struct grtrace_chan_cpu *c,
					       struct grtrace_rec_seq *rec,
					       u32 head, u64 ts, u32 pid)
{
	put_unaligned_le32(head, &rec->hdr);
	rec->ts = cpu_to_le32(ts);
	rec->seq = cpu_to_le32(grtrace_channel_seq(c));
	rec->pid = cpu_to_le32(pid);
}

/* The pid of a task and, in the upper half, its tgid. */
static __always_inline u64
grtrace_record_task_ids(const struct task_struct *task)
{
	return (u32)task->pid | (u64)task->tgid << 32;
}

/*
 * Distinguishes tasks of the same pid: a pid may be reused by another task, and exec and
 * prctl rename a task, so the value depends on all fields of a TASK note.
 */
static __always_inline u64
grtrace_record_task_identity(const struct task_struct *task, u64 ids)
{
	static_assert(TASK_COMM_LEN == 2 * sizeof(u64));
	/*
	 * The halves differ in weight, or "1-worker1" would equal "2-worker2".
	 * During a rename the value differs from the old and the new value.
	 */
	return ids ^ data_race(get_unaligned((const u64 *)task->comm) +
			       2 * get_unaligned((const u64 *)task->comm + 1));
}

/* Returns whether this CPU has written the TASK note of a task. */
static __always_inline bool
grtrace_record_task_known(const struct grtrace_chan_cpu *c,
			  const struct task_struct *task, u64 ids)
{
	return c->tasks_seen[(u32)ids % GRTRACE_TASKS_SEEN] ==
	       grtrace_record_task_identity(task, ids);
}

/* Writes the TASK note of a task unless it is known, before this CPU's first record of it. */
static __always_inline void
grtrace_record_task_once(struct grtrace_chan_cpu *c,
			 const struct task_struct *task, u64 ids, u64 ts)
{
	if (unlikely(!grtrace_record_task_known(c, task, ids)))
		grtrace_record_task(c, task, ids, ts);
}

/*
 * Returns whether this CPU has written the FENCE_NAME note of a context, in the sub-buffer
 * that an event at this time gets to.
 */
static __always_inline bool
grtrace_record_fence_known(const struct grtrace_chan_cpu *c, u64 ctx, u64 ts)
{
	return c->fences_seen[ctx % GRTRACE_FENCES_SEEN] == ctx + 1 &&
	       grtrace_channel_has_room(c, GRTRACE_FENCE_ROOM, ts);
}

#endif /* _GRTRACE_RECORD_H_ */
