/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling decides which jobs are in the sample. The decision depends only on a job's key, so
 * all its events get the same result on all CPUs without shared data. A job that is in
 * a sample of one in N is also in the sample for every smaller N: when N falls, no
 * job is cut.
 *
 * Adaptive sampling records fewer jobs while the channel fills up, and more jobs when
 * it empties again. The only state that it reads is the fill of the channel.
 */
#ifndef _GRTRACE_SAMPLING_H_
#define _GRTRACE_SAMPLING_H_

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

#include "channel.h"
#include "slots.h"

#define GRTRACE_SAMPLE_MAX	1000000
#define GRTRACE_PRESSURE_MS	100	/* between two checks of the fill */

/* These events are recorded regardless of N. */
#define GRTRACE_UNSAMPLED (BIT_ULL(GRTRACE_ERROR) | BIT_ULL(GRTRACE_IRQ) | \
			   BIT_ULL(GRTRACE_CTX_SWITCH) | BIT_ULL(GRTRACE_QUEUE))

/* Returns the value that grtrace_sampling_pass() compares with; N is at least 1. */
static inline u64 grtrace_sampling_limit(u32 sample)
{
	return div_u64(U64_MAX, sample);
}

/* Returns whether a job is in the sample. */
static __always_inline bool grtrace_sampling_pass(u64 limit, u64 ctx,
						  u64 seqno)
{
	return grtrace_slots_hash(ctx, seqno) <= limit;
}

/**
 * grtrace_pressure_look - check the fill of the channel
 * @permille: fill of the fullest CPU's buffer, smoothed over the checks
 * @channel: the channel
 *
 * Context: Process.
 */
static inline void grtrace_pressure_look(u32 *permille,
					 struct grtrace_channel *channel)
{
	u64 size = (u64)channel->subbuf_size * channel->n_subbufs, fill = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		fill = max(fill, grtrace_channel_fill(per_cpu_ptr(channel->cpu,
								  cpu)));
	/* The mean moves by half of the difference, which bridges a reader's longest pause. */
	*permille = (*permille + (u32)div64_u64(fill * 1000, size)) / 2;
}

/**
 * grtrace_pressure_sample - compute the next N
 * @permille: from grtrace_pressure_look()
 * @threshold: backpressure_threshold in percent, 0 for the whole channel
 * @base: N as configured
 * @sample: the current N
 *
 * At half of the threshold or more, each check doubles N; below a quarter it
 * halves N. So N has risen several times before events are refused.
 */
static inline u32 grtrace_pressure_sample(u32 permille, u32 threshold, u32 base,
					  u32 sample)
{
	u32 limit = (threshold ?: 100) * 10;

	if (permille >= limit / 2)
		return min(sample * 2, GRTRACE_SAMPLE_MAX);
	if (permille < limit / 4)
		return max(sample / 2, base);
	return sample;
}

#endif /* _GRTRACE_SAMPLING_H_ */
