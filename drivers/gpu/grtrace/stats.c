// SPDX-License-Identifier: GPL-2.0
/*
 * Counts what happened to every event. A hook adds to its own CPU's counters; a
 * reader adds up the CPUs. While no hook runs the sums are exact; during a
 * session a reader may see an event that is offered and not yet written.
 */
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "stats.h"

DEFINE_PER_CPU(u64 [GRTRACE_STAT_COUNTERS], grtrace_stats);
struct grtrace_written __percpu *grtrace_written;
static DEFINE_MUTEX(stats_lock);	/* guards the allocation of grtrace_written */

/* The counts of a CPU while there is nothing to write to. */
static const struct grtrace_written stats_nothing;

static const char * const stat_names[] = {
	[GRTRACE_STAT_OFFERED]		= "offered",
	[GRTRACE_STAT_FILTERED_LEVEL]	= "filtered_level",
	[GRTRACE_STAT_FILTERED_TYPE]	= "filtered_type",
	[GRTRACE_STAT_FILTERED_ENGINE]	= "filtered_engine",
	[GRTRACE_STAT_FILTERED_RING]	= "filtered_ring",
	[GRTRACE_STAT_FILTERED_DEVICE]	= "filtered_device",
	[GRTRACE_STAT_FILTERED_WATCH]	= "filtered_watch",
	[GRTRACE_STAT_SAMPLED_OUT]	= "sampled_out",
	[GRTRACE_STAT_RATE_LIMITED]	= "rate_limited_drops",
	[GRTRACE_STAT_BACKPRESSURE]	= "backpressure_drops",
	[GRTRACE_STAT_RESERVE_FAIL]	= "writes_reserve_fail",
	[GRTRACE_STAT_OVERSIZE]		= "writes_oversize",
	[GRTRACE_STAT_NMI]		= "writes_nmi",
	[GRTRACE_STAT_DISABLED]		= "writes_disabled",
	[GRTRACE_STAT_NOTES]		= "notes",
	[GRTRACE_STAT_INFOS]		= "infos",
	[GRTRACE_STAT_LOST_NOTES]	= "lost_notes",
	[GRTRACE_STAT_SHORT]		= "writes_short",
	[GRTRACE_STAT_OVERWRITTEN]	= "overwritten",
	[GRTRACE_STAT_RINGS_FULL]	= "rings_full",
	[GRTRACE_STAT_SLOW_QUEUE]	= "slow_queue",
	[GRTRACE_STAT_SLOW_EXEC]	= "slow_exec",
	[GRTRACE_STAT_RULES_FORGOTTEN]	= "rules_forgotten",
	[GRTRACE_STAT_BYTES_DROPPED]	= "bytes_dropped",
	[GRTRACE_STAT_WRITTEN]		= "written",
	[GRTRACE_STAT_WRITES_OK]	= "writes_ok",
	[GRTRACE_STAT_BYTES_WRITTEN]	= "bytes_written",
	[GRTRACE_STAT_LOST]		= "lost",
	[GRTRACE_STAT_FILTERED]		= "filtered",
};

static_assert(ARRAY_SIZE(stat_names) == GRTRACE_STAT_COUNT);

const char *grtrace_stat_name(enum grtrace_stat stat)
{
	return stat_names[stat];
}

static u64 stats_sum(const u64 *from, unsigned int n)
{
	u64 sum = 0;

	while (n--)
		sum += READ_ONCE(from[n]);
	return sum;
}

static const struct grtrace_written *stats_written(int cpu)
{
	struct grtrace_written __percpu *written;

	/* pairs with the release in grtrace_stats_prepare() */
	written = smp_load_acquire(&grtrace_written);
	return written ? per_cpu_ptr(written, cpu) : &stats_nothing;
}

/* Returns the events of one width written on the plain path, and of all widths. */
static u64 stats_of_plain(const struct grtrace_written *written,
			  unsigned int width)
{
	return stats_sum(written->plain[width], GRTRACE_TYPE_LIMIT);
}

static u64 stats_of_width(const struct grtrace_written *written,
			  unsigned int width)
{
	return stats_of_plain(written, width) +
	       stats_sum(written->events[width], GRTRACE_TYPE_LIMIT);
}

/* Returns the size of an event's record of one width. */
static size_t stats_width_size(unsigned int width)
{
	return width == GRTRACE_WIDTH_ERROR ? sizeof(struct grtrace_rec_error) :
	       sizeof(struct grtrace_rec_job) + width * 8;
}

/* Returns the number of written records that are @n * 8 bytes long. */
static u64 stats_of_size(const struct grtrace_written *written, unsigned int n)
{
	u64 sum = READ_ONCE(written->notes_by_size[n]);
	unsigned int i;

	for (i = 0; i < GRTRACE_WIDTHS; i++)
		if (stats_width_size(i) == n * 8)
			sum += stats_of_width(written, i);
	return sum;
}

