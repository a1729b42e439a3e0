/* SPDX-License-Identifier: GPL-2.0 */
/* A session of a test's own: started with what it asks for, and its stream. */
#ifndef _GRTRACE_TESTS_TRIAL_H_
#define _GRTRACE_TESTS_TRIAL_H_

#include <linux/grtrace.h>

#include "stream.h"

int trial_init(struct kunit *test);

int trial_config(const char *words);
struct stream *trial_start(struct kunit *test, const char *words);
void trial_stop(struct kunit *test, struct stream *stream);
struct grtrace_ring *trial_ring(struct kunit *test, unsigned int n);
void trial_rename(const char *comm);

void trial_job(unsigned int type, struct grtrace_ring *ring, u64 ctx, u64 seqno);
void trial_job_fence(unsigned int type, struct grtrace_ring *ring, u64 ctx,
		     u64 seqno, u64 fence_ctx, u64 fence_seqno);

#endif /* _GRTRACE_TESTS_TRIAL_H_ */
