/* SPDX-License-Identifier: GPL-2.0 */
/* The per-CPU relay memory that records are written to. */
#ifndef _GRTRACE_CHANNEL_H_
#define _GRTRACE_CHANNEL_H_

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/jump_label.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/relay.h>
#include <linux/types.h>
#include <linux/wordpart.h>

#include <uapi/drm/grtrace_drm.h>

#include "stats.h"

struct dentry;
struct file_operations;

/* including channels that only a reader with an open file still holds */
#define GRTRACE_CHANNELS_MAX	8

#define GRTRACE_TASKS_SEEN	256	/* so that a byte can be the index */

/* Records whose time is this close to their packet's can be widened by the uAPI's rules. */
#define GRTRACE_TS_NEAR		BIT_ULL(30)

/**
 * struct grtrace_subbuf - state of one sub-buffer
 *
 * @bytes: bytes used; valid once the sub-buffer is finished
 * @events: events in it; valid once the sub-buffer is finished
 * @unread: in the flight recorder: number of the finished sub-buffer + 1; 0
 *	once the reader or the writer has taken it
 */
struct grtrace_subbuf {
	u32 bytes;
	u32 events;
	unsigned long unread;
};

/**
 * struct grtrace_client_slot - content of a CLIENT note
 *
 * @ctx: the context
 * @client: the client that its jobs belong to
 */
struct grtrace_client_slot {
	u64 ctx;
	u64 client;
};

/**
 * struct grtrace_loss - losses that no LOST record has reported yet
 *
 * @events: events
 * @limited: how many of @events the rate limiter refused
 * @pressure: how many of @events backpressure refused
 * @notes: notes
 * @first: time of the first loss
 * @last: time of the last loss
 */
struct grtrace_loss {
	u64 events;
	u64 limited;
	u64 pressure;
	u32 notes;
	u64 first;
	u64 last;
};

/**
 * struct grtrace_chan_cpu - one CPU's end of the channel
 *
 * Only the CPU itself accesses it, with interrupts off, except for @read_lock.
 * While the CPU is offline, a task may access it that holds cpus_read_lock()
 * and, in channel.c, channel_offline_lock.
 *
 * @at: place of the next record; relay's own offset is updated when a packet is
 *	closed. NULL while there is no room.
 * @end: end of the sub-buffer; NULL while there is no room
 * @ts_end: first time stamp that is too far from the current packet's time
 *	stamp; 0: a new packet must come first
 * @gseq: the session's sequence numbers, or NULL with order=clock
 * @cseq: cseq of the next sequenced record
 * @ctx_hi: upper half of the contexts in the current packet
 * @sample: sampling of the current packet
 * @buf: relay's buffer, once relay has completed it
 * @subbuf_size: bytes of a sub-buffer
 * @tasks_seen: tasks whose TASK record this CPU wrote last, indexed by pid
 * modulo the size
 * @clients: clients whose CLIENT note this CPU wrote last, indexed by context
 * modulo the size
 * @channel: the channel
 * @lost: records lost since the start
 * @others: how many of @cseq are not written events
 * @begun: events written before the current sub-buffer
 * @fill: fill of the buffer in bytes, smoothed
 * @nmis: events that came in NMIs
 * @nmis_told: how many of @nmis are in @loss or were reported
 * @loss: losses to report
 * @subbufs: one for each sub-buffer
 * @read_lock: serializes the readers of this CPU's trace file. The inode's lock
 *	would not do, because relay_close() takes it inside a lock that CPU
 *	hotplug also takes
 */
struct grtrace_chan_cpu {
	void *at;
	void *end;
	u64 ts_end;
	atomic64_t *gseq;
	u64 cseq;
	u32 ctx_hi;
	u32 sample;
	struct rchan_buf *buf;
	u32 subbuf_size;
	u64 tasks_seen[GRTRACE_TASKS_SEEN];
	struct grtrace_client_slot clients[GRTRACE_CLIENT_SLOTS];
	struct grtrace_channel *channel;
	u64 lost;
	u64 others;
	u64 begun;
	u64 fill;
	unsigned long nmis;
	unsigned long nmis_told;
	struct grtrace_loss loss;
	struct grtrace_subbuf *subbufs;
	struct mutex read_lock; /* readers of this CPU's trace file */
} ____cacheline_aligned;

/**
 * struct grtrace_channel - a session's channel
 *
 * @rchan: relay's channel
 * @cpu: per-CPU state
 * @session: id of the session, for the packets
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers per CPU
 * @overwrite: if the channel is full, overwrite the oldest sub-buffer; else
 * lose new events
 * @order_clock: records have no gseq
 * @clock: the clock of ts
 * @kref: one reference for the session, one for each open trace file
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
	enum grtrace_clock clock;
	struct kref kref;
	struct dentry *parent;
	const struct file_operations *fops;
	atomic64_t gseq ____cacheline_aligned_in_smp;
};

/* Kinds of records, for the counters and for widening. */
enum grtrace_rec_kind {
	GRTRACE_KIND_EVENT,
	GRTRACE_KIND_NOTE,	/* sequenced note */
	GRTRACE_KIND_INFO,	/* STREAM_INFO, METADATA: not sequenced */
};

