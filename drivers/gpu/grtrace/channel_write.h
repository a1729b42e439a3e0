/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inline half of writing to the channel: the clock, reserve and publish. The
 * rules that they follow are explained in channel.c.
 */
#ifndef _GRTRACE_CHANNEL_WRITE_H_
#define _GRTRACE_CHANNEL_WRITE_H_

#include <linux/percpu.h>
#include <linux/timekeeping.h>
#include <linux/wordpart.h>

#include "channel.h"
#include "stats.h"

bool __grtrace_channel_reserve(struct grtrace_chan_cpu *c, size_t size,
			       enum grtrace_rec_kind kind, u64 ts, u64 ctx,
			       u32 sample);

/*
 * The current time in ns, in any context. No clock of a session can be set; it may step back
 * a little while it is adjusted.
 */
static __always_inline u64 grtrace_clock(enum grtrace_clock clock)
{
	if (likely(clock == GRTRACE_CLOCK_MONOTONIC))
		return ktime_get_mono_fast_ns();
	return ktime_get_boot_fast_ns();
}

/* This CPU's end of the channel; interrupts are off. */
static __always_inline struct grtrace_chan_cpu *
grtrace_channel_cpu(struct grtrace_channel *channel)
{
	return this_cpu_ptr(channel->cpu);
}

/* Returns whether a record fits. The arguments are those of grtrace_channel_reserve(). */
static __always_inline bool
grtrace_channel_fits(const struct grtrace_chan_cpu *c, size_t size,
		     enum grtrace_rec_kind kind, u64 ts, u64 ctx, u32 sample)
{
	return c->at + size <= c->end && ts < c->ts_end &&
	       (kind != GRTRACE_KIND_EVENT ||
		upper_32_bits(ctx) == c->ctx_hi) &&
	       (!sample || sample == c->sample);
}

/* Only looks: whether notes of that many bytes would get into the sub-buffer in progress. */
static __always_inline bool
grtrace_channel_has_room(const struct grtrace_chan_cpu *c, size_t bytes, u64 ts)
{
	return grtrace_channel_fits(c, bytes, GRTRACE_KIND_NOTE, ts, 0, 0);
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
	return likely(grtrace_channel_fits(c, size, kind, ts, ctx, sample)) ||
	       __grtrace_channel_reserve(c, size, kind, ts, ctx, sample);
}

/* The same for several records of @size bytes together: the next ones find room. */
static __always_inline bool
grtrace_channel_room(struct grtrace_chan_cpu *c, size_t size,
		     enum grtrace_rec_kind kind, u64 ts, u64 ctx, u32 sample)
{
	return grtrace_channel_reserve(c, size, kind, ts, ctx, sample);
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
	return atomic64_fetch_inc_relaxed(c->gseq);
}

#endif /* _GRTRACE_CHANNEL_WRITE_H_ */
