// SPDX-License-Identifier: GPL-2.0
/*
 * A test's own session is the kernel's one: it begins with the defaults, and
 * they are restored. The test stays on one CPU. What the sources see of the
 * rest of the machine would be in the stream as well: nothing else may run.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../live.h"
#include "../rings.h"
#include "../session.h"
#include "../stats.h"
#include "trial.h"

#ifdef GRTRACE_COMPAT
#include "../compat.h"
#endif

static const char * const trial_defaults[] = {
	"mode=stop", "subbuf_size=65536", "n_subbufs=8", "order=gseq",
	"clock=mono", "level=verbose", "filter_type_mask=0xffffffffffffffff",
	"filter_engine_mask=0xffffffffffffffff",
	"filter_ring_mask=0xffffffffffffffff", "filter_ring_id=0",
	"filter_device=all", "watch_allow_mode=1", "watch_combine=or",
	"watch_ctx_clear=1", "watch_ring_clear=1", "watch_pid_clear=1",
	"sample=1", "adaptive_sampling=0", "max_events_per_sec=0",
	"rate_limiter_mode=1", "burst=0", "backpressure_threshold=0",
	"slow_queue_us=0", "slow_exec_us=0", "snapshot_on=none", "profile=0",
};

/* What the rings of the tests are known by. */
static char trial_keys[16];

/**
 * trial_config - write to the configuration
 * @words: the words; stay as they are
 *
 * Return: as grtrace_session_config_write().
 */
int trial_config(const char *words)
{
	char *text = kstrdup(words, GFP_KERNEL);
	int ret = text ? grtrace_session_config_write(text) : -ENOMEM;

	kfree(text);
	return ret;
}

static int trial_restore(void)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < ARRAY_SIZE(trial_defaults); i++)
		ret = trial_config(trial_defaults[i]);
	return ret;
}

/**
 * trial_init - for a suite's init
 * @test: the test
 */
int trial_init(struct kunit *test)
{
	if (!strcmp(grtrace_session_state(), "running"))
		return -EBUSY;
	set_cpus_allowed_ptr(current, cpumask_of(cpumask_first(cpu_online_mask)));
	return trial_restore();
}
EXPORT_SYMBOL_FOR_MODULES(trial_init, "grtrace*");

/**
 * trial_exit - for a suite's exit
 * @test: the test
 */
void trial_exit(struct kunit *test)
{
	struct grtrace_ring *ring;
	size_t i;

	grtrace_session_stop();
	trial_restore();
	for (i = 0; i < sizeof(trial_keys); i++) {
		ring = grtrace_rings_find(&trial_keys[i]);
		if (ring)
			grtrace_ring_retire(ring);
	}
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}
EXPORT_SYMBOL_FOR_MODULES(trial_exit, "grtrace*");

/**
 * trial_start - start the session
 * @test: the test
 * @words: what differs from the defaults
 *
 * Return: its stream, not yet read.
 */
struct stream *trial_start(struct kunit *test, const char *words)
{
	if (*words)
		KUNIT_ASSERT_EQ(test, trial_config(words), 0);
	KUNIT_ASSERT_EQ(test, grtrace_session_start(), 0);
	return stream_wrap(test, rcu_dereference_protected(grtrace_live, true)->channel);
}
EXPORT_SYMBOL_FOR_MODULES(trial_start, "grtrace*");

