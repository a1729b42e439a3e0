/* SPDX-License-Identifier: GPL-2.0 */
/* Watchlists: contexts, rings and processes that are wanted, or not wanted. */
#ifndef _GRTRACE_WATCH_H_
#define _GRTRACE_WATCH_H_

#include <linux/types.h>

#include "slots.h"

#define GRTRACE_WATCH_MAX	64	/* on one list */
#define GRTRACE_OWNERS_BITS	10	/* sets; 4096 contexts */

/* One list. */
struct grtrace_watchlist {
	u32 n;				/* how many numbers are on it */
	u64 number[GRTRACE_WATCH_MAX];
};

/* The lists and their meaning. */
struct grtrace_watch {
	struct grtrace_watchlist ctx;
	struct grtrace_watchlist ring;
	struct grtrace_watchlist pid;	/* threads or processes */
	bool deny;			/* refuse matching events; if false, refuse all others */
	/* every list that is not empty must match; if false, one match is enough */
	bool all;
};

/* The submitter of each context, if it is known. */
struct grtrace_owners {
	/* context, thread and process in one word */
	atomic64_t slots[GRTRACE_SLOTS_WAYS << GRTRACE_OWNERS_BITS];
};

bool grtrace_watch_add(struct grtrace_watchlist *list, u64 number);
bool grtrace_watch_search(const struct grtrace_watchlist *list, u64 number);

void grtrace_owners_learn(struct grtrace_owners *owners, u64 ctx);
bool grtrace_owners_match(struct grtrace_owners *owners,
			  const struct grtrace_watchlist *list, u64 ctx);
bool grtrace_owners_match_current(const struct grtrace_watchlist *list);

/* Returns whether a number is on a list. */
static __always_inline bool
grtrace_watch_has(const struct grtrace_watchlist *list, u64 number)
{
	/* Most lists are empty or have one number. */
	if (list->n < 2)
		return list->n && list->number[0] == number;
	return grtrace_watch_search(list, number);
}

static inline bool grtrace_watch_active(const struct grtrace_watch *watch)
{
	return watch->ctx.n || watch->ring.n || watch->pid.n;
}

/* Decides whether an event passes whose @ctx, @ring or @pid is on its list. */
static inline bool grtrace_watch_decide(const struct grtrace_watch *watch,
					bool ctx, bool ring, bool pid)
{
	bool match;

	if (watch->all)
		match = (ctx || !watch->ctx.n) && (ring || !watch->ring.n) &&
			(pid || !watch->pid.n);
	else
		match = ctx || ring || pid;
	return match != watch->deny;
}

#endif /* _GRTRACE_WATCH_H_ */
