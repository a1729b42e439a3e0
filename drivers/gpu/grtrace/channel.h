/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The per-CPU relay memory that records are written to. channel.c explains the
 * structures and the rules for their fields.
 */
#ifndef _GRTRACE_CHANNEL_H_
#define _GRTRACE_CHANNEL_H_

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/relay.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

struct dentry;
struct file_operations;

/* including channels that only a reader with an open file still holds */
#define GRTRACE_CHANNELS_MAX	8

#define GRTRACE_TASKS_SEEN	256	/* so that a byte can be the index */
#define GRTRACE_FENCES_SEEN	64	/* few contexts are not those of jobs */

/*
 * The end of each sub-buffer, which other records leave free: whatever the session's last one
 * is filled with, a LOST and a STOP fit behind it.
 */
#define GRTRACE_END_ROOM	(sizeof(struct grtrace_rec_lost) + \
				 sizeof(struct grtrace_rec_stop))

/* Records whose time is this close to their packet's can be widened by the uAPI's rules. */
#define GRTRACE_TS_NEAR		BIT_ULL(30)

/* Kinds of records, for the counters and for widening. */
enum grtrace_rec_kind {
	GRTRACE_KIND_EVENT,
	GRTRACE_KIND_NOTE,	/* sequenced note */
	GRTRACE_KIND_INFO,	/* STREAM_INFO, METADATA: not sequenced */
};

/* A sub-buffer. Its first two fields are valid once it is finished. */
struct grtrace_subbuf {
	u32 bytes;		/* bytes used */
	u32 events;		/* events in it */
	unsigned long unread;	/* overwrite mode: who may take it, see pair C */
};

/* Losses that no LOST record has reported yet. */
struct grtrace_loss {
	u64 events;
	u64 limited;		/* of these events, the rate limiter refused */
	u64 pressure;		/* of these events, backpressure refused */
	u32 notes;
	u64 first;		/* time of the first loss */
	u64 last;		/* time of the last loss */
};

/* One CPU's end of the channel; the hot fields come first. */
struct grtrace_chan_cpu {
	void *at;		/* place of the next record, or NULL: no room */
	void *end;		/* end of its room for records, or NULL: no room */
	u64 ts_end;		/* a time from here on needs a new packet */
	atomic64_t *gseq;	/* the channel's */
	u64 cseq;		/* number of the next sequenced record */
	u32 ctx_hi;		/* upper half of the packet's contexts */
	u32 sample;		/* sampling of the packet */
	struct rchan_buf *buf;	/* relay's buffer, once it is complete: pair E */
	u32 subbuf_size;
	u64 tasks_seen[GRTRACE_TASKS_SEEN];	/* last TASK notes, by pid */
	u64 fences_seen[GRTRACE_FENCES_SEEN];	/* last FENCE_NAMEs: context + 1 */
	struct grtrace_channel *channel;
	u64 lost;		/* records lost since the start */
	u64 others;		/* how many of @cseq are not written events */
	u64 begun;		/* events written before this sub-buffer */
	u64 fill;		/* fill of the buffer in bytes, smoothed */
	unsigned long nmis;	/* events that came in NMIs */
	unsigned long nmis_told;	/* how many of them are in @loss or reported */
	struct grtrace_loss loss;
	struct grtrace_subbuf *subbufs;
	struct mutex read_lock;	/* readers of this CPU's trace file */
	raw_spinlock_t stop_lock;	/* a reader against the STOP of a full channel */
} ____cacheline_aligned;

/* A session's channel. */
struct grtrace_channel {
	struct rchan *rchan;
	struct grtrace_chan_cpu __percpu *cpu;
	u64 session;		/* id of the session, for the packets */
	u32 subbuf_size;
	u32 n_subbufs;		/* per CPU */
	bool overwrite;		/* when full, overwrite; else lose new events */
	enum grtrace_clock clock;
	struct kref kref;	/* the session's, and one for each open file */
	struct dentry *parent;	/* directory of the trace files */
	const struct file_operations *fops;
	/* next session-wide sequence number, on a cache line of its own */
	atomic64_t gseq ____cacheline_aligned_in_smp;
};

/* channel_life.c */
bool grtrace_channel_affords(u64 bytes);
bool grtrace_channel_allowed(const struct grtrace_channel *instead);
struct grtrace_channel *
grtrace_channel_create(const struct grtrace_channel *template);
void grtrace_channel_close(struct grtrace_channel *channel);
void grtrace_channel_put(struct grtrace_channel *channel);

/* channel.c; what is inline is in channel_write.h */
bool grtrace_channel_subbuf_begin(struct rchan_buf *buf, bool first);
void grtrace_channel_refuse(struct grtrace_chan_cpu *c, bool pressure, u64 ts);
void grtrace_channel_nmi(struct grtrace_channel *channel);
u64 grtrace_channel_fill(const struct grtrace_chan_cpu *c);
void grtrace_channel_stop(struct grtrace_channel *channel);
void grtrace_channel_close_packet(struct rchan_buf *buf);
struct rchan_buf *grtrace_channel_buf(const struct grtrace_channel *channel,
				      int cpu);

/* channel_read.c */
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

#endif /* _GRTRACE_CHANNEL_H_ */
