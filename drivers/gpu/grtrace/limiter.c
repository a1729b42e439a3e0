// SPDX-License-Identifier: GPL-2.0
/*
 * The rate limiter: a token bucket, or windows of one second.
 *
 * The bucket stores no level that would have to be refilled, so rounding cannot
 * accumulate. It computes from the time alone how many tokens there have been
 * since the limit began, and stores only how many of them are spent. Unspent
 * tokens that would not fit into the bucket count as spent. A token takes 10^9
 * / max ns. Tokens per ns are a binary fraction of 64 digits, so the count is
 * wrong by less than one token after 500 years.
 *
 * The state is a single word, changed by cmpxchg. A CPU that loses the race
 * tries again with the new value, so one CPU always succeeds.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "stages.h"

/* Returns n / 10^9 as a binary fraction of 64 digits, rounded up so that no token is late. */
static u64 limiter_per_ns(u32 n)
{
	u32 rest;
	u64 high = div_u64_rem((u64)n << 32, NSEC_PER_SEC, &rest);

	return (high << 32 | div_u64((u64)rest << 32, NSEC_PER_SEC)) + 1;
}

/**
 * grtrace_limiter_init - prepare a limit that begins now
 * @limiter: limit to initialize
 * @max: events per second, 1 to %GRTRACE_RATE_MAX
 * @burst: tokens that the bucket holds, and begins with; ignored for windows
 * @window: use windows of a second; false: use a bucket
 * @ts: current time
 */
void grtrace_limiter_init(struct grtrace_limiter *limiter, u32 max, u32 burst,
			  bool window, u64 ts)
{
	limiter->begin = ts;
	limiter->per_ns = limiter_per_ns(window ? 1 : max);
	limiter->window = window;
	limiter->max = max;
	limiter->burst = burst;
	atomic64_set(&limiter->state, 0);
}

static bool limiter_window_pass(struct grtrace_limiter *limiter, u64 seconds)
{
	u64 state = atomic64_read(&limiter->state);
	u64 next;

	do {
		/* A CPU whose clock reads less must not set the window back. */
		next = state >> 32 < seconds ? seconds << 32 : state;
		if ((u32)next >= limiter->max)
			return false;
	} while (!atomic64_try_cmpxchg_relaxed(&limiter->state, (s64 *)&state,
					       next + 1));
	return true;
}

static bool limiter_bucket_pass(struct grtrace_limiter *limiter, u64 minted)
{
	u64 spent = atomic64_read(&limiter->state);
	u64 next;

	do {
		/* The bucket counts as full at the beginning. */
		next = max(spent, minted) + 1;
		if (next > minted + limiter->burst)
			return false;
	} while (!atomic64_try_cmpxchg_relaxed(&limiter->state, (s64 *)&spent,
					       next));
	return true;
}

/* Returns how many seconds, or tokens, there have been since the beginning. */
static u64 limiter_count(const struct grtrace_limiter *limiter, u64 ts)
{
	u64 elapsed = ts > limiter->begin ? ts - limiter->begin : 0;

	return mul_u64_u64_shr(elapsed, limiter->per_ns, 64);
}

/* Returns whether an event may be written now. */
bool grtrace_limiter_pass(struct grtrace_limiter *limiter, u64 ts)
{
	u64 n = limiter_count(limiter, ts);

	return limiter->window ? limiter_window_pass(limiter, n) :
				 limiter_bucket_pass(limiter, n);
}

/* Returns how many events could pass now. */
u64 grtrace_limiter_left(const struct grtrace_limiter *limiter, u64 ts)
{
	u64 n = limiter_count(limiter, ts);
	u64 state = atomic64_read(&limiter->state);

	if (limiter->window)
		return state >> 32 < n ? limiter->max : limiter->max - (u32)state;
	/* A CPU that read the clock later may have spent more. */
	n += limiter->burst;
	return n - min(n, max(state, n - limiter->burst));
}
