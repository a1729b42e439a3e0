/* SPDX-License-Identifier: GPL-2.0 */
/* Counts what happens to every event: one per-CPU counter for each result. */
#ifndef _GRTRACE_STATS_H_
#define _GRTRACE_STATS_H_

#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

/* The longest record is a MESSAGE; sizes are multiples of 8. */
#define GRTRACE_SIZES	(ALIGN(sizeof(struct grtrace_rec_message) + \
			       GRTRACE_MESSAGE_MAX, 8) / 8 + 1)

#define GRTRACE_HIST_BUCKETS	12

/*
 * Records of events are counted by their width: 0 for the shortest, 1 for 8 bytes
 * more. ERROR, which is much longer than all others, has the last.
 */
#define GRTRACE_WIDTH_ERROR	((sizeof(struct grtrace_rec_command) - \
				  sizeof(struct grtrace_rec_job)) / 8 + 1)
#define GRTRACE_WIDTHS		(GRTRACE_WIDTH_ERROR + 1)

static __always_inline unsigned int grtrace_width(size_t size)
{
	return min((size - sizeof(struct grtrace_rec_job)) / 8, GRTRACE_WIDTH_ERROR);
}

/*
 * Possible results for an event or a note.
 *
 * While no hook runs, always: offered = written + filtered_* + sampled_out +
 * rate_limited_drops + backpressure_drops + writes_reserve_fail +
 * writes_oversize + writes_nmi.
 */
enum grtrace_stat {
	GRTRACE_STAT_OFFERED,		/* events that reached a hook in a session */
	/* events refused, by: */
	GRTRACE_STAT_FILTERED_LEVEL,
	GRTRACE_STAT_FILTERED_TYPE,	/* filter_type_mask */
	GRTRACE_STAT_FILTERED_ENGINE,	/* filter_engine_mask */
	GRTRACE_STAT_FILTERED_RING,	/* filter_ring_mask or filter_ring_id */
	GRTRACE_STAT_FILTERED_DEVICE,
	GRTRACE_STAT_FILTERED_WATCH,	/* the watchlists */
	GRTRACE_STAT_SAMPLED_OUT,	/* events of jobs that are not in the sample */
	GRTRACE_STAT_RATE_LIMITED,	/* events above max_events_per_sec */
	GRTRACE_STAT_BACKPRESSURE,	/* events above backpressure_threshold */
	GRTRACE_STAT_RESERVE_FAIL,	/* events for which there was no room */
	GRTRACE_STAT_OVERSIZE,		/* events larger than a sub-buffer */
	GRTRACE_STAT_NMI,		/* events in an NMI, where nothing can be written */
	GRTRACE_STAT_DISABLED,		/* hooks called without a session; not offered */
	GRTRACE_STAT_NOTES,		/* notes written */
	GRTRACE_STAT_INFOS,		/* STREAM_INFO and METADATA records written */
	GRTRACE_STAT_LOST_NOTES,	/* notes and infos for which there was no room */
	GRTRACE_STAT_SHORT,		/* notes written with a shortened name */
	GRTRACE_STAT_OVERWRITTEN,	/* events overwritten before they were read */
	GRTRACE_STAT_RINGS_FULL,	/* rings that the table had no room for */
	GRTRACE_STAT_SLOW_QUEUE,	/* events that end a time above slow_queue_us */
	GRTRACE_STAT_SLOW_EXEC,		/* events that end a time above slow_exec_us */
	GRTRACE_STAT_RULES_FORGOTTEN,	/* jobs forgotten because too many were in flight */
	GRTRACE_STAT_BYTES_DROPPED,	/* bytes of records for which there was no room */
	GRTRACE_STAT_COUNTERS,		/* the number of counters; sums of them follow */

	GRTRACE_STAT_WRITTEN = GRTRACE_STAT_COUNTERS, /* events written */
	GRTRACE_STAT_WRITES_OK,		/* records written completely */
	GRTRACE_STAT_BYTES_WRITTEN,
	GRTRACE_STAT_LOST,		/* events that passed but could not be written */
	GRTRACE_STAT_FILTERED,		/* events refused by a filter */
	GRTRACE_STAT_COUNT,
};

/* Counters of the records that one CPU wrote. */
struct grtrace_written {
	/*
	 * events written on the plain path, by width and type. Each of these
	 * events was also offered, but is counted only here. It is the first
	 * member, which saves an addition in the hot path
	 */
	u64 plain[GRTRACE_WIDTHS][GRTRACE_TYPE_LIMIT];
	u64 events[GRTRACE_WIDTHS][GRTRACE_TYPE_LIMIT];	/* other events written */
	u64 notes_by_size[GRTRACE_SIZES];	/* other records written, by size / 8 */
	/* hooks by the time they took (profile=1), in log2 buckets */
	u64 latency[GRTRACE_HIST_BUCKETS];
};

/*
 * The counters since the start of the session, or since reset_stats. All
 * modules share 8 KiB of static memory per CPU, so large data is allocated with
 * the first channel.
 */
DECLARE_PER_CPU(u64 [GRTRACE_STAT_COUNTERS], grtrace_stats);
extern struct grtrace_written __percpu *grtrace_written;

/*
 * Adds to a counter, with interrupts off. An NMI may come in between, which
 * this_cpu_add() allows on all architectures where NMIs may count
 * (ARCH_HAS_NMI_SAFE_THIS_CPU_OPS).
 */
static __always_inline void grtrace_stat_add(enum grtrace_stat stat, u64 n)
{
	this_cpu_add(grtrace_stats[stat], n);
}

static __always_inline void grtrace_stat_inc(enum grtrace_stat stat)
{
	grtrace_stat_add(stat, 1);
}

u64 grtrace_stat_cpu(enum grtrace_stat stat, int cpu);
u64 grtrace_stat_sum(enum grtrace_stat stat);
u64 grtrace_stat_type_sum(unsigned int type);
u64 grtrace_stat_size_sum(unsigned int bucket);
u64 grtrace_stat_latency_sum(unsigned int bucket);
u64 grtrace_stat_bound(unsigned int first, unsigned int bucket);
void grtrace_stat_latency(u64 ns);
const char *grtrace_stat_name(enum grtrace_stat stat);
int grtrace_stats_prepare(void);
void grtrace_stats_reset(void);
void grtrace_stats_exit(void);

/* Upper bound of a histogram's first bucket. */
#define GRTRACE_HIST_LATENCY_FIRST	64	/* ns */
#define GRTRACE_HIST_SIZE_FIRST		16	/* bytes */

#endif /* _GRTRACE_STATS_H_ */
