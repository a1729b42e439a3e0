// SPDX-License-Identifier: GPL-2.0
/*
 * Changes while a session runs: each key takes effect at once, and a snapshot stays until it
 * is discarded.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/iopoll.h>
#include <linux/math64.h>
#include <linux/processor.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "../live.h"
#include "../session.h"
#include "../snapshot.h"
#include "../stats.h"
#include "trial.h"

/* Counts beside those of enum grtrace_stat. */
#define PROFILED	GRTRACE_STAT_COUNT
#define STAT(name)	GRTRACE_STAT_##name

/*
 * A key that is changed while a session runs: the forty events before the change count this
 * many, and those after it that many.
 */
struct live_key {
	const char *name;
	const char *before;	/* the session's configuration */
	const char *change;
	unsigned int what;
	u64 from, to;
};

#define NO_RING		"4294967295"
#define NO_PID		"2147483647"

static const struct live_key live_keys[] = {
	{ "level", "", "level=normal", STAT(FILTERED_LEVEL), 0, 10 },
	{ "filter_type_mask", "", "filter_type_mask=0xfffffffffffffffd",
	  STAT(FILTERED_TYPE), 0, 10 },
	{ "filter_engine_mask", "", "filter_engine_mask=0x4", STAT(FILTERED_ENGINE), 0, 40 },
	{ "filter_ring_mask", "", "filter_ring_mask=0", STAT(FILTERED_RING), 0, 40 },
	{ "filter_ring_id", "", "filter_ring_id=" NO_RING, STAT(FILTERED_RING), 0, 40 },
	{ "filter_device", "", "filter_device=nosuch0", STAT(FILTERED_DEVICE), 0, 40 },
	{ "watch_allow_mode", "watch_ctx_add=1", "watch_allow_mode=0",
	  STAT(FILTERED_WATCH), 0, 40 },
	{ "watch_combine", "watch_ctx_add=1 watch_ring_add=" NO_RING, "watch_combine=and",
	  STAT(FILTERED_WATCH), 0, 40 },
	{ "watch_ctx_clear", "watch_ctx_add=2", "watch_ctx_clear=1", STAT(FILTERED_WATCH), 40, 0 },
	{ "watch_ring_clear", "watch_ring_add=" NO_RING, "watch_ring_clear=1",
	  STAT(FILTERED_WATCH), 40, 0 },
	{ "watch_pid_clear", "watch_pid_add=" NO_PID, "watch_pid_clear=1",
	  STAT(FILTERED_WATCH), 40, 0 },
	{ "watch_ctx_add", "", "watch_ctx_add=2", STAT(FILTERED_WATCH), 0, 40 },
	{ "watch_ring_add", "", "watch_ring_add=" NO_RING, STAT(FILTERED_WATCH), 0, 40 },
	{ "watch_pid_add", "", "watch_pid_add=" NO_PID, STAT(FILTERED_WATCH), 0, 40 },
	{ "sample", "", "sample=1000000", STAT(SAMPLED_OUT), 0, 40 },
	{ "max_events_per_sec", "", "max_events_per_sec=15", STAT(RATE_LIMITED), 0, 25 },
	{ "max_events_per_sec", "max_events_per_sec=15", "max_events_per_sec=30",
	  STAT(RATE_LIMITED), 25, 10 },
	{ "max_events_per_sec", "max_events_per_sec=15", "max_events_per_sec=0",
	  STAT(RATE_LIMITED), 25, 0 },
	/* a window has room for one, whatever the burst; a new bucket is full */
	{ "rate_limiter_mode", "max_events_per_sec=1 burst=15", "rate_limiter_mode=0",
	  STAT(RATE_LIMITED), 25, 39 },
	{ "burst", "max_events_per_sec=1 burst=15", "burst=32", STAT(RATE_LIMITED), 25, 8 },
	{ "burst", "max_events_per_sec=1 burst=15", "burst=5", STAT(RATE_LIMITED), 25, 35 },
	{ "burst", "max_events_per_sec=12 burst=15", "burst=0", STAT(RATE_LIMITED), 25, 28 },
	/* the tables at the beginning are more than that */
	{ "backpressure_threshold", "subbuf_size=4096 n_subbufs=2", "backpressure_threshold=1",
	  STAT(BACKPRESSURE), 0, 40 },
	{ "slow_queue_us", "", "slow_queue_us=1", STAT(SLOW_QUEUE), 0, 10 },
	{ "slow_exec_us", "slow_exec_us=1", "slow_exec_us=0", STAT(SLOW_EXEC), 10, 0 },
	{ "profile", "", "profile=1", PROFILED, 0, 40 },
};

