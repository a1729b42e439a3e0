// SPDX-License-Identifier: GPL-2.0
/*
 * Claims: fences whose driver has a source of its own that reports them. Then
 * the dma_fence source does not, and nothing is reported twice.
 *
 * A driver's fences are known by their ops, which the source learns from the
 * first fence it sees: it is not linked to the driver's.
 */
#include <linux/atomic.h>
#include <linux/dma-fence.h>
#include <linux/export.h>
#include <linux/grtrace.h>

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

#define CLAIMS_MAX	4

static const struct dma_fence_ops *claims[GRTRACE_CLAIM_COUNT][CLAIMS_MAX];

/**
 * grtrace_fence_claim - a source reports something of its driver's fences
 * @claim: what it reports
 * @ops: the ops of these fences
 *
 * Context: Any. With too many drivers the fences of the last are reported
 * twice.
 */
void grtrace_fence_claim(enum grtrace_claim claim,
			 const struct dma_fence_ops *ops)
{
	const struct dma_fence_ops *seen;
	unsigned int i;

	for (i = 0; i < CLAIMS_MAX; i++) {
		seen = cmpxchg(&claims[claim][i], NULL, ops);
		if (!seen || seen == ops)
			return;
	}
}
EXPORT_SYMBOL_GPL(grtrace_fence_claim);

/**
 * grtrace_fence_unclaim - it no longer does
 * @ops: the ops of these fences
 *
 * Context: Process, when no probe of the source runs.
 */
void grtrace_fence_unclaim(const struct dma_fence_ops *ops)
{
	unsigned int claim, i;

	for (claim = 0; claim < GRTRACE_CLAIM_COUNT; claim++)
		for (i = 0; i < CLAIMS_MAX; i++)
			cmpxchg(&claims[claim][i], ops, NULL);
}
EXPORT_SYMBOL_GPL(grtrace_fence_unclaim);

/**
 * grtrace_fence_claimed - does another source report this?
 * @claim: what
 * @fence: of this fence
 *
 * Context: Any; nothing but a field of the fence is read.
 */
bool grtrace_fence_claimed(enum grtrace_claim claim,
			   const struct dma_fence *fence)
{
	const struct dma_fence_ops *ops = rcu_access_pointer(fence->ops);
	unsigned int i;

	/* none: it is signalled, and its driver has forgotten it */
	if (!ops)
		return false;
	for (i = 0; i < CLAIMS_MAX; i++)
		if (READ_ONCE(claims[claim][i]) == ops)
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(grtrace_fence_claimed);
