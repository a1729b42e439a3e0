// SPDX-License-Identifier: GPL-2.0
/*
 * What became of every event. A hook adds to its own CPU's counters; a reader
 * adds the CPUs up. At rest the sums are exact; while a session runs a reader
 * may see an event offered and not yet written.
 */
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/string.h>

#include "stats.h"

DEFINE_PER_CPU(struct grtrace_stats, grtrace_stats);

static const char * const stat_names[] = {
	[GRTRACE_STAT_OFFERED]		= "offered",
	[GRTRACE_STAT_WRITTEN]		= "written",
	[GRTRACE_STAT_FILTERED_TYPE]	= "filtered_type",
	[GRTRACE_STAT_FILTERED_ENGINE]	= "filtered_engine",
	[GRTRACE_STAT_FILTERED_RING]	= "filtered_ring",
	[GRTRACE_STAT_FILTERED_DEVICE]	= "filtered_device",
	[GRTRACE_STAT_RESERVE_FAIL]	= "writes_reserve_fail",
	[GRTRACE_STAT_NMI]		= "writes_nmi",
	[GRTRACE_STAT_NOTES]		= "notes",
	[GRTRACE_STAT_LOST_NOTES]	= "lost_notes",
	[GRTRACE_STAT_OVERWRITTEN]	= "overwritten",
	[GRTRACE_STAT_RINGS_FULL]	= "rings_full",
	[GRTRACE_STAT_BYTES_WRITTEN]	= "bytes_written",
	[GRTRACE_STAT_BYTES_DROPPED]	= "bytes_dropped",
};

static_assert(ARRAY_SIZE(stat_names) == GRTRACE_STAT_COUNT);

/**
 * grtrace_stat_name - the name of a counter in debugfs
 * @stat: the counter
 */
const char *grtrace_stat_name(enum grtrace_stat stat)
{
	return stat_names[stat];
}

/**
 * grtrace_stat_sum - a counter over all CPUs
 * @stat: the counter
 */
u64 grtrace_stat_sum(enum grtrace_stat stat)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(grtrace_stats, cpu).count[stat]);
	return sum;
}

/**
 * grtrace_stat_type_sum - events of one type written, over all CPUs
 * @type: the type, below %GRTRACE_TYPE_LIMIT
 */
u64 grtrace_stat_type_sum(unsigned int type)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(grtrace_stats, cpu).by_type[type]);
	return sum;
}

/**
 * grtrace_stats_reset - all counters to 0
 *
 * Context: Process, with no session running: nothing else may write them.
 */
void grtrace_stats_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&grtrace_stats, cpu), 0,
		       sizeof(struct grtrace_stats));
}
