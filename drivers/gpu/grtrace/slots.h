/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small memory of 64-bit words that all CPUs write without a lock: some bits
 * of a word say what it is about (its tag), the others what is known of it.
 *
 * Words live in sets of four. A word that finds its set full replaces another,
 * which is then forgotten: every user of this must tolerate that, and counts it
 * where it matters.
 */
#ifndef _GRTRACE_SLOTS_H_
#define _GRTRACE_SLOTS_H_

#include <linux/atomic.h>
#include <linux/types.h>

#define GRTRACE_SLOTS_WAYS	4

/* An odd number whose bits are spread like the golden section's. */
#define GRTRACE_HASH_FACTOR	0x9e3779b97f4a7c15ull

/**
 * grtrace_slots_hash - spread a fence's key over 64 bits
 * @ctx: its context
 * @seqno: its seqno
 *
 * Return: the hash; the upper bits are the better ones.
 */
static __always_inline u64 grtrace_slots_hash(u64 ctx, u64 seqno)
{
	u64 hash = (ctx * GRTRACE_HASH_FACTOR + seqno) * GRTRACE_HASH_FACTOR;

	return (hash ^ hash >> 32) * GRTRACE_HASH_FACTOR;
}

/**
 * grtrace_slots_find - the word with a tag
 * @set: its set
 * @mask: the bits of the tag
 * @tag: the tag, not 0
 * @word: set to the word as it was read
 *
 * Context: Any.
 * Return: its place, or NULL.
 */
static inline atomic64_t *grtrace_slots_find(atomic64_t *set, u64 mask,
					     u64 tag, u64 *word)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_SLOTS_WAYS; i++) {
		*word = atomic64_read(&set[i]);
		if ((*word & mask) == tag)
			return &set[i];
	}
	return NULL;
}

/**
 * grtrace_slots_put - remember a word, in the place of one with its tag
 * @set: its set
 * @mask: the bits of the tag
 * @word: the word, with a tag that is not 0
 *
 * Context: Any.
 * Return: false if another word was forgotten for it.
 */
static inline bool grtrace_slots_put(atomic64_t *set, u64 mask, u64 word)
{
	unsigned int i, victim = (word ^ word >> 32) % GRTRACE_SLOTS_WAYS;
	atomic64_t *place;
	u64 old;

	place = grtrace_slots_find(set, mask, word & mask, &old);
	/* or by now another's */
	if (place && atomic64_cmpxchg_relaxed(place, old, word) == old)
		return true;
	for (i = 0; i < GRTRACE_SLOTS_WAYS; i++)
		if (!atomic64_read(&set[i]) &&
		    !atomic64_cmpxchg_relaxed(&set[i], 0, word))
			return true;
	return !atomic64_xchg_relaxed(&set[victim], word);
}

#endif /* _GRTRACE_SLOTS_H_ */
