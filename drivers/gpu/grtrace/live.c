// SPDX-License-Identifier: GPL-2.0
/*
 * Converts the configuration of the running session to the structure that hooks
 * read.
 */
#include <linux/math64.h>
#include <linux/slab.h>

#include "channel_write.h"
#include "config.h"
#include "fences.h"
#include "live.h"
#include "sampling.h"
#include "stages.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

struct grtrace_live grtrace_live_off = { .stages = GRTRACE_STAGE_OFF };
struct grtrace_live __rcu *grtrace_live = RCU_INITIALIZER(&grtrace_live_off);

static u32 live_stages(const struct grtrace_config *config, u32 sample)
{
	u32 stages = 0;

	if (grtrace_watch_active(&config->watch))
		stages |= GRTRACE_STAGE_WATCH;
	/* If N can rise later, fences must be remembered even now. */
	if (sample > 1 || (config->adaptive && !config->overwrite))
		stages |= GRTRACE_STAGE_SAMPLE;
	if (config->rules.queue_us || config->rules.exec_us)
		stages |= GRTRACE_STAGE_RULES;
	if (config->triggers)
		stages |= GRTRACE_STAGE_TRIGGER;
	/* Backpressure is useless in a flight recorder, which is always full. */
	if (config->pressure && !config->overwrite)
		stages |= GRTRACE_STAGE_PRESSURE;
	if (config->max_rate)
		stages |= GRTRACE_STAGE_LIMIT;
	if (config->profile)
		stages |= GRTRACE_STAGE_PROFILE;
	if (config->clock != GRTRACE_CLOCK_MONOTONIC)
		stages |= GRTRACE_STAGE_CLOCK;
	if (config->filter.level_mask == GRTRACE_LEVEL_NORMAL &&
	    config->filter.type_mask & BIT_ULL(GRTRACE_END))
		stages |= GRTRACE_STAGE_ONE_END;
	return stages;
}

static struct grtrace_limiter *
live_limiter_create(const struct grtrace_config *config)
{
	struct grtrace_limiter *limiter = kzalloc_obj(*limiter);

	if (limiter)
		grtrace_limiter_init(limiter, config->max_rate,
				     config->burst ?: config->max_rate,
				     !config->bucket,
				     grtrace_clock(config->clock));
	return limiter;
}

/* If the limit does not change, it continues with its spent tokens. */
static bool live_limiter_same(const struct grtrace_limiter *limiter,
			      const struct grtrace_config *config)
{
	return limiter && limiter->max == config->max_rate &&
	       limiter->window == !config->bucket &&
	       limiter->burst == (config->burst ?: config->max_rate);
}

/**
 * grtrace_live_create - make the structure of a session that hooks read
 * @config: configuration of the session
 * @sample: one job of this many is recorded
 * @channel: channel of the session
 * @memory: memory of the session
 * @old: the current structure, or NULL; the new one may take over its limiter
 *
 * Context: Process.
 * Return: the structure, or NULL if there is not enough memory.
 */
struct grtrace_live *
grtrace_live_create(const struct grtrace_config *config, u32 sample,
		    struct grtrace_channel *channel,
		    struct grtrace_live_memory *memory,
		    const struct grtrace_live *old)
{
	struct grtrace_live *live = kzalloc_obj(*live);
	u64 size = (u64)config->subbuf_size * config->n_subbufs;

	if (!live)
		return NULL;
	live->cpu = channel->cpu;
	live->channel = channel;
	live->stages = live_stages(config, sample);
	live->sample = sample;
	live->sample_limit = grtrace_sampling_limit(sample);
	live->config = *config;
	live->pressure_bytes = div_u64(size * config->pressure, 100);
	live->memory = memory;
	/* Packets of idle CPUs still have the last sampling. */
	if (old)
		live->stages |= old->stages & GRTRACE_STAGE_SAMPLE;
	if (!(live->stages & ~GRTRACE_STAGE_ONE_END) && !config->filter.by_ring)
		live->plain = config->filter.pass_mask;
	if (live->stages & GRTRACE_STAGE_ONE_END)
		live->plain &= ~(BIT_ULL(GRTRACE_COMMIT) | BIT_ULL(GRTRACE_FENCE));
	if (!(live->stages & GRTRACE_STAGE_LIMIT))
		return live;

	if (old && live_limiter_same(old->limiter, config))
		live->limiter = old->limiter;
	else
		live->limiter = live_limiter_create(config);
	if (live->limiter)
		return live;
	kfree(live);
	return NULL;
}

/* Frees what no hook reads; its successor @next, if any, may have taken over the limiter. */
void grtrace_live_free(struct grtrace_live *live,
		       const struct grtrace_live *next)
{
	if (!next || next->limiter != live->limiter)
		kfree(live->limiter);
	kfree(live);
}