/* Returns a counter, or a sum of counters, of one CPU. */
u64 grtrace_stat_cpu(enum grtrace_stat stat, int cpu)
{
	const struct grtrace_written *written = stats_written(cpu);
	const u64 *count = per_cpu(grtrace_stats, cpu);
	unsigned int i;
	u64 sum = 0;

	switch (stat) {
	case GRTRACE_STAT_OFFERED:
		sum = READ_ONCE(count[stat]);
		for (i = 0; i < GRTRACE_WIDTHS; i++)
			sum += stats_of_plain(written, i);
		return sum;
	case GRTRACE_STAT_WRITTEN:
		for (i = 0; i < GRTRACE_WIDTHS; i++)
			sum += stats_of_width(written, i);
		return sum;
	case GRTRACE_STAT_WRITES_OK:
		for (i = 0; i < GRTRACE_SIZES; i++)
			sum += stats_of_size(written, i);
		return sum - READ_ONCE(count[GRTRACE_STAT_SHORT]);
	case GRTRACE_STAT_BYTES_WRITTEN:
		for (i = 0; i < GRTRACE_SIZES; i++)
			sum += stats_of_size(written, i) * i * 8;
		return sum;
	case GRTRACE_STAT_LOST:
		return stats_sum(&count[GRTRACE_STAT_RATE_LIMITED],
				 GRTRACE_STAT_NMI -
				 GRTRACE_STAT_RATE_LIMITED + 1);
	case GRTRACE_STAT_FILTERED:
		return stats_sum(&count[GRTRACE_STAT_FILTERED_LEVEL],
				 GRTRACE_STAT_FILTERED_WATCH -
				 GRTRACE_STAT_FILTERED_LEVEL + 1);
	default:
		return READ_ONCE(count[stat]);
	}
}

/* The same on all CPUs. */
u64 grtrace_stat_sum(enum grtrace_stat stat)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += grtrace_stat_cpu(stat, cpu);
	return sum;
}

/* Returns the number of written events of a type, on all CPUs. */
u64 grtrace_stat_type_sum(unsigned int type)
{
	const struct grtrace_written *written;
	unsigned int i;
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		written = stats_written(cpu);
		for (i = 0; i < GRTRACE_WIDTHS; i++)
			sum += READ_ONCE(written->plain[i][type]) +
			       READ_ONCE(written->events[i][type]);
	}
	return sum;
}

/* ---------------------------------------------------------- histograms */

/* Returns the log2 bucket of @n, if the first bucket ends at @first, a power of 2. */
static unsigned int stats_bucket(u64 n, unsigned int first)
{
	if (n < first)
		return 0;
	return min(ilog2(n) - ilog2(first) + 1, GRTRACE_HIST_BUCKETS - 1);
}

/* The end of a histogram's bucket. The last bucket has none, so its beginning is returned. */
u64 grtrace_stat_bound(unsigned int first, unsigned int bucket)
{
	return (u64)first << min(bucket, GRTRACE_HIST_BUCKETS - 2u);
}

/* Counts the time that a hook took. */
void grtrace_stat_latency(u64 ns)
{
	this_cpu_inc(grtrace_written->latency[stats_bucket(ns, GRTRACE_HIST_LATENCY_FIRST)]);
}

u64 grtrace_stat_latency_sum(unsigned int bucket)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(stats_written(cpu)->latency[bucket]);
	return sum;
}

u64 grtrace_stat_size_sum(unsigned int bucket)
{
	unsigned int i;
	u64 sum = 0;
	int cpu;

	for (i = 0; i < GRTRACE_SIZES; i++) {
		if (stats_bucket(i * 8, GRTRACE_HIST_SIZE_FIRST) != bucket)
			continue;
		for_each_possible_cpu(cpu)
			sum += stats_of_size(stats_written(cpu), i);
	}
	return sum;
}

/* ----------------------------------------------------- memory and reset */

/* Allocates the counters of records, unless they exist. Returns 0 or -ENOMEM. */
int grtrace_stats_prepare(void)
{
	struct grtrace_written __percpu *written;

	guard(mutex)(&stats_lock);
	if (grtrace_written)
		return 0;
	written = alloc_percpu(struct grtrace_written);
	if (!written)
		return -ENOMEM;
	/* A view may read it at any time. */
	smp_store_release(&grtrace_written, written);
	return 0;
}

/* Called when there is no channel and no view. */
void grtrace_stats_exit(void)
{
	free_percpu(grtrace_written);
	grtrace_written = NULL;
}

static void stats_reset_of(int cpu)
{
	memset(per_cpu(grtrace_stats, cpu), 0, sizeof(grtrace_stats));
	if (grtrace_written)
		memset(per_cpu_ptr(grtrace_written, cpu), 0,
		       sizeof(*grtrace_written));
}

static void stats_reset_cpu(void *unused)
{
	stats_reset_of(smp_processor_id());
}

/**
 * grtrace_stats_reset - set all counters to 0
 *
 * Each CPU clears its own counters between two events, so the sums stay exact
 * while a session runs.
 *
 * Context: Process, sleeps.
 */
void grtrace_stats_reset(void)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu(stats_reset_cpu, NULL, 1);
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			stats_reset_of(cpu);
}

/* The module's description is here, in the lowest file and the first of the series. */
MODULE_DESCRIPTION("GPU job tracer");
MODULE_LICENSE("GPL");
