/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other buffers of the kernel without a tracer around them: a record of the same size is
 * reserved, filled and committed.
 */
#ifndef _GRTRACE_BENCH_BUFFERS_H_
#define _GRTRACE_BENCH_BUFFERS_H_

#include <linux/irqflags.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>

#include "bench.h"

#ifdef CONFIG_SIMPLE_RING_BUFFER
#include <linux/simple_ring_buffer.h>
extern struct simple_rb_per_cpu grtrace_bench_simple;
#endif

extern struct trace_buffer *grtrace_bench_ring;

int grtrace_bench_buffers_init(void);
void grtrace_bench_buffers_exit(void);

/* The fields of a record of grtrace; a buffer that keeps the time has it once more. */
static __always_inline void grtrace_bench_fill(struct grtrace_rec_job *rec,
					       const struct grtrace_job *job, u32 ts)
{
	*rec = (struct grtrace_rec_job) {
		.seq = {
			.hdr = {
				.type = cpu_to_le16(GRTRACE_SUBMIT),
				.size = cpu_to_le16(sizeof(*rec)),
			},
			.ts = cpu_to_le32(ts),
			.seq = cpu_to_le32(job->seqno),
			.pid = cpu_to_le32(current->pid),
		},
		.ctx = cpu_to_le32(job->ctx),
		.seqno = cpu_to_le32(job->seqno),
		.ring = cpu_to_le32(1),
	};
}

/* The buffer of ftrace, by its own clock; it may be used in any context. */
static __always_inline void grtrace_bench_ring_write(const struct grtrace_job *job)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(grtrace_bench_ring, sizeof(struct grtrace_rec_job));
	if (!event)
		return;
	grtrace_bench_fill(ring_buffer_event_data(event), job, 0);
	ring_buffer_unlock_commit(grtrace_bench_ring);
}

#ifdef CONFIG_SIMPLE_RING_BUFFER
/* It takes one writer at a time, so interrupts are off, and the caller reads the clock. */
static __always_inline void grtrace_bench_simple_write(const struct grtrace_job *job)
{
	struct grtrace_rec_job *rec;
	unsigned long flags;
	u64 ts;

	local_irq_save(flags);
	ts = ktime_get_mono_fast_ns();
	rec = simple_ring_buffer_reserve(&grtrace_bench_simple, sizeof(*rec), ts);
	if (rec) {
		grtrace_bench_fill(rec, job, ts);
		simple_ring_buffer_commit(&grtrace_bench_simple);
	}
	local_irq_restore(flags);
}
#endif

#endif /* _GRTRACE_BENCH_BUFFERS_H_ */
