// SPDX-License-Identifier: GPL-2.0
/*
 * Rules. A job's time in the queue ends with the first of PICK, COMMIT and
 * START; its time on the hardware begins with the last of these and ends with
 * the first of END and COMPLETE. If a time exceeds its threshold, the event
 * that ends the time is marked.
 *
 * Times are kept in microseconds modulo 2^32, which is more than an hour. If
 * two jobs in flight have the same hash, one may be judged by the other's time;
 * this happens for one in 2^42 pairs.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include <uapi/drm/grtrace_drm.h>

#include "stages.h"
#include "stats.h"

/* Otherwise no job could exceed the greatest threshold. */
static_assert(GRTRACE_RULE_MAX_US + USEC_PER_SEC < U32_MAX);

#define JOB_EXEC	BIT_ULL(32)		/* on the hardware; else queued */
#define JOB_KNOWN	BIT_ULL(33)		/* so that no word is 0 */
#define JOB_TAG_MASK	(GENMASK_ULL(63, 34) | JOB_KNOWN)

static u32 job_us(u64 ts)
{
	return div_u64(ts, NSEC_PER_USEC);
}

static void job_put(atomic64_t *set, u64 tag, u64 ts)
{
	if (!grtrace_slots_put(set, JOB_TAG_MASK, tag | job_us(ts)))
		grtrace_stat_inc(GRTRACE_STAT_RULES_FORGOTTEN);
}

/* Removes the job, even if a late COMMIT on another CPU changes its word meanwhile. */
static bool job_take(atomic64_t *set, u64 tag, u64 *word)
{
	atomic64_t *place = grtrace_slots_find(set, JOB_TAG_MASK, tag, word);

	if (!place)
		return false;
	while ((*word & JOB_TAG_MASK) == tag)
		if (atomic64_try_cmpxchg_relaxed(place, (s64 *)word, 0))
			return true;
	return false;
}

/*
 * Returns the time that the job spent in the place that it leaves. Another CPU
 * may have read the earlier time after @ts was read: the difference counts as
 * 0, and not as more than an hour.
 */
static u32 job_spent(u64 word, u64 ts)
{
	u32 us = job_us(ts) - (u32)word;

	return us > U32_MAX - USEC_PER_SEC ? 0 : us;
}

/* Returns the mark of a time that has ended, if it was longer than @us. */
static u16 job_judge(u32 spent, u32 us, enum grtrace_stat stat, u16 mark)
{
	if (!us || spent <= us)
		return 0;
	grtrace_stat_inc(stat);
	return mark;
}

/**
 * grtrace_rules_judge - apply the rules to an event of a job
 * @jobs: the jobs in flight
 * @rules: the thresholds
 * @type: the event
 * @ctx: the job's context
 * @seqno: its seqno
 * @ts: current time
 *
 * Context: Any; events of one job must come one after the other.
 * Return: marks for the flags of the record.
 */
u16 grtrace_rules_judge(struct grtrace_jobs *jobs,
			const struct grtrace_rules *rules, unsigned int type,
			u64 ctx, u64 seqno, u64 ts)
{
	u64 hash = grtrace_slots_hash(ctx, seqno);
	atomic64_t *set = &jobs->slots[(hash >> (64 - GRTRACE_RULES_BITS)) *
				       GRTRACE_SLOTS_WAYS];
	/* The upper bits select the set, so the tag uses the next ones. */
	u64 tag = (hash << GRTRACE_RULES_BITS | JOB_KNOWN) & JOB_TAG_MASK;
	atomic64_t *place;
	u64 word;

	switch (type) {
	case GRTRACE_SUBMIT:
		job_put(set, tag, ts);
		return 0;
	case GRTRACE_PICK:
	case GRTRACE_COMMIT:
	case GRTRACE_START:
		place = grtrace_slots_find(set, JOB_TAG_MASK, tag, &word);
		/* The job may be gone already, if the hardware was fast. */
		if (!place ||
		    atomic64_cmpxchg_relaxed(place, word, tag | JOB_EXEC |
							  job_us(ts)) != word)
			return 0;
		return word & JOB_EXEC ? 0 :
		       job_judge(job_spent(word, ts), rules->queue_us,
				 GRTRACE_STAT_SLOW_QUEUE, GRTRACE_SLOW_QUEUE);
	case GRTRACE_END:
	case GRTRACE_COMPLETE:
		/* Only the event that removes the job checks its time. */
		if (!job_take(set, tag, &word) || !(word & JOB_EXEC))
			return 0;
		return job_judge(job_spent(word, ts), rules->exec_us,
				 GRTRACE_STAT_SLOW_EXEC, GRTRACE_SLOW_EXEC);
	default:
		return 0;
	}
}
