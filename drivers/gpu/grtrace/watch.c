// SPDX-License-Identifier: GPL-2.0
/*
 * Watchlists. A job belongs to the process that submitted it, even if the
 * scheduler's worker or an interrupt reports on it. So the owner of a context
 * is learned from its SUBMITs.
 */
#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/threads.h>

#include "stages.h"

/*
 * A word contains the owner's pid and tgid. Its tag is the context's lower 30
 * bits without the bits that select the set. Contexts are numbered from 1: two
 * that differ only in higher bits do not exist at the same time.
 */
#define OWNER_PID_BITS	22
#define OWNER_PID_MASK	GENMASK_ULL(OWNER_PID_BITS - 1, 0)
#define OWNER_TAG_SHIFT	(2 * OWNER_PID_BITS)
#define OWNER_TAG_MASK	GENMASK_ULL(63, OWNER_TAG_SHIFT)

static_assert(PID_MAX_LIMIT <= 1 << OWNER_PID_BITS);

/**
 * grtrace_watch_add - add a number to a list
 * @list: the list
 * @number: the number; it may already be on the list
 *
 * Return: false if the list is full.
 */
bool grtrace_watch_add(struct grtrace_watchlist *list, u64 number)
{
	u32 at = list->n;

	if (grtrace_watch_has(list, number))
		return true;
	if (list->n == GRTRACE_WATCH_MAX)
		return false;
	/* The list is sorted, for a quick search. */
	for (; at && list->number[at - 1] > number; at--)
		list->number[at] = list->number[at - 1];
	list->number[at] = number;
	list->n++;
	return true;
}

/* The slow half of grtrace_watch_has(). */
bool grtrace_watch_search(const struct grtrace_watchlist *list, u64 number)
{
	u32 low = 0, high = list->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (list->number[middle] == number)
			return true;
		if (list->number[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static atomic64_t *owners_set(struct grtrace_owners *owners, u64 ctx)
{
	return &owners->slots[ctx % BIT(GRTRACE_OWNERS_BITS) *
			      GRTRACE_SLOTS_WAYS];
}

/* A word is never 0: the pid distinguishes a used word from an empty one. */
static u64 owners_tag(u64 ctx)
{
	return (ctx >> GRTRACE_OWNERS_BITS) << OWNER_TAG_SHIFT;
}

/* The current task submits in a context. */
void grtrace_owners_learn(struct grtrace_owners *owners, u64 ctx)
{
	u64 word = owners_tag(ctx) | (u64)current->tgid << OWNER_PID_BITS |
		   (u64)current->pid;
	atomic64_t *set = owners_set(owners, ctx);
	u64 old;

	/* Usually the owner is known, and the cache line stays shared. */
	if (grtrace_slots_find(set, U64_MAX, word, &old))
		return;
	grtrace_slots_put(set, OWNER_TAG_MASK, word);
}

/**
 * grtrace_owners_match - is the owner of a context on a list?
 * @owners: the known owners
 * @list: the list of threads and processes
 * @ctx: the context
 *
 * Context: Any.
 * Return: true if its thread or its process is on the list; false if not, or if
 * no SUBMIT in this context was seen yet.
 */
bool grtrace_owners_match(struct grtrace_owners *owners,
			  const struct grtrace_watchlist *list, u64 ctx)
{
	atomic64_t *set = owners_set(owners, ctx);
	unsigned int i;
	u64 word;

	for (i = 0; i < GRTRACE_SLOTS_WAYS; i++) {
		word = atomic64_read(&set[i]);
		if (word && (word & OWNER_TAG_MASK) == owners_tag(ctx))
			return grtrace_watch_has(list, word & OWNER_PID_MASK) ||
			       grtrace_watch_has(list, word >> OWNER_PID_BITS &
						       OWNER_PID_MASK);
	}
	return false;
}

bool grtrace_owners_match_current(const struct grtrace_watchlist *list)
{
	return grtrace_watch_has(list, current->pid) ||
	       grtrace_watch_has(list, current->tgid);
}
