/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fences that recorded jobs named. A FENCE event says that a fence was
 * signalled, not whose it is. While only some jobs are recorded, this says
 * which fences are theirs.
 */
#ifndef _GRTRACE_FENCES_H_
#define _GRTRACE_FENCES_H_

#include <linux/bits.h>
#include <linux/types.h>

#include "slots.h"

#define GRTRACE_FENCES_BITS	12	/* sets; 16384 fences */
#define GRTRACE_FENCES_COUNT	(GRTRACE_SLOTS_WAYS << GRTRACE_FENCES_BITS)

/**
 * struct grtrace_fences - the fences, as hashes of their keys
 *
 * @slots: sets of hashes; all of a hash is its tag
 */
struct grtrace_fences {
	atomic64_t slots[GRTRACE_FENCES_COUNT];
};

static inline atomic64_t *grtrace_fences_set(struct grtrace_fences *fences,
					     u64 hash)
{
	return &fences->slots[(hash >> (64 - GRTRACE_FENCES_BITS)) *
			      GRTRACE_SLOTS_WAYS];
}

/**
 * grtrace_fences_name - a recorded job named a fence
 * @fences: the memory
 * @ctx: context of the fence
 * @seqno: its seqno
 *
 * Context: Any.
 */
static inline void grtrace_fences_name(struct grtrace_fences *fences, u64 ctx,
				       u64 seqno)
{
	u64 hash = grtrace_slots_hash(ctx, seqno) | 1;

	grtrace_slots_put(grtrace_fences_set(fences, hash), U64_MAX, hash);
}

/**
 * grtrace_fences_take - was it named? Then forget it
 * @fences: the memory
 * @ctx: context of a fence that was signalled
 * @seqno: its seqno
 *
 * Context: Any.
 */
static inline bool grtrace_fences_take(struct grtrace_fences *fences, u64 ctx,
				       u64 seqno)
{
	u64 hash = grtrace_slots_hash(ctx, seqno) | 1;
	atomic64_t *place;
	u64 word;

	place = grtrace_slots_find(grtrace_fences_set(fences, hash), U64_MAX,
				   hash, &word);
	return place && atomic64_cmpxchg_relaxed(place, hash, 0) == hash;
}

#endif /* _GRTRACE_FENCES_H_ */
