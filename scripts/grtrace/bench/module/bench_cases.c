// SPDX-License-Identifier: GPL-2.0
/*
 * The loops that are measured. Each differs from "empty" in what it does with
 * its job and in nothing else, so that the difference is the cost of that.
 */
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/rcupdate.h>

#include "bench.h"
#include "bench_buffers.h"

#define CREATE_TRACE_POINTS
#include "bench_trace.h"

/* peers.bpf.c follows these */
static_assert(offsetof(struct grtrace_bench_sched_job, s_fence) == 0);
static_assert(offsetof(struct grtrace_bench_fence, context) == 0);
static_assert(offsetof(struct grtrace_bench_fence, seqno) == 8);

/* Returns the ring of a thread's jobs, looked up as a source would do it. */
static struct grtrace_ring *bench_ring(const struct grtrace_bench_load *load)
{
	const struct grtrace_ring_desc desc = {
		.dev = load->sched.dev,
		.driver = KBUILD_MODNAME,
		.name = load->name,
		.engine_class = GRTRACE_CLASS_RENDER,
	};

	return grtrace_running() ?
	       grtrace_ring_submit(load, load->job.ctx, &desc) : NULL;
}

/* Only the hook counts, so the ring is looked up once for all rounds. */
#define LOOP(name, what)						\
static noinline u64 bench_##name(struct grtrace_bench_load *load,	\
				 u32 rounds)				\
{									\
	struct grtrace_job *job = &load->job;				\
	struct grtrace_ring *ring __maybe_unused;			\
	u64 begin;							\
									\
	guard(rcu)();							\
	ring = bench_ring(load);					\
	begin = grtrace_bench_now();					\
	while (rounds--) {						\
		job->seqno++;						\
		what;							\
		barrier();						\
	}								\
	return grtrace_bench_now() - begin;				\
}

#define LOOP_JOB(name, type)						\
	LOOP(name, grtrace_job(GRTRACE_##type, ring, job))
#define LOOP_JOB_FENCE(name, type)					\
	LOOP(name, grtrace_job_fence(GRTRACE_##type, ring, job))
/* a fence or a wait belongs to no ring */
#define LOOP_FENCE(name, type)						\
	LOOP(name, grtrace_job(GRTRACE_##type, NULL, job))

LOOP(empty, barrier())
LOOP(clock, ktime_get_mono_fast_ns())
LOOP(trace_event, trace_grtrace_bench_job_run(&load->sched_job, &load->entity))
LOOP(ring_buffer, grtrace_bench_ring_write(job))
#ifdef CONFIG_SIMPLE_RING_BUFFER
LOOP(simple_ring_buffer, grtrace_bench_simple_write(job))
#endif

LOOP(submit, grtrace_submit(ring, job, 1))
LOOP(command, grtrace_command(ring, job, 1))
LOOP_JOB_FENCE(dep, DEP)
LOOP_JOB_FENCE(blocked, BLOCKED)
LOOP_JOB(pick, PICK)
LOOP_JOB_FENCE(commit, COMMIT)
LOOP_JOB(start, START)
LOOP_JOB(end, END)
LOOP(response, grtrace_response(ring, job))
LOOP_JOB(complete, COMPLETE)
LOOP_JOB(irq, IRQ)
LOOP_JOB_FENCE(ctx_switch, CTX_SWITCH)
LOOP_FENCE(wait_enter, SYNC_WAIT_ENTER)
LOOP_FENCE(wait_exit, SYNC_WAIT_EXIT)
LOOP(error, grtrace_error(ring, job, GRTRACE_ERROR_HANG, -1))
LOOP_FENCE(fence, FENCE)

static void bench_life(struct grtrace_ring *ring, struct grtrace_job *job)
{
	grtrace_submit(ring, job, 1);
	grtrace_job(GRTRACE_PICK, ring, job);
	grtrace_job_fence(GRTRACE_COMMIT, ring, job);
	grtrace_job(GRTRACE_END, ring, job);
	grtrace_job(GRTRACE_COMPLETE, ring, job);
}

LOOP(job, bench_life(ring, job))

#undef LOOP
#undef LOOP_JOB
#undef LOOP_JOB_FENCE
#undef LOOP_FENCE

#define CASE(name)		{ #name, 1, bench_##name }
#define CASE_OF(name, events)	{ #name, events, bench_##name }

/* ends with an entry without a name */
const struct grtrace_bench_case grtrace_bench_cases[] = {
	CASE(empty),
	CASE(clock),
	CASE(trace_event),
	CASE(ring_buffer),
#ifdef CONFIG_SIMPLE_RING_BUFFER
	CASE(simple_ring_buffer),
#endif
	CASE(submit),
	CASE(command),
	CASE(dep),
	CASE(blocked),
	CASE(pick),
	CASE(commit),
	CASE(start),
	CASE(end),
	CASE(response),
	CASE(complete),
	CASE(irq),
	CASE(ctx_switch),
	CASE(wait_enter),
	CASE(wait_exit),
	CASE(error),
	CASE(fence),
	CASE_OF(job, 5),
	{ }
};

/* ----------------------------------------------- for the disassembler */

/**
 * grtrace_bench_site_bare - a function without a hook, never called
 * @ring: a ring
 * @job: a job
 */
noinline void grtrace_bench_site_bare(struct grtrace_ring *ring,
				      struct grtrace_job *job)
{
	job->seqno++;
}

/**
 * grtrace_bench_site_hook - the same function with a hook, never called
 * @ring: a ring
 * @job: a job
 */
noinline void grtrace_bench_site_hook(struct grtrace_ring *ring,
				      struct grtrace_job *job)
{
	job->seqno++;
	grtrace_submit(ring, job, 1);
}
