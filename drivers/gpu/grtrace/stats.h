/* SPDX-License-Identifier: GPL-2.0 */
/* What became of every event: one per-CPU counter for each reason. */
#ifndef _GRTRACE_STATS_H_
#define _GRTRACE_STATS_H_

#include <linux/percpu.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

/**
 * enum grtrace_stat - where an event or a note can go
 *
 * offered = written + filtered_* + writes_reserve_fail + writes_nmi, always.
 *
 * @GRTRACE_STAT_OFFERED: events that reached a hook while a session ran
 * @GRTRACE_STAT_WRITTEN: events written to the channel
 * @GRTRACE_STAT_FILTERED_TYPE: events refused by filter_type_mask
 * @GRTRACE_STAT_FILTERED_ENGINE: by filter_engine_mask
 * @GRTRACE_STAT_FILTERED_RING: by filter_ring_id
 * @GRTRACE_STAT_FILTERED_DEVICE: by filter_device
 * @GRTRACE_STAT_RESERVE_FAIL: events that found no room
 * @GRTRACE_STAT_NMI: events that came in an NMI, where nothing can be written
 * @GRTRACE_STAT_NOTES: notes written
 * @GRTRACE_STAT_LOST_NOTES: notes that found no room
 * @GRTRACE_STAT_OVERWRITTEN: events written, then overwritten unread
 * @GRTRACE_STAT_RINGS_FULL: events of rings the table had no room for; they
 *	are written, without a ring
 * @GRTRACE_STAT_BYTES_WRITTEN: bytes of the records written
 * @GRTRACE_STAT_BYTES_DROPPED: bytes of the records that found no room
 * @GRTRACE_STAT_COUNT: number of counters
 */
enum grtrace_stat {
	GRTRACE_STAT_OFFERED,
	GRTRACE_STAT_WRITTEN,
	GRTRACE_STAT_FILTERED_TYPE,
	GRTRACE_STAT_FILTERED_ENGINE,
	GRTRACE_STAT_FILTERED_RING,
	GRTRACE_STAT_FILTERED_DEVICE,
	GRTRACE_STAT_RESERVE_FAIL,
	GRTRACE_STAT_NMI,
	GRTRACE_STAT_NOTES,
	GRTRACE_STAT_LOST_NOTES,
	GRTRACE_STAT_OVERWRITTEN,
	GRTRACE_STAT_RINGS_FULL,
	GRTRACE_STAT_BYTES_WRITTEN,
	GRTRACE_STAT_BYTES_DROPPED,
	GRTRACE_STAT_COUNT,
};

/**
 * struct grtrace_stats - one CPU's counters, since the start of the session
 *
 * @count: by reason
 * @by_type: events written, by type
 */
struct grtrace_stats {
	u64 count[GRTRACE_STAT_COUNT];
	u64 by_type[GRTRACE_TYPE_LIMIT];
};

DECLARE_PER_CPU(struct grtrace_stats, grtrace_stats);

static __always_inline void grtrace_stat_add(enum grtrace_stat stat, u64 n)
{
	this_cpu_add(grtrace_stats.count[stat], n);
}

static __always_inline void grtrace_stat_inc(enum grtrace_stat stat)
{
	grtrace_stat_add(stat, 1);
}

u64 grtrace_stat_sum(enum grtrace_stat stat);
u64 grtrace_stat_type_sum(unsigned int type);
const char *grtrace_stat_name(enum grtrace_stat stat);
void grtrace_stats_reset(void);

#endif /* _GRTRACE_STATS_H_ */
