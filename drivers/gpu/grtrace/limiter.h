/* SPDX-License-Identifier: GPL-2.0 */
/* Limits the number of events per second. */
#ifndef _GRTRACE_LIMITER_H_
#define _GRTRACE_LIMITER_H_

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>

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

#endif /* _GRTRACE_LIMITER_H_ */
