/* SPDX-License-Identifier: GPL-2.0 */
/* Limits the number of events per second. */
#ifndef _GRTRACE_LIMITER_H_
#define _GRTRACE_LIMITER_H_

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>

#define GRTRACE_RATE_MAX	100000000	/* events per second */

/**
 * struct grtrace_limiter - an active limit
 *
 * @begin: the limit measures time from this ts on
 * @per_ns: tokens per ns, times 2^64
 * @window: count in windows of a second instead of tokens
 * @max: events per window
 * @burst: tokens the bucket holds
 * @state: tokens spent since @begin; or the window and, in the lower half, its
 *	events. All CPUs share it without a lock.
 */
struct grtrace_limiter {
	u64 begin;
	u64 per_ns;
	bool window;
	u32 max;
	u64 burst;
	atomic64_t state ____cacheline_aligned_in_smp;
};

void grtrace_limiter_init(struct grtrace_limiter *limiter, u32 max, u32 burst,
			  bool window, u64 ts);
bool grtrace_limiter_pass(struct grtrace_limiter *limiter, u64 ts);
u64 grtrace_limiter_left(const struct grtrace_limiter *limiter, u64 ts);

#endif /* _GRTRACE_LIMITER_H_ */
