// SPDX-License-Identifier: GPL-2.0
/* The session: start, stop, and what may change in between. */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/relay.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../live.h"
#include "../session.h"
#include "../stats.h"
#include "trial.h"

static void session_starts_and_stops(struct kunit *test)
{
	struct stream *first, *second;
	const struct grtrace_rec_stream_info *info;
	u64 id;

	KUNIT_EXPECT_EQ(test, grtrace_session_stop(), -EINVAL);
	KUNIT_EXPECT_FALSE(test, grtrace_running());

	first = trial_start(test, "");
	KUNIT_EXPECT_TRUE(test, grtrace_running());
	KUNIT_EXPECT_EQ(test, grtrace_session_start(), -EBUSY);
	KUNIT_EXPECT_STREQ(test, grtrace_session_state(), "running");
	trial_job(GRTRACE_SUBMIT, NULL, 1, 1);
	id = first->channel->session;
	trial_stop(test, first);
	KUNIT_EXPECT_STREQ(test, grtrace_session_state(), "stopped");
	KUNIT_EXPECT_FALSE(test, grtrace_running());
	KUNIT_EXPECT_EQ(test, grtrace_session_stop(), -EINVAL);
	/* records from here on belong to no session */
	trial_job(GRTRACE_SUBMIT, NULL, 1, 2);
	expect_stat(test, OFFERED, 1);
	expect_count(first, SUBMIT, 1);
	info = stream_nth(first, GRTRACE_STREAM_INFO, 0)->raw;
	KUNIT_EXPECT_EQ(test, le64_to_cpu(info->session), id);
	KUNIT_EXPECT_NE(test, id, 0);

	second = trial_start(test, "");
	KUNIT_EXPECT_NE(test, second->channel->session, id);
	expect_stat(test, OFFERED, 0);
	trial_stop(test, second);
	expect_count(second, SUBMIT, 0);
}

static void session_messages(struct kunit *test)
{
	static const size_t lengths[] = { 0, 1, 7, 8, 9, 1000, GRTRACE_MESSAGE_MAX };
	char *text = test_zalloc(test, GRTRACE_MESSAGE_MAX + 1);
	const struct grtrace_rec_message *rec;
	struct stream *stream;
	size_t i, length;

	memset(text, 'x', GRTRACE_MESSAGE_MAX + 1);
	KUNIT_EXPECT_EQ(test, grtrace_session_message(text, 5), -EPIPE);
	stream = trial_start(test, "");
	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		KUNIT_EXPECT_EQ(test, grtrace_session_message(text, lengths[i]), 0);
	KUNIT_EXPECT_EQ(test, grtrace_session_message(text, GRTRACE_MESSAGE_MAX + 1), -E2BIG);
	/* what is in the channel can be read after the end, to the last record */
	trial_stop(test, stream);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		rec = stream_nth(stream, GRTRACE_MESSAGE, i)->raw;
		length = le16_to_cpu(rec->seq.hdr.size) - sizeof(*rec);
		KUNIT_EXPECT_EQ(test, length, ALIGN(lengths[i], 8));
		KUNIT_EXPECT_MEMEQ(test, rec->text, text, lengths[i]);
		KUNIT_EXPECT_NULL(test, memchr_inv(rec->text + lengths[i], '\0',
						   length - lengths[i]));
	}
}

/* Without a session no second passes by itself: the lines are those of the last 64. */
static void session_keeps_the_last_seconds(struct kunit *test)
{
	struct seq_file m = { .size = SZ_16K };
	u64 second, shown, want = 7;
	char *line;
	int numbers;

	grtrace_seconds_reset();
	for (second = 1; second <= 70; second++) {
		scoped_guard(irqsave)
			grtrace_stat_add(GRTRACE_STAT_OFFERED, second);
		if (second < 70)
			grtrace_seconds_pass();
	}
	m.buf = test_zalloc(test, m.size);
	grtrace_seconds_show(&m, NULL);
	KUNIT_EXPECT_TRUE(test, strstarts(strsep(&m.buf, "\n"), "second,offered,"));
	while ((line = strsep(&m.buf, "\n")) && *line) {
		numbers = sscanf(line, "%llu,%llu,", &second, &shown);
		KUNIT_ASSERT_EQ(test, numbers, 2);
		KUNIT_EXPECT_EQ(test, shown, want++);
	}
	KUNIT_EXPECT_EQ(test, want, 71);
	grtrace_seconds_reset();
}

