/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which jobs are in the sample. A job's key decides, so that all its events
 * have the same result on all CPUs with nothing shared. A job that is in one of N is in
 * one of every smaller number too: when N falls none is cut.
 */
#ifndef _GRTRACE_SAMPLING_H_
#define _GRTRACE_SAMPLING_H_

#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/types.h>

#include <uapi/drm/grtrace_drm.h>

#include "slots.h"

#define GRTRACE_SAMPLE_MAX	1000000

/* Events that are not left out, whatever N is. */
#define GRTRACE_UNSAMPLED (BIT_ULL(GRTRACE_ERROR) | BIT_ULL(GRTRACE_IRQ) | \
			   BIT_ULL(GRTRACE_CTX_SWITCH))

/**
 * grtrace_sampling_limit - what grtrace_sampling_pass() compares with
 * @sample: N, 1 and more
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
