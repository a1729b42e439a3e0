/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The common part of the suites of the sources: the source's probes are called as
 * its driver's events would call them, and their records are compared with a table
 * of records, to the byte and in order. No event is fired and no driver needed.
 */
#ifndef _GRTRACE_TESTS_SOURCE_CASE_H_
#define _GRTRACE_TESTS_SOURCE_CASE_H_

#include <linux/grtrace.h>

#include "trial.h"

#define SOURCE_IN_HARDIRQ	(GRTRACE_TIME_INTERRUPT | GRTRACE_IN_HARDIRQ)

/* A session with a device of its own. */
struct source_case {
	struct kunit *test;
	const struct grtrace_source *source;
	struct stream *stream;
	struct device *dev;
	u64 first;	/* the contexts from this one on are the test's, */
	u64 last;	/* up to this one */
	size_t at;	/* how many records of the stream were compared */
};

/* A record as it is to be. */
struct source_record {
	u16 type;	/* 0 where there is none after all */
	u32 ring;
	u64 ctx;
	u64 seqno;
	u16 flags;
	s32 arg;
	u64 fence_ctx;	/* 0 for none, in a type that can do without */
	u64 fence_seqno;
	u64 client;	/* of a SUBMIT or a QUEUE */
	bool answered;	/* a SUBMIT of a command, or the END of one */
	u32 command;	/* its type */
	u32 kind;	/* of an ERROR */
	s32 code;
	u32 pid;	/* of the task that an ERROR blames */
	const char *comm;
	const char *text;
	u32 state;	/* of a QUEUE */
	u32 reason;	/* of a QUEUE */
};

#define SOURCE_RECORD(_type, _ring, _ctx, _seqno, ...) {	\
	.type = GRTRACE_##_type, .ring = _ring, .ctx = _ctx,	\
	.seqno = _seqno, ##__VA_ARGS__ }

/* Call what the source listens to @event with; @probe is there for its prototype. */
#define source_event(c, event, probe, ...) \
	((typeof(&(probe)))source_probe(c, #event))(NULL, __VA_ARGS__)

void *source_probe(const struct source_case *c, const char *event);
void source_in_hardirq(void (*fn)(void *data), void *data);

void source_start(struct source_case *c, struct kunit *test, const struct grtrace_source *source);
void source_stop(struct source_case *c);
u32 source_forget(const void *key);

void source_expect(struct source_case *c, const struct source_record *want, size_t n);
void source_expect_end(struct source_case *c);

/* All records that there are, or those up to here: @... is the table. */
#define source_records(c, ...) do {					\
	source_records_so_far(c, __VA_ARGS__);				\
	source_expect_end(c);						\
} while (0)
#define source_records_so_far(c, ...) do {				\
	const struct source_record _want[] = { __VA_ARGS__ };		\
									\
	source_expect(c, _want, ARRAY_SIZE(_want));			\
} while (0)

u32 source_ring_id(const struct source_case *c, const char *name);
void source_expect_ring_flags(const struct source_case *c, u32 id, u32 flags, u32 timeout_ms);
void source_expect_ring(const struct source_case *c, u32 id, const char *driver,
			const char *name, enum grtrace_engine_class engine_class);

extern const struct dma_fence_ops source_fence_ops;

#endif /* _GRTRACE_TESTS_SOURCE_CASE_H_ */
