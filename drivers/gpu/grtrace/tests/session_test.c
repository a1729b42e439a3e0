// SPDX-License-Identifier: GPL-2.0
/* The session: start, stop, what may change in between, and what it counts. */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../session.h"
#include "../stats.h"
#include "trial.h"

/* What a file of seq_file shows. */
static char *session_shown(struct kunit *test, void (*show)(struct seq_file *m))
{
	struct seq_file m = { .size = SZ_16K };

	m.buf = test_zalloc(test, m.size);
	show(&m);
	KUNIT_ASSERT_FALSE(test, seq_has_overflowed(&m));
	m.buf[m.count] = '\0';
	return m.buf;
}

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
	/* what comes now is nobody's */
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

struct session_write {
	const char *words;
	int idle;	/* what a write returns */
	int running;	/* the same while a session runs */
};

static const struct session_write session_writes[] = {
	{ "level=normal", 0, 0 },
	{ "level=normal filter_ring_id=7 sample=3", 0, 0 },
	{ "mode=overwrite", 0, -EBUSY },
	{ "subbuf_size=8192", 0, -EBUSY },
	{ "n_subbufs=3", 0, -EBUSY },
	{ "order=clock", 0, -EBUSY },
	{ "clock=tai", 0, -EBUSY },
	/* all or none: the first words are good */
	{ "level=normal mode=overwrite", 0, -EBUSY },
	{ "level=normal sample=0", -ERANGE, -ERANGE },
	{ "filter_ring_id=5 filter_ring_id=4294967296", -ERANGE, -ERANGE },
	{ "level=normal nonsense=1", -EINVAL, -EINVAL },
	{ "watch_ctx_add=5 watch_ctx_add=5,x", -EINVAL, -EINVAL },
	{ "watch_pid_add=1,2,3 slow_exec_us=-1", -EINVAL, -EINVAL },
	{ "snapshot_on=error,slow_queue snapshot_on=error,manual", -EINVAL, -EINVAL },
	{ "subbuf_size=16777216 n_subbufs=1024", -ERANGE, -EBUSY },
	{ "", -EINVAL, -EINVAL },
	{ "\n\t ", -EINVAL, -EINVAL },
};

