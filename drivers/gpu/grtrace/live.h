/* SPDX-License-Identifier: GPL-2.0 */
/* The data of the running session that hooks read. */
#ifndef _GRTRACE_LIVE_H_
#define _GRTRACE_LIVE_H_

#include <linux/grtrace.h>
#include <linux/rcupdate.h>

#include "channel.h"
#include "config.h"
#include "fences.h"

struct seq_file;

/* The memory of hooks about jobs during a session. */
struct grtrace_live_memory {
	struct grtrace_fences fences;	/* fences that recorded jobs named */
	struct grtrace_owners owners;	/* the submitter of each context */
	struct grtrace_jobs jobs;	/* jobs in flight */
};

/*
 * Everything about a session that the hot path reads. It always exists; without
 * a session only %GRTRACE_STAGE_OFF is set. It never changes: a change of the
 * configuration publishes another one. Everything it points to outlives it,
 * except for the limiter, which is freed with it unless the next one takes it
 * over.
 */
struct grtrace_live {
	/* bit n is set if events of type n pass all filters and need no stage */
	u64 plain;
	struct grtrace_chan_cpu __percpu *cpu;	/* per-CPU ends of the channel */
	u32 stages;				/* GRTRACE_STAGE_* */
	u32 sample;				/* N of the sampling, at least 1 */
	struct grtrace_channel *channel;
	u64 sample_limit;			/* N, converted for grtrace_sampling_pass() */
	/* events are refused from this fill of a CPU's buffer on */
	u64 pressure_bytes;
	struct grtrace_limiter *limiter;
	struct grtrace_live_memory *memory;
	struct grtrace_config config;		/* the configuration in force */
};

/* Hooks read the first one; while no session runs, it points to the second one. */
extern struct grtrace_live __rcu *grtrace_live;
extern struct grtrace_live grtrace_live_off;

struct grtrace_live *
grtrace_live_create(const struct grtrace_config *config, u32 sample,
		    struct grtrace_channel *channel,
		    struct grtrace_live_memory *memory,
		    const struct grtrace_live *old);
void grtrace_live_free(struct grtrace_live *live,
		       const struct grtrace_live *next);

/* source.c */
void grtrace_rings_announce(struct grtrace_channel *channel);
struct grtrace_ring *grtrace_hook_ring(const void *key, u32 id,
				       u64 ctx, const struct grtrace_ring_desc *desc);

/* seconds.c has the counts of each of the last seconds. */
#define GRTRACE_SECONDS	64	/* lines of sec_stats */

void grtrace_seconds_start(void);
void grtrace_seconds_stop(void);
void grtrace_seconds_reset(void);
void grtrace_seconds_pass(void);
int grtrace_seconds_show(struct seq_file *m, void *unused);

#endif /* _GRTRACE_LIVE_H_ */
