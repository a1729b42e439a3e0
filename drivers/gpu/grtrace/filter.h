/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events pass. Pure: a snapshot of the configuration and an event's
 * arguments in, the reason to refuse it out. The hot path reads one snapshot
 * under RCU, so a change applies as a whole.
 */
#ifndef _GRTRACE_FILTER_H_
#define _GRTRACE_FILTER_H_

#include <linux/bits.h>
#include <linux/grtrace.h>

#include "stats.h"

/* Events that belong to no ring. */
#define GRTRACE_RINGLESS (BIT_ULL(GRTRACE_SYNC_WAIT_ENTER) | \
			  BIT_ULL(GRTRACE_SYNC_WAIT_EXIT) | \
			  BIT_ULL(GRTRACE_FENCE))

/**
 * struct grtrace_filter - the filter keys of the configuration
 *
 * Fences and waits have no ring and are subject to @type_mask alone: they may
 * concern any. A job whose ring is not known is on none that could be asked for.
 *
 * @type_mask: bit n lets events of type n pass
 * @engine_mask: bit n lets rings of engine class n pass
 * @ring_id: the only ring that passes; %GRTRACE_RING_NONE for all
 * @device_id: the only device that passes; 0 for all
 */
struct grtrace_filter {
	u64 type_mask;
	u64 engine_mask;
	u32 ring_id;
	u32 device_id;
};

/**
 * grtrace_filter_pass - does an event pass?
 * @filter: the filter
 * @type: the event, below %GRTRACE_TYPE_LIMIT
 * @ring: its ring, or NULL
 * @reason: where to count it, set when it does not pass
 *
 * Context: Any.
 * Return: true if it passes.
 */
static __always_inline bool
grtrace_filter_pass(const struct grtrace_filter *filter, unsigned int type,
		    const struct grtrace_ring *ring, enum grtrace_stat *reason)
{
	if (!(filter->type_mask & BIT_ULL(type))) {
		*reason = GRTRACE_STAT_FILTERED_TYPE;
		return false;
	}
	if (!ring) {
		if (BIT_ULL(type) & GRTRACE_RINGLESS)
			return true;
		if (filter->ring_id) {
			*reason = GRTRACE_STAT_FILTERED_RING;
			return false;
		}
		if (filter->device_id) {
			*reason = GRTRACE_STAT_FILTERED_DEVICE;
			return false;
		}
		*reason = GRTRACE_STAT_FILTERED_ENGINE;
		return filter->engine_mask & BIT_ULL(GRTRACE_CLASS_UNKNOWN);
	}
	if (!(filter->engine_mask & BIT_ULL(ring->engine_class))) {
		*reason = GRTRACE_STAT_FILTERED_ENGINE;
		return false;
	}
	if (filter->ring_id && filter->ring_id != ring->id) {
		*reason = GRTRACE_STAT_FILTERED_RING;
		return false;
	}
	if (filter->device_id && filter->device_id != ring->device_id) {
		*reason = GRTRACE_STAT_FILTERED_DEVICE;
		return false;
	}
	return true;
}

#endif /* _GRTRACE_FILTER_H_ */
