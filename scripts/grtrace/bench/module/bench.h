/* SPDX-License-Identifier: GPL-2.0 */
/* The benchmark: what is measured, and one thread's private part of it. */
#ifndef _GRTRACE_BENCH_H_
#define _GRTRACE_BENCH_H_

#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/timex.h>

#include <linux/grtrace.h>

struct device;
struct dentry;

/*
 * Arguments of the DRM scheduler's tracepoints, as far as they read them, with
 * as many pointers to follow. BPF programs that it is compared with know the
 * offsets in the first two.
 */
struct grtrace_bench_fence {
	u64 context;
	u64 seqno;
	u64 drm_client_id;
};

struct grtrace_bench_sched;

struct grtrace_bench_sched_job {
	struct grtrace_bench_fence *s_fence;
	struct grtrace_bench_sched *sched;
};

struct grtrace_bench_sched {
	const char *name;
	struct device *dev;
	atomic_t credit_count;
};

struct grtrace_bench_entity {
	atomic_t job_count;
};

/**
 * struct grtrace_bench_load - what one thread makes events of
 *
 * @name: name of its ring, as amdgpu has them
 * @job: its job, the next one with every round
 * @fence: the same job as the DRM scheduler's tracepoints see it
 * @sched: the same
 * @sched_job: the same
 * @entity: the same
 */
struct grtrace_bench_load {
	char name[16];
	struct grtrace_job job;
	struct grtrace_bench_fence fence;
	struct grtrace_bench_sched sched;
	struct grtrace_bench_sched_job sched_job;
	struct grtrace_bench_entity entity;
};

/**
 * struct grtrace_bench_case - one thing whose cost is asked for
 *
 * @name: its name
 * @events: how often a round does it
 * @run: do this many rounds; returns what grtrace_bench_now() counted meanwhile
 */
struct grtrace_bench_case {
	const char *name;
	u32 events;
	u64 (*run)(struct grtrace_bench_load *load, u32 rounds);
};

extern const struct grtrace_bench_case grtrace_bench_cases[];
extern bool grtrace_bench_cycles;

struct grtrace_bench_load *grtrace_bench_load(unsigned int number);

void grtrace_bench_drive_init(struct dentry *dir);

void grtrace_bench_site_bare(struct grtrace_ring *ring, struct grtrace_job *job);
void grtrace_bench_site_hook(struct grtrace_ring *ring, struct grtrace_job *job);

/*
 * Processor cycles, which in a guest under QEMU's icount are instructions; or
 * nanoseconds of a clock that is never adjusted.
 */
static __always_inline u64 grtrace_bench_now(void)
{
	return grtrace_bench_cycles ? get_cycles() : ktime_get_raw_fast_ns();
}

#endif /* _GRTRACE_BENCH_H_ */
