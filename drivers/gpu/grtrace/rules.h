/* SPDX-License-Identifier: GPL-2.0 */
/* Rules: find jobs that were too long in the queue or on the hardware. */
#ifndef _GRTRACE_RULES_H_
#define _GRTRACE_RULES_H_

#include <linux/types.h>

#include "slots.h"

#define GRTRACE_RULES_BITS	12	/* sets; 16384 jobs in flight */
#define GRTRACE_RULE_MAX_US	3600000000u

/* Thresholds. */
struct grtrace_rules {
	u32 queue_us;	/* longest time from SUBMIT to PICK, COMMIT or START; 0: no limit */
	u32 exec_us;	/* longest time from the last of these to END or COMPLETE; 0: no limit */
};

/* The jobs in flight and their states. */
struct grtrace_jobs {
	/* the key's hash, the state and the time in one word */
	atomic64_t slots[GRTRACE_SLOTS_WAYS << GRTRACE_RULES_BITS];
};

u16 grtrace_rules_judge(struct grtrace_jobs *jobs,
			const struct grtrace_rules *rules, unsigned int type,
			u64 ctx, u64 seqno, u64 ts);

#endif /* _GRTRACE_RULES_H_ */
