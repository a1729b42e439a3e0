/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which jobs are in the sample. The decision depends only on a job's key, so
 * all its events get the same result on all CPUs without shared data. A job that is in
 * a sample of one in N is also in the sample for every smaller N: when N falls, no
 * job is cut.
 */
#ifndef _GRTRACE_SAMPLING_H_
#define _GRTRACE_SAMPLING_H_

#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

#include "slots.h"

#define GRTRACE_SAMPLE_MAX	1000000

/* These events are recorded regardless of N. */
#define GRTRACE_UNSAMPLED (BIT_ULL(GRTRACE_ERROR) | BIT_ULL(GRTRACE_IRQ) | \
			   BIT_ULL(GRTRACE_CTX_SWITCH))

/**
 * grtrace_sampling_limit - the value that grtrace_sampling_pass() compares with
 * @sample: N, at least 1
 */
static inline u64 grtrace_sampling_limit(u32 sample)
{
	return div_u64(U64_MAX, sample);
}

/**
 * grtrace_sampling_pass - is a job in the sample?
 * @limit: from grtrace_sampling_limit()
 * @ctx: the job's context
 * @seqno: its seqno
 *
 * Context: Any.
 */
static __always_inline bool grtrace_sampling_pass(u64 limit, u64 ctx,
						  u64 seqno)
{
	return grtrace_slots_hash(ctx, seqno) <= limit;
}

#endif /* _GRTRACE_SAMPLING_H_ */
