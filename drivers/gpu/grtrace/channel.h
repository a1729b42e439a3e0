/* SPDX-License-Identifier: GPL-2.0 */
/* The per-CPU relay memory that records are written to. */
#ifndef _GRTRACE_CHANNEL_H_
#define _GRTRACE_CHANNEL_H_

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/relay.h>
#include <linux/types.h>

struct dentry;
struct file_operations;

#define GRTRACE_TASKS_SEEN	64	/* a power of two */

/**
 * struct grtrace_subbuf - what is known of one sub-buffer
 *
 * @bytes: bytes used; valid once the sub-buffer is finished
 * @events: events in it
 */
struct grtrace_subbuf {
	u32 bytes;
	u32 events;
};

/**
 * struct grtrace_chan_cpu - one CPU's end of the channel
 *
 * All but @ready and @read_lock is touched by its own CPU only, with interrupts off; for a
 * CPU that is offline by whoever holds cpus_read_lock().
 *
 * @last_ts: time of the last record, or %GRTRACE_TS_NONE: next comes a packet
 * @ctx_hi: upper half of the contexts in the current packet
 * @cseq: cseq of the next sequenced record
 * @lost: records lost since the start
 * @pending_events: events lost and not yet told in a LOST record
 * @pending_notes: notes, likewise
 * @pending_first: time of the first of them
 * @pending_last: time of the last of them
 * @subbufs: one for each sub-buffer
 * @tasks_seen: tasks whose TASK record this CPU wrote last, by pid modulo
 * @ready: the CPU's buffer, once relay is done with making it
 * @read_lock: serializes the readers of this CPU's trace file; not the inode's
 *	lock, which relay_close() takes inside a lock that CPU hotplug takes too
 */
struct grtrace_chan_cpu {
	u64 last_ts;
	u32 ctx_hi;
	u64 cseq;
	u64 lost;
	u64 pending_events;
	u32 pending_notes;
	u64 pending_first;
	u64 pending_last;
	struct grtrace_subbuf *subbufs;
	u64 tasks_seen[GRTRACE_TASKS_SEEN];
	struct rchan_buf *ready;
	struct mutex read_lock; /* readers of this CPU's trace file */
};

/**
 * struct grtrace_channel - a session's channel
 *
 * @rchan: relay's own
 * @cpu: per-CPU state
 * @session: id of the session, for the packets
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers per CPU
 * @overwrite: overwrite the oldest sub-buffer when full, else lose the newest
 * @order_clock: do not count gseq
 * @kref: one for the session, one for each open trace file
 * @parent: directory of the trace files
 * @fops: operations of the trace files
 * @gseq: next session-wide sequence number, on a cache line of its own
 */
struct grtrace_channel {
	struct rchan *rchan;
	struct grtrace_chan_cpu __percpu *cpu;
	u64 session;
	u32 subbuf_size;
	u32 n_subbufs;
	bool overwrite;
	bool order_clock;
	struct kref kref;
	struct dentry *parent;
	const struct file_operations *fops;
	atomic64_t gseq ____cacheline_aligned_in_smp;
};

/* What a record is, for the counters and for widening. */
enum grtrace_rec_kind {
	GRTRACE_KIND_EVENT,
	GRTRACE_KIND_NOTE,	/* sequenced note */
	GRTRACE_KIND_INFO,	/* STREAM_INFO, METADATA: not sequenced */
};

struct grtrace_channel *
grtrace_channel_create(const struct grtrace_channel *template);
void grtrace_channel_close(struct grtrace_channel *channel);
void grtrace_channel_put(struct grtrace_channel *channel);

void *grtrace_channel_reserve(struct grtrace_channel *channel, size_t size,
			      enum grtrace_rec_kind kind, u64 ts, u64 ctx);
void grtrace_channel_publish(struct grtrace_channel *channel, size_t size,
			     enum grtrace_rec_kind kind, u64 ts);

void grtrace_channel_flush(struct grtrace_channel *channel);

struct grtrace_channel *grtrace_channel_of(struct rchan_buf *buf);
bool grtrace_channel_is_ready(struct rchan_buf *buf);
struct mutex *grtrace_channel_read_lock(struct rchan_buf *buf);
size_t grtrace_channel_peek(struct rchan_buf *buf, const void **data,
			    bool close);
size_t grtrace_channel_whole(struct rchan_buf *buf, const void *data,
			     size_t size, size_t room);
bool grtrace_channel_consume(struct rchan_buf *buf, size_t size);

/**
 * grtrace_channel_seq - the number a sequenced record carries
 * @channel: the channel
 * @cpu: this CPU's end of it
 *
 * Context: Between reserve and publish.
 */
static __always_inline u32 grtrace_channel_seq(struct grtrace_channel *channel,
					       struct grtrace_chan_cpu *cpu)
{
	if (channel->order_clock)
		return cpu->cseq;
	return atomic64_inc_return_relaxed(&channel->gseq) - 1;
}

#endif /* _GRTRACE_CHANNEL_H_ */
