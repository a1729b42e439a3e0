/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which events pass. It has no state: the input is a snapshot of the
 * configuration and an event's arguments, the output is the reason to refuse
 * it. The hot path reads one snapshot under RCU, so a change takes effect as a
 * whole.
 */
#ifndef _GRTRACE_FILTER_H_
#define _GRTRACE_FILTER_H_

#include <linux/bits.h>
#include <linux/grtrace.h>
#include <linux/string.h>

#include "stats.h"

/* These events belong to no ring. */
#define GRTRACE_RINGLESS (BIT_ULL(GRTRACE_SYNC_WAIT_ENTER) | \
			  BIT_ULL(GRTRACE_SYNC_WAIT_EXIT) | \
			  BIT_ULL(GRTRACE_FENCE))

/*
 * With level=normal, errors pass, the events of a job's life cycle, and those of a queue,
 * which are rare.
 */
#define GRTRACE_LEVEL_NORMAL (BIT_ULL(GRTRACE_SUBMIT) | \
			      BIT_ULL(GRTRACE_PICK) | \
			      BIT_ULL(GRTRACE_COMMIT) | \
			      BIT_ULL(GRTRACE_START) | \
			      BIT_ULL(GRTRACE_END) | \
			      BIT_ULL(GRTRACE_COMPLETE) | \
			      BIT_ULL(GRTRACE_FENCE) | \
			      BIT_ULL(GRTRACE_QUEUE) | \
			      BIT_ULL(GRTRACE_ERROR))

#define GRTRACE_DEVICES_MAX	64

/*
 * The filter keys of the configuration. Fences and waits have no ring, so only
 * the types apply to them: they may concern any ring. A job whose ring is not
 * known matches no ring filter.
 */
struct grtrace_filter {
	/* @level_mask and @type_mask combined by grtrace_filter_prepare() */
	u64 pass_mask;
	/* whether any field below is in use, set by grtrace_filter_prepare() */
	bool by_ring;
	u64 engine_mask;	/* bit n lets rings of engine class n pass */
	/* bit n lets ring n pass; rings from 64 on pass if all bits are set */
	u64 ring_mask;
	u32 ring_id;		/* the only ring that passes; %GRTRACE_RING_NONE for all */
	u32 n_devices;		/* names in @devices; 0: all devices pass */
	u64 level_mask;		/* bit n: the level includes events of type n */
	u64 type_mask;		/* bit n lets events of type n pass */
	/* the devices that pass, by their names, padded with NULs */
	char devices[GRTRACE_DEVICES_MAX][GRTRACE_DEVICE_LEN];
};

/* Computes the fields that depend on the keys. */
static inline void grtrace_filter_prepare(struct grtrace_filter *filter)
{
	filter->pass_mask = filter->level_mask & filter->type_mask;
	filter->by_ring = filter->ring_id || filter->engine_mask != U64_MAX ||
			  filter->ring_mask != U64_MAX || filter->n_devices;
}

/* Returns whether bit @n is set or, beyond the mask, whether all bits are set. */
static __always_inline bool grtrace_mask_has(u64 mask, u32 n)
{
	return n < 64 ? mask & BIT_ULL(n) : mask == U64_MAX;
}

static inline bool grtrace_filter_device(const struct grtrace_filter *filter,
					 const struct grtrace_ring *ring)
{
	u32 i;

	for (i = 0; ring && i < filter->n_devices; i++)
		if (!memcmp(filter->devices[i], ring->device, GRTRACE_DEVICE_LEN))
			return true;
	return !filter->n_devices;
}

static __always_inline enum grtrace_stat
grtrace_filter_ring(const struct grtrace_filter *filter,
		    const struct grtrace_ring *ring)
{
	u32 engine_class = ring ? READ_ONCE(ring->engine_class) :
				  GRTRACE_CLASS_UNKNOWN;
	u32 id = ring ? ring->id : GRTRACE_RING_NONE;

	if (!(filter->engine_mask & BIT_ULL(engine_class % 64)))
		return GRTRACE_STAT_FILTERED_ENGINE;
	if ((filter->ring_id && filter->ring_id != id) ||
	    !grtrace_mask_has(filter->ring_mask, ring ? id : U32_MAX))
		return GRTRACE_STAT_FILTERED_RING;
	if (!grtrace_filter_device(filter, ring))
		return GRTRACE_STAT_FILTERED_DEVICE;
	return GRTRACE_STAT_WRITTEN;
}

/**
 * grtrace_filter - decide whether an event passes
 * @filter: the filter, prepared
 * @type: the event, below %GRTRACE_TYPE_LIMIT
 * @ring: its ring, or NULL
 *
 * Context: Any.
 * Return: %GRTRACE_STAT_WRITTEN if it passes, else the counter of the reason to
 * refuse it.
 */
static __always_inline enum grtrace_stat
grtrace_filter(const struct grtrace_filter *filter, unsigned int type,
	       const struct grtrace_ring *ring)
{
	if (unlikely(!(filter->pass_mask & BIT_ULL(type))))
		return filter->level_mask & BIT_ULL(type) ?
		       GRTRACE_STAT_FILTERED_TYPE : GRTRACE_STAT_FILTERED_LEVEL;
	if (likely(!filter->by_ring) ||
	    (!ring && BIT_ULL(type) & GRTRACE_RINGLESS))
		return GRTRACE_STAT_WRITTEN;
	return grtrace_filter_ring(filter, ring);
}

#endif /* _GRTRACE_FILTER_H_ */
