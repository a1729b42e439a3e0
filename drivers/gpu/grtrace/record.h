/* SPDX-License-Identifier: GPL-2.0 */
/* Packs what happened into records, and records into the channel. */
#ifndef _GRTRACE_RECORD_H_
#define _GRTRACE_RECORD_H_

#include <linux/bitops.h>
#include <linux/grtrace.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "channel.h"

struct grtrace_rec_stream_info;

bool grtrace_record_task(struct grtrace_chan_cpu *c, u64 ts);
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

/**
 * grtrace_record_seq - fill the start of a sequenced record
 * @c: this CPU's end of the channel
 * @rec: the record
 * @type: its type
 * @size: its bytes
 * @ts: its time stamp
 *
 * Context: Between reserve and publish.
 */
static __always_inline void grtrace_record_seq(struct grtrace_chan_cpu *c,
					       struct grtrace_rec_seq *rec,
					       u16 type, u16 size, u64 ts)
{
	rec->hdr.type = cpu_to_le16(type);
	rec->hdr.size = cpu_to_le16(size);
	rec->ts = cpu_to_le32(ts);
	rec->seq = cpu_to_le32(grtrace_channel_seq(c));
	rec->pid = cpu_to_le32(current->pid);
}

/**
 * grtrace_record_task_once - say who the current pid is, if not done already
 * @c: this CPU's end of the channel
 * @ts: now
 *
 * Before the first record of a task that this CPU writes. A pid may come again
 * for another task, and exec and prctl rename one.
 *
 * Context: Any but NMI, interrupts off.
 */
static __always_inline void
grtrace_record_task_once(struct grtrace_chan_cpu *c, u64 ts)
{
	const struct task_struct *task = current;
	u64 *seen = &c->tasks_seen[task->pid % GRTRACE_TASKS_SEEN];
	u64 comm[TASK_COMM_LEN / sizeof(u64)], identity;

	memcpy(comm, task->comm, sizeof(comm));
	identity = ((u64)task->tgid << 32 | (u32)task->pid) ^ comm[0] ^
		   rol64(comm[1], 1);
	if (unlikely(*seen != identity) && grtrace_record_task(c, ts))
		*seen = identity;
}

#endif /* _GRTRACE_RECORD_H_ */