/**
 * trial_stop - stop the session, read all, check the books
 * @test: the test
 * @stream: the session's
 */
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
			count[GRTRACE_STAT_WRITTEN] +
			count[GRTRACE_STAT_FILTERED_LEVEL] +
			count[GRTRACE_STAT_FILTERED_TYPE] +
			count[GRTRACE_STAT_FILTERED_ENGINE] +
			count[GRTRACE_STAT_FILTERED_RING] +
			count[GRTRACE_STAT_FILTERED_DEVICE] +
			count[GRTRACE_STAT_FILTERED_WATCH] +
			count[GRTRACE_STAT_SAMPLED_OUT] + count[GRTRACE_STAT_LOST]);
	KUNIT_EXPECT_EQ(test, count[GRTRACE_STAT_WRITTEN] +
			count[GRTRACE_STAT_NOTES] + count[GRTRACE_STAT_INFOS],
			count[GRTRACE_STAT_WRITES_OK] +
			count[GRTRACE_STAT_SHORT]);
	if (stream->channel->overwrite || stream->counters_reset)
		return;
	KUNIT_EXPECT_EQ(test, events, count[GRTRACE_STAT_WRITTEN]);
	KUNIT_EXPECT_EQ(test, limited, count[GRTRACE_STAT_RATE_LIMITED]);
	KUNIT_EXPECT_EQ(test, pressure, count[GRTRACE_STAT_BACKPRESSURE]);
	KUNIT_EXPECT_EQ(test, lost, count[GRTRACE_STAT_LOST]);
}
EXPORT_SYMBOL_FOR_MODULES(trial_stop, "grtrace*");

/**
 * trial_source - skip the test where a source is not loaded
 * @test: the test
 * @stream: what it wrote, read
 * @name: the source
 *
 * A source that is loaded and not attached to all that it listens to is what the test
 * is for: it fails.
 */
void trial_source(struct kunit *test, const struct stream *stream, const char *name)
{
	const size_t head = sizeof(struct grtrace_rec_metadata);
	unsigned int found, known;
	char want[32];
	int numbers;
	size_t i;

	snprintf(want, sizeof(want), "source %s ", name);
	for (i = 0; i < stream->n; i++) {
		const struct stream_record *record = &stream->record[i];
		const char *line;

		if (record->type != GRTRACE_METADATA)
			continue;
		line = strnstr(record->raw + head, want, record->size - head);
		if (!line)
			continue;
		numbers = sscanf(line + strlen(want), "%u %u", &found, &known);
		KUNIT_ASSERT_EQ(test, numbers, 2);
		KUNIT_ASSERT_EQ_MSG(test, found, known,
				    "tracepoints that %s attached to", name);
		return;
	}
	kunit_skip(test, "grtrace_%s is not loaded", name);
}
EXPORT_SYMBOL_FOR_MODULES(trial_source, "grtrace*");

/**
 * trial_ring - a ring of the tests
 * @test: the test
 * @n: which, below 16
 */
struct grtrace_ring *trial_ring(struct kunit *test, unsigned int n)
{
	const struct grtrace_ring_desc desc = {
		.driver = "kunit",
		.name = "ring",
		.engine_class = n % GRTRACE_CLASS_COUNT,
		.owned = true,
	};
	struct grtrace_ring *ring = grtrace_ring_intern(&trial_keys[n], &desc);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	return ring;
}

/**
 * trial_rename - give the current task another name
 * @comm: the name
 *
 * As set_task_comm(), which no module can call.
 */
void trial_rename(const char *comm)
{
	task_lock(current);
	strscpy_pad(current->comm, comm);
	task_unlock(current);
}

/**
 * trial_job - an event of a job
 * @type: the event
 * @ring: its ring, or NULL
 * @ctx: context of the job
 * @seqno: its seqno
 */
void trial_job(unsigned int type, struct grtrace_ring *ring, u64 ctx, u64 seqno)
{
	grtrace_job(type, ring, &(struct grtrace_job) {
		.ctx = ctx, .seqno = seqno });
}

/**
 * trial_job_fence - an event of a job that names a second fence
 * @type: the event
 * @ring: its ring, or NULL
 * @ctx: context of the job
 * @seqno: its seqno
 * @fence_ctx: context of the fence
 * @fence_seqno: its seqno
 */
void trial_job_fence(unsigned int type, struct grtrace_ring *ring, u64 ctx,
		     u64 seqno, u64 fence_ctx, u64 fence_seqno)
{
	grtrace_job_fence(type, ring, &(struct grtrace_job) {
		.ctx = ctx, .seqno = seqno, .fence_ctx = fence_ctx,
		.fence_seqno = fence_seqno });
}
