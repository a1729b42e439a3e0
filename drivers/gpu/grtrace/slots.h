/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small memory of 64-bit words that all CPUs write without a lock. Some bits
 * of a word, its tag, identify an object; the others hold the facts known about
 * that object.
 *
 * Words are stored in sets of four. If a set is full, a new word replaces
 * another, which is then forgotten: every user must tolerate that, and count it
 * where it matters.
 */
#ifndef _GRTRACE_SLOTS_H_
#define _GRTRACE_SLOTS_H_

#include <linux/atomic.h>
#include <linux/types.h>

#define GRTRACE_SLOTS_WAYS	4

/* An odd number whose bits are spread like the bits of the golden ratio. */
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
 * grtrace_slots_find - find the word with a tag
 * @set: set of the tag
 * @mask: the bits of the tag
 * @tag: the tag, not 0
 * @word: set to the value of the word
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
 * grtrace_slots_put - store a word, replacing one with the same tag
 * @set: set of the tag
 * @mask: the bits of the tag
 * @word: the word, with a tag that is not 0
 *
 * Context: Any.
 * Return: false if another word was forgotten to make room.
 */
static inline bool grtrace_slots_put(atomic64_t *set, u64 mask, u64 word)
{
	unsigned int i, victim = (word ^ word >> 32) % GRTRACE_SLOTS_WAYS;
	atomic64_t *place;
	u64 old;

	place = grtrace_slots_find(set, mask, word & mask, &old);
	/* Another word may have replaced the one found meanwhile. */
	if (place && atomic64_cmpxchg_relaxed(place, old, word) == old)
		return true;
	for (i = 0; i < GRTRACE_SLOTS_WAYS; i++)
		if (!atomic64_read(&set[i]) &&
		    !atomic64_cmpxchg_relaxed(&set[i], 0, word))
			return true;
	return !atomic64_xchg_relaxed(&set[victim], word);
}

#endif /* _GRTRACE_SLOTS_H_ */
