// SPDX-License-Identifier: GPL-2.0
/*
 * The file "sec_stats": how much the counters grew in each of the last seconds
 * of a session. A work item reads the counters once a second, so hooks have no
 * part in it. A second is the time between two such reads, so the sum of all
 * lines equals the counters, to the last event. Each line also has the number
 * of tokens that the rate limiter had left at the end.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "channel_write.h"
#include "live.h"
#include "stages.h"
#include "stats.h"

static const enum grtrace_stat seconds_columns[] = {
	GRTRACE_STAT_OFFERED,
	GRTRACE_STAT_WRITTEN,
	GRTRACE_STAT_FILTERED,
	GRTRACE_STAT_SAMPLED_OUT,
	GRTRACE_STAT_RATE_LIMITED,
	GRTRACE_STAT_BACKPRESSURE,
	GRTRACE_STAT_LOST,
	GRTRACE_STAT_BYTES_WRITTEN,
	GRTRACE_STAT_RESERVE_FAIL,
};

#define SECONDS_HEADER \
	"second,offered,written,filtered,sampled_out,rate_limited,backpressure,lost,bytes,reserve_fail,rate,burst,tokens\n"

/* One line. */
struct second {
	/* its beginning, in seconds from the start of the session */
	u64 at;
	/*
	 * for each column the growth of the counter; for the second in
	 * progress, the counter at its beginning
	 */
	u64 count[ARRAY_SIZE(seconds_columns)];
	/* events per second that the limit in force at its end allows, or 0 */
	u32 rate;
	u64 burst;				/* size of the token bucket, or 0 */
	/* events that the limit would still allow at its end */
	u64 tokens;
};

/* Guards all variables below. */
static DEFINE_MUTEX(seconds_lock);
static struct second seconds_ring[GRTRACE_SECONDS - 1];
static unsigned int seconds_done;	/* lines finished since the start */
static struct second seconds_now;
static ktime_t seconds_begin;
static bool seconds_running;

static void seconds_tick(struct work_struct *work);
static DECLARE_DELAYED_WORK(seconds_work, seconds_tick);

static void seconds_limit(struct second *second)
{
	const struct grtrace_limiter *limiter;
	const struct grtrace_live *live;
	u64 now;

	/* Preemption is disabled, as in a hook. */
	guard(preempt)();
	live = rcu_dereference_sched(grtrace_live);
	limiter = live->limiter;
	if (!limiter)
		return;
	now = grtrace_clock(live->config.clock);
	second->rate = limiter->max;
	second->burst = limiter->window ? 0 : limiter->burst;
	second->tokens = grtrace_limiter_left(limiter, now);
}

static void seconds_look(struct second *second)
{
	size_t i;

	*second = (struct second) {};
	for (i = 0; i < ARRAY_SIZE(seconds_columns); i++)
		second->count[i] = grtrace_stat_sum(seconds_columns[i]);
	seconds_limit(second);
}

/* Computes how much the second in progress has added so far. */
static void seconds_added(struct second *added, const struct second *look)
{
	size_t i;

	*added = *look;
	added->at = seconds_now.at;
	for (i = 0; i < ARRAY_SIZE(seconds_columns); i++)
		added->count[i] = look->count[i] - seconds_now.count[i];
}

/* Returns the time since the start of the session, in seconds. */
static u64 seconds_at(void)
{
	return ktime_divns(ktime_sub(ktime_get(), seconds_begin), NSEC_PER_SEC);
}

/* A second is over: finishes its line. */
void grtrace_seconds_pass(void)
{
	struct second look;

	guard(mutex)(&seconds_lock);
	seconds_look(&look);
	look.at = seconds_at();
	seconds_added(&seconds_ring[seconds_done++ % ARRAY_SIZE(seconds_ring)],
		      &look);
	seconds_now = look;
}

static void seconds_tick(struct work_struct *work)
{
	grtrace_seconds_pass();
	schedule_delayed_work(&seconds_work, HZ);
}

/* A session starts: resets all counters. */
void grtrace_seconds_start(void)
{
	grtrace_seconds_reset();
	guard(mutex)(&seconds_lock);
	seconds_begin = ktime_get();
	seconds_running = true;
	schedule_delayed_work(&seconds_work, HZ);
}

/* The session ends, while hooks still see it. */
void grtrace_seconds_stop(void)
{
	scoped_guard(mutex, &seconds_lock) {
		seconds_running = false;
		seconds_limit(&seconds_now);
	}
	cancel_delayed_work_sync(&seconds_work);
}

/* Resets all counters, and removes the lines. */
void grtrace_seconds_reset(void)
{
	guard(mutex)(&seconds_lock);
	grtrace_stats_reset();
	seconds_done = 0;
	memset(&seconds_now, 0, sizeof(seconds_now));
	if (seconds_running)
		seconds_now.at = seconds_at();
}

static void seconds_line(struct seq_file *m, const struct second *second)
{
	size_t i;

	seq_printf(m, "%llu", second->at);
	for (i = 0; i < ARRAY_SIZE(seconds_columns); i++)
		seq_printf(m, ",%llu", second->count[i]);
	seq_printf(m, ",%u,%llu,%llu\n", second->rate, second->burst,
		   second->tokens);
}

/* Prints the lines, the oldest first. */
int grtrace_seconds_show(struct seq_file *m, void *unused)
{
	struct second look, added;
	unsigned int i;

	guard(mutex)(&seconds_lock);
	seq_puts(m, SECONDS_HEADER);
	i = seconds_done > ARRAY_SIZE(seconds_ring) ?
	    seconds_done - ARRAY_SIZE(seconds_ring) : 0;
	for (; i < seconds_done; i++)
		seconds_line(m, &seconds_ring[i % ARRAY_SIZE(seconds_ring)]);
	seconds_look(&look);
	seconds_added(&added, &look);
	if (!seconds_running) {
		added.rate = seconds_now.rate;
		added.burst = seconds_now.burst;
		added.tokens = seconds_now.tokens;
	}
	seconds_line(m, &added);
	return 0;
}
