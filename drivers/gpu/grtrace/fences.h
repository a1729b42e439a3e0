/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fences that recorded jobs named. A FENCE event does not contain the job whose
 * fence was signalled. If only some jobs are recorded, this is used to find out
 * which fences belong to them.
 *
 * A fence may be signalled before its job names it, because some hardware is
 * done before the driver's run_job() has returned. So fences that no job has
 * named yet are kept for a short time. The signaller and the job each write their
 * own word first and then look for the other's. Whichever finds the match removes
 * the word that the job wrote, so exactly one of them acts on it.
 *
 * With level=normal hardware fences are remembered for the opposite reason: their
 * FENCE events are left out, because the END of the job reports the same moment.
 */
#ifndef _GRTRACE_FENCES_H_
#define _GRTRACE_FENCES_H_

#include <linux/bits.h>
#include <linux/types.h>

#include "slots.h"

#define GRTRACE_FENCES_BITS	12	/* sets; 16384 fences */
#define GRTRACE_FENCES_COUNT	(GRTRACE_SLOTS_WAYS << GRTRACE_FENCES_BITS)
#define GRTRACE_EARLY_BITS	8	/* sets; 1024 fences */
#define GRTRACE_EARLY_COUNT	(GRTRACE_SLOTS_WAYS << GRTRACE_EARLY_BITS)

/* The fences, as hashes of their keys. */
struct grtrace_fences {
	atomic64_t slots[GRTRACE_FENCES_COUNT];	/* sets of hashes; the whole hash is the tag */
	/* fences that were signalled before they were named, stored in the same way */
	atomic64_t early[GRTRACE_EARLY_COUNT];
};

static inline atomic64_t *grtrace_fences_set(struct grtrace_fences *fences,
					     u64 hash)
{
	return &fences->slots[(hash >> (64 - GRTRACE_FENCES_BITS)) *
			      GRTRACE_SLOTS_WAYS];
}

static inline atomic64_t *grtrace_fences_early(struct grtrace_fences *fences,
					       u64 hash)
{
	return &fences->early[(hash >> (64 - GRTRACE_EARLY_BITS)) *
			      GRTRACE_SLOTS_WAYS];
}

/* If the hash is there, removes it and returns true. */
static inline bool grtrace_fences_take(atomic64_t *set, u64 hash)
{
	atomic64_t *place;
	u64 word;

	place = grtrace_slots_find(set, U64_MAX, hash, &word);
	return place && atomic64_cmpxchg_relaxed(place, hash, 0) == hash;
}

/* Remembers a fence that a recorded job named. Returns whether it was already signalled. */
static inline bool grtrace_fences_name(struct grtrace_fences *fences, u64 ctx,
				       u64 seqno)
{
	u64 hash = grtrace_slots_hash(ctx, seqno) | 1;
	atomic64_t *set = grtrace_fences_set(fences, hash);

	grtrace_slots_put(set, U64_MAX, hash);
	smp_mb();	/* pairs with that in grtrace_fences_signal() */
	return grtrace_fences_take(grtrace_fences_early(fences, hash), hash) &&
	       grtrace_fences_take(set, hash);
}

/*
 * Forgets a signalled fence. Returns whether to record it: if it was named, or if @all
 * fences are recorded.
 */
static inline bool grtrace_fences_signal(struct grtrace_fences *fences, u64 ctx,
					 u64 seqno, bool all)
{
	u64 hash = grtrace_slots_hash(ctx, seqno) | 1;
	atomic64_t *set = grtrace_fences_set(fences, hash);

	if (grtrace_fences_take(set, hash) || all)
		return true;
	grtrace_slots_put(grtrace_fences_early(fences, hash), U64_MAX, hash);
	smp_mb();	/* pairs with that in grtrace_fences_name() */
	return grtrace_fences_take(set, hash);
}

/* The word of a fence that END reports: no fence that a recorded job named has it. */
static inline u64 grtrace_fences_end_hash(u64 ctx, u64 seqno)
{
	return (grtrace_slots_hash(ctx, seqno) | 1) ^ 2;
}

/* Remembers a fence whose moment an END will report. */
static inline void grtrace_fences_end(struct grtrace_fences *fences, u64 ctx, u64 seqno)
{
	u64 hash = grtrace_fences_end_hash(ctx, seqno);

	grtrace_slots_put(grtrace_fences_set(fences, hash), U64_MAX, hash);
}

/* Forgets a signalled fence. Returns whether an END will report its moment. */
static inline bool grtrace_fences_has_end(struct grtrace_fences *fences, u64 ctx, u64 seqno)
{
	u64 hash = grtrace_fences_end_hash(ctx, seqno);

	return grtrace_fences_take(grtrace_fences_set(fences, hash), hash);
}

#endif /* _GRTRACE_FENCES_H_ */
