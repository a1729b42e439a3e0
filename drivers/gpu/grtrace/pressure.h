/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adaptive sampling: records fewer jobs while the channel fills up, and more
 * jobs when it empties again. The only state that it reads is the fill of the
 * channel.
 */
#ifndef _GRTRACE_PRESSURE_H_
#define _GRTRACE_PRESSURE_H_

#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "channel.h"
#include "sampling.h"

#define GRTRACE_PRESSURE_MS	100	/* between two checks */

/**
 * struct grtrace_pressure - results of the last checks
 *
 * @permille: fill of the fullest CPU's buffer, smoothed
 */
struct grtrace_pressure {
	u32 permille;
};

/**
 * grtrace_pressure_look - check the fill of the channel
 * @pressure: results to update
 * @channel: the channel
 *
 * Context: Process.
 */
static inline void grtrace_pressure_look(struct grtrace_pressure *pressure,
					 struct grtrace_channel *channel)
{
	u64 size = (u64)channel->subbuf_size * channel->n_subbufs, fill = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		fill = max(fill, grtrace_channel_fill(per_cpu_ptr(channel->cpu,
								  cpu)));
	/* The mean moves by half of the difference, which bridges a reader's longest pause. */
	pressure->permille = (pressure->permille +
			      (u32)div64_u64(fill * 1000, size)) / 2;
}

/**
 * grtrace_pressure_sample - compute the next N
 * @pressure: results of the checks
 * @threshold: backpressure_threshold in percent, 0 for the whole channel
 * @base: N as configured
 * @sample: the current N
 *
 * At half of the threshold or more, each check doubles N; below a quarter it
 * halves N. So N has risen several times before events are refused.
 */
static inline u32 grtrace_pressure_sample(const struct grtrace_pressure *pressure,
					  u32 threshold, u32 base, u32 sample)
{
	u32 limit = (threshold ?: 100) * 10;

	if (pressure->permille >= limit / 2)
		return min(sample * 2, GRTRACE_SAMPLE_MAX);
	if (pressure->permille < limit / 4)
		return max(sample / 2, base);
	return sample;
}

#endif /* _GRTRACE_PRESSURE_H_ */