KUNIT_ARRAY_PARAM_DESC(live_key, live_keys, name);

static u64 live_count(enum grtrace_stat what)
{
	unsigned int bucket;
	u64 sum = 0;

	if (what != PROFILED)
		return grtrace_stat_sum(what);
	for (bucket = 0; bucket < GRTRACE_HIST_BUCKETS; bucket++)
		sum += grtrace_stat_latency_sum(bucket);
	return sum;
}

/* As udelay(5), which a machine that was busy when it started makes too short. */
static void live_wait(void)
{
	u64 end = ktime_get_ns() + 5 * NSEC_PER_USEC;

	while (ktime_get_ns() < end)
		cpu_relax();
}

/* Ten jobs of four events, each some microseconds in the queue and on the hardware. */
static void live_forty_events(struct grtrace_ring *ring, u64 seqno)
{
	unsigned int i;

	for (i = 0; i < 10; i++, seqno++) {
		trial_job(GRTRACE_SUBMIT, ring, 1, seqno);
		trial_job(GRTRACE_DEP, ring, 1, seqno);
		live_wait();
		trial_job(GRTRACE_PICK, ring, 1, seqno);
		live_wait();
		trial_job(GRTRACE_END, ring, 1, seqno);
	}
}

/* @rate: events a second that a limit lets pass again in a guest that stood still. */
static void live_expect(struct kunit *test, u64 count, u64 want, u64 rate, u64 since)
{
	KUNIT_EXPECT_LE(test, count, want);
	KUNIT_EXPECT_GE(test, count + div_u64(rate * (ktime_get_ns() - since), NSEC_PER_SEC), want);
}

static void live_key_takes_effect(struct kunit *test)
{
	const struct live_key *key = test->param_value;
	u64 count, since = ktime_get_ns(), rate = key->what == STAT(RATE_LIMITED) ? 30 : 0;
	struct stream *stream = trial_start(test, key->before);
	struct grtrace_ring *ring = trial_ring(test, 1);

	count = live_count(key->what);
	live_forty_events(ring, 1);
	live_expect(test, live_count(key->what) - count, key->from, rate, since);
	count = live_count(key->what);
	KUNIT_EXPECT_EQ(test, trial_config(key->change), 0);
	live_forty_events(ring, 101);
	live_expect(test, live_count(key->what) - count, key->to, rate, since);
	trial_stop(test, stream);
}

/* Each key that a running session takes is in the table, or in a case of its own. */
static void live_keys_are_complete(struct kunit *test)
{
	static const char * const others[] = { "adaptive_sampling", "snapshot_on", "reset_stats" };
	struct stream *stream = trial_start(test, "");
	struct seq_file m = { .size = SZ_4K };
	unsigned int i, known, idle = 0;
	char *line;
	int ret;

	m.buf = test_zalloc(test, m.size);
	KUNIT_ASSERT_EQ(test, grtrace_session_config_show(&m, NULL), 0);
	while ((line = strsep(&m.buf, "\n")) && *line) {
		ret = trial_config(line);
		idle += ret == -EBUSY;
		if (ret == -EBUSY)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, ret, 0, "%s", line);
		line[strcspn(line, "=")] = '\0';
		known = match_string(others, ARRAY_SIZE(others), line) >= 0;
		for (i = 0; i < ARRAY_SIZE(live_keys); i++)
			known += !strcmp(live_keys[i].name, line);
		KUNIT_EXPECT_GT_MSG(test, known, 0, "%s", line);
	}
	/* mode, clock and the sizes */
	KUNIT_EXPECT_EQ(test, idle, 4);
	trial_stop(test, stream);
}

