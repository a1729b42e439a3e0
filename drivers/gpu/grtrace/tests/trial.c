// SPDX-License-Identifier: GPL-2.0
/*
 * A test's own session is the kernel's one: it begins with the defaults, and
 * they are restored. The test stays on one CPU. Events that the sources see of
 * the rest of the machine would be in the stream as well: nothing else may run.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../config.h"
#include "../live.h"
#include "../rings.h"
#include "../session.h"
#include "../stats.h"
#include "trial.h"

#ifdef GRTRACE_COMPAT
#include "../compat.h"
#endif

/* Where a session differs from the defaults: small, and its lists begin empty. */
#define TRIAL_CONFIG \
	"subbuf_size=65536 n_subbufs=8 watch_ctx_clear=1 watch_ring_clear=1 watch_pid_clear=1"

/* The keys of the rings of the tests. */
static char trial_keys[16];

/* As grtrace_session_config_write(), but that the words stay as they are. */
int trial_config(const char *words)
{
	char *text = kstrdup(words, GFP_KERNEL);
	int ret = text ? grtrace_session_config_write(text) : -ENOMEM;

	kfree(text);
	return ret;
}

static int trial_restore(void)
{
	struct grtrace_config *config __free(kfree) = kzalloc(sizeof(*config), GFP_KERNEL);
	char *text __free(kfree) = kzalloc(SZ_4K, GFP_KERNEL);
	struct seq_file m = { .buf = text, .size = SZ_4K };

	if (!config || !text)
		return -ENOMEM;
	grtrace_config_default(config);
	grtrace_config_show(config, &m);
	return grtrace_session_config_write(text) ?: trial_config(TRIAL_CONFIG);
}

static void trial_end(void *unused)
{
	size_t i;

	grtrace_session_stop();
	trial_restore();
	for (i = 0; i < sizeof(trial_keys); i++)
		grtrace_ring_retire(&trial_keys[i]);
	/* room for the next test's */
	grtrace_rings_forget();
}

/* For a suite's init; a session that a test leaves behind ends with it. */
int trial_init(struct kunit *test)
{
	int ret;

	if (!strcmp(grtrace_session_state(), "running"))
		return -EBUSY;
	/* each test has a task of its own */
	set_cpus_allowed_ptr(current, cpumask_of(cpumask_first(cpu_online_mask)));
	ret = grtrace_rings_prepare_table();
	if (ret)
		return ret;
	ret = trial_restore();
	return ret ?: kunit_add_action_or_reset(test, trial_end, NULL);
}
EXPORT_SYMBOL_FOR_MODULES(trial_init, "grtrace*");

/* Start the session, with words that differ from the defaults. */
struct stream *trial_start(struct kunit *test, const char *words)
{
	if (*words)
		KUNIT_ASSERT_EQ(test, trial_config(words), 0);
	KUNIT_ASSERT_EQ(test, grtrace_session_start(), 0);
	return stream_wrap(test, rcu_dereference_protected(grtrace_live, true)->channel);
}
EXPORT_SYMBOL_FOR_MODULES(trial_start, "grtrace*");

/* Stop the session, read all, check the books. */
void trial_stop(struct kunit *test, struct stream *stream)
{
	u64 events = 0, lost = 0, limited = 0, pressure = 0;
	u64 count[GRTRACE_STAT_COUNT];
	unsigned int i;

	KUNIT_ASSERT_EQ(test, grtrace_session_stop(), 0);
	stream_read(stream);
	for (i = 0; i < GRTRACE_STAT_COUNT; i++)
		count[i] = grtrace_stat_sum(i);
	for (i = 0; i < stream->n; i++) {
		const struct grtrace_rec_lost *rec = stream->record[i].raw;

		events += stream->record[i].type < GRTRACE_TYPE_LIMIT;
		if (stream->record[i].type != GRTRACE_LOST)
			continue;
		lost += le64_to_cpu(rec->events);
		limited += le64_to_cpu(rec->limited);
		pressure += le64_to_cpu(rec->pressure);
	}

	KUNIT_EXPECT_EQ(test, count[GRTRACE_STAT_OFFERED],
			count[GRTRACE_STAT_WRITTEN] + count[GRTRACE_STAT_FILTERED] +
			count[GRTRACE_STAT_SAMPLED_OUT] + count[GRTRACE_STAT_LOST]);
	KUNIT_EXPECT_EQ(test, count[GRTRACE_STAT_WRITTEN] + count[GRTRACE_STAT_NOTES] +
			count[GRTRACE_STAT_INFOS],
			count[GRTRACE_STAT_WRITES_OK] + count[GRTRACE_STAT_SHORT]);
	if (stream->channel->overwrite)
		return;
	KUNIT_EXPECT_EQ(test, events, count[GRTRACE_STAT_WRITTEN]);
	KUNIT_EXPECT_EQ(test, limited, count[GRTRACE_STAT_RATE_LIMITED]);
	KUNIT_EXPECT_EQ(test, pressure, count[GRTRACE_STAT_BACKPRESSURE]);
	KUNIT_EXPECT_EQ(test, lost, count[GRTRACE_STAT_LOST]);
}
EXPORT_SYMBOL_FOR_MODULES(trial_stop, "grtrace*");

/* A ring of the tests, of an earlier session unless one runs; @n is below 16. */
struct grtrace_ring *trial_ring(struct kunit *test, unsigned int n)
{
	const struct grtrace_ring_desc desc = {
		.driver = "kunit",
		.name = "ring",
		.engine_class = n % GRTRACE_CLASS_COUNT,
	};
	struct stream *earlier = grtrace_running() ? NULL : trial_start(test, "");
	struct grtrace_ring *ring = grtrace_ring_submit(&trial_keys[n], 1, &desc);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	if (earlier)
		trial_stop(test, earlier);
	return ring;
}

/* As set_task_comm(current), which no module can call. */
void trial_rename(const char *comm)
{
	task_lock(current);
	strscpy_pad(current->comm, comm);
	task_unlock(current);
}

void trial_job(unsigned int type, struct grtrace_ring *ring, u64 ctx, u64 seqno)
{
	const struct grtrace_job job = { .ctx = ctx, .seqno = seqno };

	if (type == GRTRACE_SUBMIT)
		grtrace_submit(ring, &job, 0);
	else
		grtrace_job(type, ring, &job);
}

void trial_job_fence(unsigned int type, struct grtrace_ring *ring, u64 ctx,
		     u64 seqno, u64 fence_ctx, u64 fence_seqno)
{
	grtrace_job_fence(type, ring, &(struct grtrace_job) {
		.ctx = ctx, .seqno = seqno, .fence_ctx = fence_ctx,
		.fence_seqno = fence_seqno });
}