/* As Documentation/ABI/testing/debugfs-grtrace has them, which check/pages.py compares. */
static const struct {
	enum grtrace_stat stat;
	const char *name;
} session_counters[] = {
	{ GRTRACE_STAT_OFFERED, "offered" },
	{ GRTRACE_STAT_WRITTEN, "written" },
	{ GRTRACE_STAT_FILTERED, "filtered" },
	{ GRTRACE_STAT_FILTERED_LEVEL, "filtered_level" },
	{ GRTRACE_STAT_FILTERED_TYPE, "filtered_type" },
	{ GRTRACE_STAT_FILTERED_ENGINE, "filtered_engine" },
	{ GRTRACE_STAT_FILTERED_RING, "filtered_ring" },
	{ GRTRACE_STAT_FILTERED_DEVICE, "filtered_device" },
	{ GRTRACE_STAT_FILTERED_WATCH, "filtered_watch" },
	{ GRTRACE_STAT_SAMPLED_OUT, "sampled_out" },
	{ GRTRACE_STAT_LOST, "lost" },
	{ GRTRACE_STAT_RATE_LIMITED, "rate_limited_drops" },
	{ GRTRACE_STAT_BACKPRESSURE, "backpressure_drops" },
	{ GRTRACE_STAT_RESERVE_FAIL, "writes_reserve_fail" },
	{ GRTRACE_STAT_OVERSIZE, "writes_oversize" },
	{ GRTRACE_STAT_NMI, "writes_nmi" },
	{ GRTRACE_STAT_DISABLED, "writes_disabled" },
	{ GRTRACE_STAT_NOTES, "notes" },
	{ GRTRACE_STAT_INFOS, "infos" },
	{ GRTRACE_STAT_LOST_NOTES, "lost_notes" },
	{ GRTRACE_STAT_WRITES_OK, "writes_ok" },
	{ GRTRACE_STAT_SHORT, "writes_short" },
	{ GRTRACE_STAT_OVERWRITTEN, "overwritten" },
	{ GRTRACE_STAT_BYTES_WRITTEN, "bytes_written" },
	{ GRTRACE_STAT_BYTES_DROPPED, "bytes_dropped" },
	{ GRTRACE_STAT_RINGS_FULL, "rings_full" },
	{ GRTRACE_STAT_SLOW_QUEUE, "slow_queue" },
	{ GRTRACE_STAT_SLOW_EXEC, "slow_exec" },
	{ GRTRACE_STAT_RULES_FORGOTTEN, "rules_forgotten" },
};

static void session_counters_have_names(struct kunit *test)
{
	size_t i;

	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(session_counters), GRTRACE_STAT_COUNT);
	for (i = 0; i < ARRAY_SIZE(session_counters); i++)
		KUNIT_EXPECT_STREQ(test, grtrace_stat_name(session_counters[i].stat),
				   session_counters[i].name);
}

/*
 * The sums of all possible CPUs: uml.sh leaves one of them offline. Nothing else counts
 * here, because no session runs.
 */
static void session_resets_every_cpu(struct kunit *test)
{
	unsigned int i;
	int cpu;

	KUNIT_ASSERT_EQ(test, grtrace_stats_prepare(), 0);
	for_each_possible_cpu(cpu) {
		memset64(per_cpu(grtrace_stats, cpu), 3, GRTRACE_STAT_COUNTERS);
		memset64(per_cpu_ptr(grtrace_written, cpu)->events[0], 5, GRTRACE_TYPE_LIMIT);
		memset64(per_cpu_ptr(grtrace_written, cpu)->latency, 7, GRTRACE_HIST_BUCKETS);
	}
	expect_stat(test, NOTES, 3 * num_possible_cpus());
	expect_stat(test, WRITTEN, 5 * GRTRACE_TYPE_LIMIT * num_possible_cpus());
	KUNIT_EXPECT_EQ(test, grtrace_stat_type_sum(1), 5 * num_possible_cpus());
	KUNIT_EXPECT_EQ(test, grtrace_stat_latency_sum(2), 7 * num_possible_cpus());
	/* what has 32 bytes: 16 to 31 is before it */
	KUNIT_EXPECT_EQ(test, grtrace_stat_size_sum(2),
			5 * GRTRACE_TYPE_LIMIT * num_possible_cpus());
	grtrace_stats_reset();
	for (i = 0; i < GRTRACE_STAT_COUNT; i++)
		KUNIT_EXPECT_EQ_MSG(test, grtrace_stat_sum(i), 0, "%s", grtrace_stat_name(i));
	KUNIT_EXPECT_EQ(test, grtrace_stat_latency_sum(2), 0);
}