/* Returns N of the running session. */
static u32 live_sample(void)
{
	guard(mutex)(&grtrace_session_lock);
	return rcu_dereference_protected(grtrace_live, true)->sample;
}

static void live_adapts_from_now_on(struct kunit *test)
{
	struct stream *stream = trial_start(test, "subbuf_size=4096 n_subbufs=2");
	struct grtrace_ring *ring = trial_ring(test, 1);
	unsigned int i;
	u32 sample;

	/* full, and not read */
	for (i = 0; i < 20; i++)
		live_forty_events(ring, 10 * i);
	KUNIT_EXPECT_EQ(test, live_sample(), 1);
	KUNIT_EXPECT_EQ(test, trial_config("adaptive_sampling=1"), 0);
	read_poll_timeout(live_sample, sample, sample > 1, 20 * USEC_PER_MSEC,
			  60 * USEC_PER_SEC, false);
	KUNIT_EXPECT_GT(test, sample, 1);
	KUNIT_EXPECT_EQ(test, trial_config("adaptive_sampling=0"), 0);
	KUNIT_EXPECT_EQ(test, live_sample(), 1);
	trial_stop(test, stream);
}

/* An error; then there are @n snapshots, and no trigger that was pulled beside. */
static void live_error(struct kunit *test, u64 n)
{
	enum grtrace_snapshot_reason reason;
	bool expected = n > grtrace_session_snapshots();
	u64 taken;

	grtrace_error(NULL, &(struct grtrace_job) { .ctx = 1 }, GRTRACE_ERROR_HANG, -EIO);
	if (!expected)
		KUNIT_EXPECT_FALSE(test, grtrace_snapshot_triggered(&reason));
	read_poll_timeout(grtrace_session_snapshots, taken, taken == n, 20 * USEC_PER_MSEC,
			  60 * USEC_PER_SEC, false);
	KUNIT_EXPECT_EQ(test, taken, n);
}

/* By a trigger or by hand: no trigger takes its place until it is discarded. */
static void live_holds_a_snapshot(struct kunit *test)
{
	struct stream *stream = trial_start(test, "mode=overwrite");

	live_error(test, 0);
	KUNIT_EXPECT_EQ(test, trial_config("snapshot_on=error"), 0);
	live_error(test, 1);
	live_error(test, 1);
	/* one by hand does */
	KUNIT_EXPECT_EQ(test, grtrace_session_snapshot(), 0);
	live_error(test, 2);
	KUNIT_EXPECT_EQ(test, grtrace_session_discard(), 0);
	KUNIT_EXPECT_EQ(test, grtrace_session_discard(), -EINVAL);
	live_error(test, 3);
	KUNIT_EXPECT_EQ(test, grtrace_session_discard(), 0);
	KUNIT_EXPECT_EQ(test, grtrace_session_snapshot(), 0);
	live_error(test, 4);
	/* without a trigger, and with another one */
	KUNIT_EXPECT_EQ(test, grtrace_session_discard(), 0);
	KUNIT_EXPECT_EQ(test, trial_config("snapshot_on=none"), 0);
	live_error(test, 4);
	KUNIT_EXPECT_EQ(test, trial_config("snapshot_on=slow_queue,slow_exec"), 0);
	live_error(test, 4);
	KUNIT_EXPECT_EQ(test, trial_config("snapshot_on=slow_exec,error"), 0);
	live_error(test, 5);
	trial_stop(test, stream);
	/* the next session has none, and may fire */
	stream = trial_start(test, "");
	KUNIT_EXPECT_EQ(test, grtrace_session_discard(), -EINVAL);
	live_error(test, 1);
	trial_stop(test, stream);
}

static struct kunit_case live_test_cases[] = {
	KUNIT_CASE_PARAM(live_key_takes_effect, live_key_gen_params),
	KUNIT_CASE(live_keys_are_complete),
	KUNIT_CASE(live_adapts_from_now_on),
	KUNIT_CASE(live_holds_a_snapshot),
	{}
};

static struct kunit_suite live_test_suite = {
	.name = "grtrace_session_live",
	.init = trial_init,
	.test_cases = live_test_cases,
};

kunit_test_suite(live_test_suite);