/* Set if any channel has no gseq. */
DECLARE_STATIC_KEY_FALSE(grtrace_channel_clock_key);

bool grtrace_channel_affords(u64 bytes);
bool grtrace_channel_allowed(const struct grtrace_channel *instead);
struct grtrace_channel *
grtrace_channel_create(const struct grtrace_channel *template);
void grtrace_channel_close(struct grtrace_channel *channel);
void grtrace_channel_put(struct grtrace_channel *channel);

bool __grtrace_channel_reserve(struct grtrace_chan_cpu *c, size_t size,
			       enum grtrace_rec_kind kind, u64 ts, u64 ctx,
			       u32 sample);
void grtrace_channel_refuse(struct grtrace_chan_cpu *c, bool pressure, u64 ts);
void grtrace_channel_nmi(struct grtrace_channel *channel);
u64 grtrace_channel_fill(const struct grtrace_chan_cpu *c);

void grtrace_channel_flush(struct grtrace_channel *channel);
void grtrace_channel_close_packet(struct rchan_buf *buf);

struct rchan_buf *grtrace_channel_buf(const struct grtrace_channel *channel,
				      int cpu);
struct grtrace_channel *grtrace_channel_of(struct rchan_buf *buf);
bool grtrace_channel_is_ready(struct rchan_buf *buf);
struct mutex *grtrace_channel_read_lock(struct rchan_buf *buf);
size_t grtrace_channel_copy(struct rchan_buf *buf, void *to, size_t room);
u64 grtrace_channel_cseq(struct grtrace_channel *channel, int cpu);
size_t grtrace_channel_peek(struct rchan_buf *buf, const void **data,
			    bool close);
size_t grtrace_channel_whole(struct rchan_buf *buf, const void *data,
			     size_t size, size_t room);
bool grtrace_channel_consume(struct rchan_buf *buf, size_t size);

/* This CPU's end of the channel; interrupts are off. */
static __always_inline struct grtrace_chan_cpu *
grtrace_channel_cpu(struct grtrace_channel *channel)
{
	return this_cpu_ptr(channel->cpu);
}

/*
 * Returns whether a record fits; for callers with a clock that is never set back.
 * The arguments are those of grtrace_channel_reserve().
 */
static __always_inline bool
grtrace_channel_fits(const struct grtrace_chan_cpu *c, size_t size,
		     enum grtrace_rec_kind kind, u64 ts, u64 ctx, u32 sample)
{
	return c->at + size <= c->end && ts < c->ts_end &&
	       (kind != GRTRACE_KIND_EVENT ||
		upper_32_bits(ctx) == c->ctx_hi) &&
	       (!sample || sample == c->sample);
}

/**
 * grtrace_channel_reserve - make room for a record on this CPU
 * @c: this CPU's end of the channel
 * @size: bytes of the record, a multiple of 8
 * @kind: kind of the record
 * @ts: its time stamp
 * @ctx: its context; ignored for a record that is not an event
 * @sample: sampling that let the event pass; 0 for the sampling of the current
 * packet
 *
 * A record that does not fit is counted and reported by a LOST record later.
 *
 * Context: Any but NMI, interrupts off until grtrace_channel_publish().
 * Return: true if there is room, at grtrace_channel_at().
 */
static __always_inline bool
grtrace_channel_reserve(struct grtrace_chan_cpu *c, size_t size,
			enum grtrace_rec_kind kind, u64 ts, u64 ctx,
			u32 sample)
{
	/* The time must not be before the packet's either: the clock may have been set back. */
	return likely(grtrace_channel_fits(c, size, kind, ts, ctx, sample) &&
		      ts + GRTRACE_TS_NEAR >= c->ts_end) ||
	       __grtrace_channel_reserve(c, size, kind, ts, ctx, sample);
}

/* The address of the reserved record. */
static __always_inline void *
grtrace_channel_at(const struct grtrace_chan_cpu *c)
{
	return c->at;
}

/* Publishes the reserved record, which is filled. The arguments are those of reserve. */
static __always_inline void
grtrace_channel_publish(struct grtrace_chan_cpu *c, size_t size,
			enum grtrace_rec_kind kind)
{
	c->at += size;
	if (kind != GRTRACE_KIND_INFO)
		c->cseq++;
	if (kind == GRTRACE_KIND_NOTE) {
		c->others++;
		grtrace_stat_inc(GRTRACE_STAT_NOTES);
	}
	if (kind == GRTRACE_KIND_INFO)
		grtrace_stat_inc(GRTRACE_STAT_INFOS);
	if (kind != GRTRACE_KIND_EVENT)
		__this_cpu_inc(grtrace_written->notes_by_size[size / 8]);
}

/* The sequence number of the reserved record. */
static __always_inline u32 grtrace_channel_seq(struct grtrace_chan_cpu *c)
{
	if (static_branch_unlikely(&grtrace_channel_clock_key) && !c->gseq)
		return c->cseq;
	return atomic64_fetch_inc_relaxed(c->gseq);
}

#endif /* _GRTRACE_CHANNEL_H_ */