static void session_write_desc(const struct session_write *write, char *desc)
{
	strscpy(desc, *write->words == '\n' ? "blanks" : *write->words ?
		write->words : "nothing", KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(session_write, session_writes, session_write_desc);

/* Does a write change what is shown, exactly if it says that it did? */
static void session_try_write(struct kunit *test, const char *words, int ret)
{
	char *before = session_shown(test, grtrace_session_config_show);

	KUNIT_EXPECT_EQ(test, trial_config(words), ret);
	KUNIT_EXPECT_EQ(test, !!ret,
			!strcmp(before, session_shown(test, grtrace_session_config_show)));
}

static void session_config_all_or_none(struct kunit *test)
{
	char *before = session_shown(test, grtrace_session_config_show);
	const struct session_write *write = test->param_value;
	struct stream *stream;

	session_try_write(test, write->words, write->idle);
	/* back to where it was, by what was shown */
	KUNIT_EXPECT_EQ(test, trial_config(before), 0);
	KUNIT_EXPECT_STREQ(test, session_shown(test, grtrace_session_config_show), before);
	stream = trial_start(test, "");
	session_try_write(test, write->words, write->running);
	trial_stop(test, stream);
}

/* A change holds from the next event on. */
static void session_config_while_running(struct kunit *test)
{
	struct stream *stream = trial_start(test, "");

	trial_job(GRTRACE_SUBMIT, NULL, 1, 1);
	KUNIT_ASSERT_EQ(test, trial_config("filter_type_mask=0x4"), 0);
	trial_job(GRTRACE_SUBMIT, NULL, 1, 2);
	KUNIT_ASSERT_EQ(test, trial_config("filter_type_mask=0x2 watch_ctx_add=1"), 0);
	trial_job(GRTRACE_SUBMIT, NULL, 1, 3);
	trial_job(GRTRACE_SUBMIT, NULL, 2, 4);
	/* refused as a whole */
	KUNIT_ASSERT_EQ(test, trial_config("filter_type_mask=0x1 x=y"), -EINVAL);
	trial_job(GRTRACE_SUBMIT, NULL, 1, 5);
	KUNIT_ASSERT_EQ(test, trial_config("watch_ctx_clear=1"), 0);
	trial_job(GRTRACE_SUBMIT, NULL, 2, 6);
	expect_stat(test, FILTERED_TYPE, 1);
	expect_stat(test, FILTERED_WATCH, 1);
	trial_stop(test, stream);
	expect_count(stream, SUBMIT, 4);
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

/* ------------------------------------------------------------- counters */

static void session_reset_is_exact(struct kunit *test)
{
	struct stream *stream = trial_start(test, "filter_type_mask=0x2");
	unsigned int round, i;

	for (round = 0; round < 5; round++) {
		for (i = 0; i < 100; i++)
			trial_job(GRTRACE_SUBMIT, NULL, 1, i);
		for (i = 0; i < 30; i++)
			trial_job(GRTRACE_PICK, NULL, 1, i);
		expect_stat(test, OFFERED, 130);
		expect_stat(test, WRITTEN, 100);
		KUNIT_EXPECT_EQ(test, grtrace_stat_type_sum(GRTRACE_SUBMIT), 100);
		expect_stat(test, FILTERED_TYPE, 30);
		KUNIT_ASSERT_EQ(test, trial_config("reset_stats=1"), 0);
		expect_stat(test, OFFERED, 0);
		expect_stat(test, BYTES_WRITTEN, 0);
		/* it is a deed, not a state; and 0 does nothing */
		trial_job(GRTRACE_SUBMIT, NULL, 1, i);
		KUNIT_ASSERT_EQ(test, trial_config("reset_stats=0 filter_type_mask=0x2"), 0);
		expect_stat(test, OFFERED, 1);
		KUNIT_ASSERT_EQ(test, trial_config("reset_stats=1"), 0);
	}
	stream->counters_reset = true;
	trial_stop(test, stream);
	/* the stream knows nothing of it */
	expect_count(stream, SUBMIT, 505);
}

struct session_load {
	bool stop;
	u64 jobs;
	struct completion done;
};

static int session_load_fn(void *data)
{
	struct session_load *load = data;

	while (!READ_ONCE(load->stop)) {
		trial_job(GRTRACE_SUBMIT, NULL, 3, load->jobs);
		trial_job(GRTRACE_PICK, NULL, 3, load->jobs);
		if (!(++load->jobs % 64))
			cond_resched();
	}
	complete(&load->done);
	return 0;
}

/* Reset again and again while another CPU writes: the sums still agree. */
static void session_reset_under_load(struct kunit *test)
{
	struct session_load load = {};
	struct task_struct *task;
	struct stream *stream;
	unsigned int i;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	/* it would be much to read */
	stream = trial_start(test, "mode=overwrite filter_type_mask=0x2");
	init_completion(&load.done);
	task = kthread_create(session_load_fn, &load, "grtrace-load");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	kthread_bind(task, cpumask_last(cpu_online_mask));
	wake_up_process(task);
	for (i = 0; i < 5; i++) {
		KUNIT_EXPECT_EQ(test, trial_config("reset_stats=1"), 0);
		usleep_range(500, 2000);
	}
	WRITE_ONCE(load.stop, true);
	wait_for_completion(&load.done);
	KUNIT_EXPECT_GT(test, load.jobs, 0);
	trial_stop(test, stream);
	KUNIT_EXPECT_LE(test, grtrace_stat_sum(GRTRACE_STAT_OFFERED), 2 * load.jobs);
	/* a PICK was filtered for each SUBMIT, but for the one that is cut */
	KUNIT_EXPECT_LE(test, abs_diff(grtrace_stat_sum(GRTRACE_STAT_FILTERED_TYPE),
				       grtrace_stat_sum(GRTRACE_STAT_OFFERED) / 2), 1);
}

static struct kunit_case session_test_cases[] = {
	KUNIT_CASE(session_starts_and_stops),
	KUNIT_CASE_PARAM(session_config_all_or_none, session_write_gen_params),
	KUNIT_CASE(session_config_while_running),
	KUNIT_CASE(session_messages),
	KUNIT_CASE(session_reset_is_exact),
	KUNIT_CASE_SLOW(session_reset_under_load),
	{}
};

static struct kunit_suite session_test_suite = {
	.name = "grtrace_session",
	.init = trial_init,
	.test_cases = session_test_cases,
};

kunit_test_suite(session_test_suite);
