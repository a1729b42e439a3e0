/* SPDX-License-Identifier: GPL-2.0 */
/* The optional stages of the hot path, and the data of three: watchlists, rules and limit. */
#ifndef _GRTRACE_STAGES_H_
#define _GRTRACE_STAGES_H_

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/types.h>

#include "slots.h"

/* Bits of the stages that a session uses; hook.c has their order. */
#define GRTRACE_STAGE_WATCH	BIT(0)	/* watchlists */
#define GRTRACE_STAGE_SAMPLE	BIT(1)
#define GRTRACE_STAGE_RULES	BIT(2)
#define GRTRACE_STAGE_TRIGGER	BIT(3)	/* snapshots by rules and errors */
#define GRTRACE_STAGE_PRESSURE	BIT(4)	/* backpressure */
#define GRTRACE_STAGE_LIMIT	BIT(5)	/* events per second */
#define GRTRACE_STAGE_PROFILE	BIT(6)
#define GRTRACE_STAGE_CLOCK	BIT(7)	/* another clock than the monotonic one */
#define GRTRACE_STAGE_OFF	BIT(8)	/* no session runs */
#define GRTRACE_STAGE_ONE_END	BIT(9)	/* no FENCE for the moment of an END */

/* ----------- watch.c: contexts, rings and processes that are wanted, or not wanted */

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

/* --------- rules.c: finds jobs that were too long in the queue or on the hardware */

#define GRTRACE_RULES_BITS	12	/* sets; 16384 jobs in flight */
#define GRTRACE_RULE_MAX_US	3600000000u

/* Thresholds. */
struct grtrace_rules {
	u32 queue_us;	/* longest time from SUBMIT to PICK, COMMIT or START; 0: no limit */
	u32 exec_us;	/* longest time from the last of these to END or COMPLETE; 0: no limit */
};

/* The jobs in flight and their states. */
struct grtrace_jobs {
	/* the key's hash, the state and the time in one word */
	atomic64_t slots[GRTRACE_SLOTS_WAYS << GRTRACE_RULES_BITS];
};

u16 grtrace_rules_judge(struct grtrace_jobs *jobs,
			const struct grtrace_rules *rules, unsigned int type,
			u64 ctx, u64 seqno, u64 ts);

/* ------------------------------- limiter.c: limits the number of events per second */

#define GRTRACE_RATE_MAX	100000000	/* events per second */

/* An active limit. */
struct grtrace_limiter {
	u64 begin;				/* the limit measures time from this ts on */
	u64 per_ns;				/* tokens per ns, times 2^64 */
	bool window;				/* count in windows of a second instead of tokens */
	u32 max;				/* events per window */
	u64 burst;				/* tokens the bucket holds */
	/*
	 * tokens spent since @begin; or the window and, in the lower half, its
	 * events. All CPUs share it without a lock.
	 */
	atomic64_t state ____cacheline_aligned_in_smp;
};

void grtrace_limiter_init(struct grtrace_limiter *limiter, u32 max, u32 burst,
			  bool window, u64 ts);
bool grtrace_limiter_pass(struct grtrace_limiter *limiter, u64 ts);
u64 grtrace_limiter_left(const struct grtrace_limiter *limiter, u64 ts);

#endif /* _GRTRACE_STAGES_H_ */