#if IS_BUILTIN(CONFIG_GRTRACE) && IS_ENABLED(CONFIG_FAILSLAB)
/*
 * A CPU that comes during a session stays offline if this fails, which it does without memory
 * for the CPU's buffer, wherever that ends: each request and all after it fail, as kmemleak's
 * own do no harm. uml/kunit.sh lets all requests fail.
 */
static void session_cpu_without_memory(struct kunit *test)
{
	struct stream *stream = trial_start(test, "subbuf_size=4096 n_subbufs=2");
	unsigned int cpu, nth, failed = 0;
	int ret = -ENOMEM;

	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			break;
	if (cpu >= nr_cpu_ids)
		kunit_skip(test, "all CPUs are online");
	for (nth = 1; ret; nth++) {
		KUNIT_ASSERT_NULL(test, grtrace_channel_buf(stream->channel, cpu));
		current->make_it_fail = 1;
		WRITE_ONCE(current->fail_nth, nth);
		ret = relay_prepare_cpu(cpu);
		WRITE_ONCE(current->fail_nth, 0);
		current->make_it_fail = 0;
		if (ret)
			KUNIT_ASSERT_EQ(test, ret, -ENOMEM);
		failed += !!ret;
	}
	KUNIT_EXPECT_NOT_NULL(test, grtrace_channel_buf(stream->channel, cpu));
	trial_stop(test, stream);
	if (!failed)
		kunit_skip(test, "the kernel injects no faults");
	/* relay's own, two pages and a name at least */
	KUNIT_EXPECT_GT(test, failed, 4);
}

#define HOGS	1000

/*
 * Each request of a start fails, and all after it. That for the counters is made once, and
 * per-CPU memory is mostly there: another one takes all of it.
 */
static void session_starts_without_memory(struct kunit *test)
{
	struct grtrace_written __percpu **hogs = test_zalloc(test, HOGS * sizeof(*hogs));
	unsigned int n, nth, failed = 0;
	int ret = -ENOMEM;

	grtrace_stats_exit();
	for (n = 0; n < HOGS; n++) {
		WRITE_ONCE(current->fail_nth, 1);
		hogs[n] = alloc_percpu(struct grtrace_written);
		WRITE_ONCE(current->fail_nth, 0);
		if (!hogs[n])
			break;
	}
	for (nth = 1; ret; nth++) {
		current->make_it_fail = 1;
		WRITE_ONCE(current->fail_nth, nth);
		ret = grtrace_session_start();
		WRITE_ONCE(current->fail_nth, 0);
		current->make_it_fail = 0;
		if (ret)
			KUNIT_ASSERT_EQ(test, ret, -ENOMEM);
		failed += !!ret;
	}
	KUNIT_EXPECT_EQ(test, grtrace_session_stop(), 0);
	while (n--)
		free_percpu(hogs[n]);
	if (!failed)
		kunit_skip(test, "the kernel injects no faults");
	kunit_info(test, "%u failures\n", failed);
	KUNIT_EXPECT_GT(test, failed, 10);
}
#endif

static struct kunit_case session_test_cases[] = {
	KUNIT_CASE(session_starts_and_stops),
	KUNIT_CASE(session_messages),
	KUNIT_CASE(session_keeps_the_last_seconds),
	KUNIT_CASE(session_counters_have_names),
	KUNIT_CASE(session_resets_every_cpu),
#if IS_BUILTIN(CONFIG_GRTRACE) && IS_ENABLED(CONFIG_FAILSLAB)
	KUNIT_CASE(session_cpu_without_memory),
	KUNIT_CASE_SLOW(session_starts_without_memory),
#endif
	{}
};

static struct kunit_suite session_test_suite = {
	.name = "grtrace_session",
	.init = trial_init,
	.test_cases = session_test_cases,
};

kunit_test_suite(session_test_suite);
