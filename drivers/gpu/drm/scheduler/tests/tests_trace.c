// SPDX-License-Identifier: GPL-2.0

#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/tracepoint.h>

#include "sched_tests.h"
#include "../gpu_scheduler_trace.h"

/*
 * The trace events of the scheduler: probes on them write down what they are
 * called with, and a test compares that with what it has done.
 *
 * The mock scheduler is told to do the easy things. For the others (a run_job()
 * that fails, jobs that are run again, jobs that never run) its callbacks are
 * replaced by those below.
 */

#define TRACE_TIMEOUT	(HZ / 5)
#define TRACE_MAX	16

enum trace_id {
	TRACE_ARM,
	TRACE_QUEUE,
	TRACE_RUN,
	TRACE_HW_FENCE,
	TRACE_DONE,
	TRACE_TIMEDOUT,
	TRACE_TIMEDOUT_DONE,
	TRACE_STOP,
	TRACE_START,
	TRACE_ENTITY_KILL,
	TRACE_JOB_KILL,
	TRACE_COUNT
};

/**
 * struct trace_entry - an event as the probes saw it
 *
 * @id: which one
 * @value: status, error or number of jobs
 * @context: context of the job's finished fence
 * @seqno: its seqno
 * @hw_context: context of the hardware fence
 * @hw_seqno: its seqno
 */
struct trace_entry {
	enum trace_id id;
	int value;
	u64 context;
	u64 seqno;
	u64 hw_context;
	u64 hw_seqno;
};

/**
 * struct trace_log - what happened to one scheduler
 *
 * @test: the test
 * @mock: its scheduler; others are none of our business
 * @entity: its entity, where the test needs one to be seen
 * @nr: number of events, also of those beyond @entries
 * @entries: the first of them, in order
 * @seen: completed by each event
 * @no_fence: trace_run_job() returns no fence
 * @error: but this, or NULL if it is 0
 * @freed: completed by trace_free_job()
 * @hw_context: context of the fences of trace_run_job()
 * @hw_seqno: seqno of the newest of them
 * @hw_fence: the newest of them
 * @lock: theirs
 */
struct trace_log {
	struct kunit *test;
	struct drm_mock_scheduler *mock;
	struct drm_sched_entity *entity;
	atomic_t nr;
	struct trace_entry entries[TRACE_MAX];
	struct completion seen[TRACE_COUNT];
	bool no_fence;
	int error;
	struct completion freed;
	u64 hw_context;
	u64 hw_seqno;
	struct dma_fence *hw_fence;
	spinlock_t lock; /* of the fences */
};

/* In any context, as it is called by probes. */
static void trace_add(struct trace_log *log, const struct trace_entry *entry)
{
	int i = atomic_inc_return(&log->nr) - 1;

	if (i < TRACE_MAX)
		log->entries[i] = *entry;
	complete(&log->seen[entry->id]);
}

static bool trace_mine(const struct trace_log *log,
		       const struct drm_gpu_scheduler *sched)
{
	return log->mock && sched == &log->mock->base;
}

static const struct dma_fence trace_no_fence;

static const struct dma_fence *trace_fence(const struct dma_fence *fence)
{
	return IS_ERR_OR_NULL(fence) ? &trace_no_fence : fence;
}

/*
 * A probe: it has @proto, and where @mine is true it writes down the event as @id
 * with the values that follow.
 */
#define TRACE_PROBE(event, _id, mine, proto, ...)			\
static void trace_##event##_probe(void *data, proto)			\
{									\
	struct trace_log *log = data;					\
									\
	if (mine)							\
		trace_add(log, &(struct trace_entry) {			\
			.id = TRACE_##_id, __VA_ARGS__ });		\
}									\
									\
static void trace_##event##_detach(void *log)				\
{									\
	unregister_trace_##event(trace_##event##_probe, log);		\
	tracepoint_synchronize_unregister();				\
}									\
									\
static void trace_##event##_attach(struct trace_log *log)		\
{									\
	int ret;							\
									\
	ret = register_trace_##event(trace_##event##_probe, log);	\
	KUNIT_ASSERT_EQ(log->test, ret, 0);				\
	ret = kunit_add_action_or_reset(log->test,			\
					trace_##event##_detach, log);	\
	KUNIT_ASSERT_EQ(log->test, ret, 0);				\
}

#define TRACE_PROTO(...)	__VA_ARGS__
#define TRACE_FENCE(s_fence)						\
	.context = (s_fence)->finished.context,				\
	.seqno = (s_fence)->finished.seqno
#define TRACE_JOB_PROBE(event, _id, proto, ...)				\
	TRACE_PROBE(event, _id, trace_mine(log, job->sched),		\
		    TRACE_PROTO(struct drm_sched_job *job, proto),	\
		    TRACE_FENCE(job->s_fence), __VA_ARGS__)

TRACE_JOB_PROBE(drm_sched_job_arm, ARM, struct drm_sched_entity *entity)
TRACE_JOB_PROBE(drm_sched_job_queue, QUEUE, struct drm_sched_entity *entity)
TRACE_JOB_PROBE(drm_sched_job_run, RUN, struct drm_sched_entity *entity)
TRACE_JOB_PROBE(drm_sched_job_hw_fence, HW_FENCE, struct dma_fence *fence,
		.hw_context = trace_fence(fence)->context,
		.hw_seqno = trace_fence(fence)->seqno,
		.value = PTR_ERR_OR_ZERO(fence))
TRACE_JOB_PROBE(drm_sched_job_kill, JOB_KILL, int error, .value = error)
TRACE_PROBE(drm_sched_job_timedout, TIMEDOUT, trace_mine(log, job->sched),
	    struct drm_sched_job *job, TRACE_FENCE(job->s_fence))
TRACE_PROBE(drm_sched_job_done, DONE, trace_mine(log, s_fence->sched),
	    struct drm_sched_fence *s_fence, TRACE_FENCE(s_fence))
TRACE_PROBE(drm_sched_job_timedout_done, TIMEDOUT_DONE, trace_mine(log, sched),
	    TRACE_PROTO(struct drm_gpu_scheduler *sched, u64 context, u64 seqno,
			enum drm_gpu_sched_stat status),
	    .context = context, .seqno = seqno, .value = status)
TRACE_PROBE(drm_sched_stop, STOP, trace_mine(log, sched),
	    struct drm_gpu_scheduler *sched)
TRACE_PROBE(drm_sched_start, START, trace_mine(log, sched),
	    struct drm_gpu_scheduler *sched)
TRACE_PROBE(drm_sched_entity_kill, ENTITY_KILL, entity == log->entity,
	    struct drm_sched_entity *entity,
	    .context = entity->fence_context + 1,
	    .value = spsc_queue_count(&entity->job_queue))

static void (* const trace_attach[])(struct trace_log *log) = {
	trace_drm_sched_job_arm_attach,
	trace_drm_sched_job_queue_attach,
	trace_drm_sched_job_run_attach,
	trace_drm_sched_job_hw_fence_attach,
	trace_drm_sched_job_done_attach,
	trace_drm_sched_job_timedout_attach,
	trace_drm_sched_job_timedout_done_attach,
	trace_drm_sched_stop_attach,
	trace_drm_sched_start_attach,
	trace_drm_sched_entity_kill_attach,
	trace_drm_sched_job_kill_attach,
};

/* The probes, before there is anything to see. */
static int trace_init_timeout(struct kunit *test, long timeout)
{
	struct trace_log *log;
	int i;

	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		kunit_skip(test, "needs CONFIG_TRACEPOINTS");

	log = kunit_kzalloc(test, sizeof(*log), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, log);

	log->test = test;
	log->hw_context = dma_fence_context_alloc(1);
	spin_lock_init(&log->lock);
	init_completion(&log->freed);
	for (i = 0; i < TRACE_COUNT; i++)
		init_completion(&log->seen[i]);
	for (i = 0; i < ARRAY_SIZE(trace_attach); i++)
		trace_attach[i](log);
	log->mock = drm_mock_sched_new(test, timeout);
	test->priv = log;

	return 0;
}

static int trace_init(struct kunit *test)
{
	return trace_init_timeout(test, MAX_SCHEDULE_TIMEOUT);
}

static int trace_timeout_init(struct kunit *test)
{
	return trace_init_timeout(test, TRACE_TIMEOUT);
}

static void trace_exit(struct kunit *test)
{
	struct trace_log *log = test->priv;

	if (log && log->mock)
		drm_mock_sched_fini(log->mock);
}

static void trace_wait(struct trace_log *log, enum trace_id id)
{
	unsigned long left = wait_for_completion_timeout(&log->seen[id], HZ);

	KUNIT_ASSERT_NE_MSG(log->test, left, 0, "no event %d", id);
}

/* The beginning of the log is as expected. */
static void trace_expect_first(struct trace_log *log,
			       const struct trace_entry *expected, int count)
{
	struct kunit *test = log->test;
	int i;

	KUNIT_ASSERT_LE(test, count, TRACE_MAX);
	KUNIT_ASSERT_GE(test, atomic_read(&log->nr), count);
	for (i = 0; i < count; i++)
		KUNIT_EXPECT_MEMEQ_MSG(test, &log->entries[i], &expected[i],
				       sizeof(expected[i]), "event %d", i);
}

/* And that is all of it. */
static void trace_expect(struct trace_log *log,
			 const struct trace_entry *expected, int count)
{
	trace_expect_first(log, expected, count);
	KUNIT_EXPECT_EQ(log->test, atomic_read(&log->nr), count);
}

static const char *trace_fence_name(struct dma_fence *fence)
{
	return "drm_sched_trace";
}

/* The memory is the test's. */
static void trace_fence_release(struct dma_fence *fence)
{
}

static const struct dma_fence_ops trace_fence_ops = {
	.get_driver_name = trace_fence_name,
	.get_timeline_name = trace_fence_name,
	.release = trace_fence_release,
};

static struct dma_fence *trace_fence_new(struct trace_log *log)
{
	struct dma_fence *fence;

	fence = kunit_kzalloc(log->test, sizeof(*fence), GFP_KERNEL);
	if (!fence)
		return ERR_PTR(-ENOMEM);
	dma_fence_init(fence, &trace_fence_ops, &log->lock, log->hw_context,
		       ++log->hw_seqno);

	return fence;
}

static struct dma_fence *trace_run_job(struct drm_sched_job *job)
{
	struct trace_log *log = drm_sched_to_mock_sched(job->sched)->test->priv;

	if (log->no_fence)
		return log->error ? ERR_PTR(log->error) : NULL;
	log->hw_fence = trace_fence_new(log);

	/* One reference is the scheduler's, the other the test's. */
	return IS_ERR(log->hw_fence) ? log->hw_fence :
				       dma_fence_get(log->hw_fence);
}

static void trace_free_job(struct drm_sched_job *job)
{
	struct trace_log *log = drm_sched_to_mock_sched(job->sched)->test->priv;

	drm_sched_job_cleanup(job);
	complete(&log->freed);
}

static const struct drm_sched_backend_ops trace_ops = {
	.run_job = trace_run_job,
	.free_job = trace_free_job,
};

static void trace_wait_freed(struct trace_log *log)
{
	unsigned long left = wait_for_completion_timeout(&log->freed, HZ);

	KUNIT_ASSERT_NE(log->test, left, 0);
}

/* An entity, and where it will be seen. */
static struct drm_mock_sched_entity *trace_entity_new(struct trace_log *log)
{
	struct drm_mock_sched_entity *entity;

	entity = drm_mock_sched_entity_new(log->test, DRM_SCHED_PRIORITY_NORMAL,
					   log->mock);
	log->entity = &entity->base;

	return entity;
}

/* What the probes see of a job of the test's entity. */
#define TRACE_JOB_ENTRY(log, event, number, ...) {			\
	.id = TRACE_##event,						\
	.context = (log)->entity->fence_context + 1,			\
	.seqno = (number),						\
	__VA_ARGS__							\
}

#define TRACE_HW_ENTRY(log, number, hw_ctx, hw_number)			\
	TRACE_JOB_ENTRY(log, HW_FENCE, number, .hw_context = (hw_ctx),	\
			.hw_seqno = (hw_number))

#define TRACE_JOB_TO_RUN(log, number)					\
	TRACE_JOB_ENTRY(log, ARM, number),				\
	TRACE_JOB_ENTRY(log, QUEUE, number),				\
	TRACE_JOB_ENTRY(log, RUN, number)

/*
 * From the submission to the end, in this order, and with the fence that the
 * hardware knows the job by.
 */
static void trace_job(struct kunit *test)
{
	struct trace_log *log = test->priv;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct drm_mock_sched_job *job = drm_mock_sched_job_new(test, entity);
	const struct trace_entry expected[] = {
		TRACE_JOB_TO_RUN(log, 1),
		TRACE_HW_ENTRY(log, 1, log->mock->hw_timeline.context, 1),
		TRACE_JOB_ENTRY(log, DONE, 1),
	};

	drm_mock_sched_job_submit(job);
	trace_wait(log, TRACE_HW_FENCE);
	KUNIT_ASSERT_EQ(test, drm_mock_sched_advance(log->mock, 1), 1);
	trace_wait(log, TRACE_DONE);
	trace_expect(log, expected, ARRAY_SIZE(expected));

	drm_mock_sched_entity_free(entity);
}

/* A driver may give a job up after it was armed. */
static void trace_armed_only(struct kunit *test)
{
	struct trace_log *log = test->priv;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct drm_mock_sched_job *job = drm_mock_sched_job_new(test, entity);
	const struct trace_entry expected[] = {
		TRACE_JOB_ENTRY(log, ARM, 1),
	};

	drm_sched_job_arm(&job->base);
	drm_sched_job_cleanup(&job->base);
	trace_expect(log, expected, ARRAY_SIZE(expected));

	drm_mock_sched_entity_free(entity);
}

/* Without a fence there is no number, but what run_job() said of it. */
static void trace_no_hw_fence(struct kunit *test, int error)
{
	struct trace_log *log = test->priv;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct drm_mock_sched_job *job = drm_mock_sched_job_new(test, entity);
	const struct trace_entry expected[] = {
		TRACE_JOB_TO_RUN(log, 1),
		TRACE_JOB_ENTRY(log, HW_FENCE, 1, .value = error),
		TRACE_JOB_ENTRY(log, DONE, 1),
	};

	log->mock->base.ops = &trace_ops;
	log->no_fence = true;
	log->error = error;

	drm_mock_sched_job_submit(job);
	trace_wait_freed(log);
	trace_expect(log, expected, ARRAY_SIZE(expected));

	drm_mock_sched_entity_free(entity);
}

static void trace_run_job_none(struct kunit *test)
{
	trace_no_hw_fence(test, 0);
}

static void trace_run_job_error(struct kunit *test)
{
	trace_no_hw_fence(test, -EIO);
}

/* After a reset a job is run again, with another hardware fence. */
static void trace_resubmit(struct kunit *test)
{
	struct trace_log *log = test->priv;
	struct drm_gpu_scheduler *sched = &log->mock->base;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct drm_mock_sched_job *job = drm_mock_sched_job_new(test, entity);
	const struct trace_entry expected[] = {
		TRACE_JOB_TO_RUN(log, 1),
		TRACE_HW_ENTRY(log, 1, log->hw_context, 1),
		{ .id = TRACE_STOP },
		TRACE_HW_ENTRY(log, 1, log->hw_context, 2),
		{ .id = TRACE_START },
		TRACE_JOB_ENTRY(log, DONE, 1),
	};

	sched->ops = &trace_ops;

	drm_mock_sched_job_submit(job);
	trace_wait(log, TRACE_HW_FENCE);
	drm_sched_stop(sched, NULL);
	drm_sched_resubmit_jobs(sched);
	drm_sched_start(sched, 0);
	dma_fence_signal(log->hw_fence);
	trace_wait_freed(log);
	trace_expect(log, expected, ARRAY_SIZE(expected));

	drm_mock_sched_entity_free(entity);
}

/* Jobs that still wait for something when their entity goes never run. */
static void trace_kill(struct kunit *test)
{
	struct trace_log *log = test->priv;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct dma_fence *blocker = trace_fence_new(log);
	const struct trace_entry expected[] = {
		TRACE_JOB_ENTRY(log, ARM, 1),
		TRACE_JOB_ENTRY(log, QUEUE, 1),
		TRACE_JOB_ENTRY(log, ARM, 2),
		TRACE_JOB_ENTRY(log, QUEUE, 2),
		TRACE_JOB_ENTRY(log, ENTITY_KILL, 0, .value = 2),
		TRACE_JOB_ENTRY(log, JOB_KILL, 1, .value = -ESRCH),
		TRACE_JOB_ENTRY(log, JOB_KILL, 2, .value = -ESRCH),
	};
	struct drm_mock_sched_job *job;
	int i, ret;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, blocker);
	log->mock->base.ops = &trace_ops;

	for (i = 0; i < 2; i++) {
		job = drm_mock_sched_job_new(test, entity);
		ret = drm_sched_job_add_dependency(&job->base,
						   dma_fence_get(blocker));
		KUNIT_ASSERT_EQ(test, ret, 0);
		drm_mock_sched_job_submit(job);
	}
	drm_sched_entity_fini(&entity->base);
	dma_fence_signal(blocker);
	trace_wait_freed(log);
	trace_wait_freed(log);
	trace_expect(log, expected, ARRAY_SIZE(expected));
}

/* The end of a scheduler is a stop. */
static void trace_teardown(struct kunit *test)
{
	struct trace_log *log = test->priv;
	const struct trace_entry expected[] = {
		{ .id = TRACE_STOP },
	};

	drm_mock_sched_fini(log->mock);
	log->mock = NULL;
	trace_expect(log, expected, ARRAY_SIZE(expected));
}

static struct kunit_case trace_tests[] = {
	KUNIT_CASE(trace_job),
	KUNIT_CASE(trace_armed_only),
	KUNIT_CASE(trace_run_job_none),
	KUNIT_CASE(trace_run_job_error),
	KUNIT_CASE(trace_resubmit),
	KUNIT_CASE(trace_kill),
	KUNIT_CASE(trace_teardown),
	{}
};

static struct kunit_suite trace_suite = {
	.name = "drm_sched_trace_tests",
	.init = trace_init,
	.exit = trace_exit,
	.test_cases = trace_tests,
};

/*
 * The driver resets: the job ends inside of its callback, and is freed there,
 * before the second event has its numbers.
 */
static void trace_timeout_reset(struct kunit *test)
{
	struct trace_log *log = test->priv;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct drm_mock_sched_job *job = drm_mock_sched_job_new(test, entity);
	const struct trace_entry expected[] = {
		TRACE_JOB_TO_RUN(log, 1),
		TRACE_HW_ENTRY(log, 1, log->mock->hw_timeline.context, 1),
		TRACE_JOB_ENTRY(log, TIMEDOUT, 1),
		TRACE_JOB_ENTRY(log, DONE, 1),
		TRACE_JOB_ENTRY(log, TIMEDOUT_DONE, 1,
				.value = DRM_GPU_SCHED_STAT_RESET),
	};

	drm_mock_sched_job_submit(job);
	trace_wait(log, TRACE_TIMEDOUT_DONE);
	KUNIT_EXPECT_NULL(test, job->base.s_fence);
	trace_expect(log, expected, ARRAY_SIZE(expected));

	drm_mock_sched_entity_free(entity);
}

/* The driver does not: the job goes on, and may time out once more. */
static void trace_timeout_no_hang(struct kunit *test)
{
	struct trace_log *log = test->priv;
	struct drm_mock_sched_entity *entity = trace_entity_new(log);
	struct drm_mock_sched_job *job = drm_mock_sched_job_new(test, entity);
	const struct trace_entry expected[] = {
		TRACE_JOB_TO_RUN(log, 1),
		TRACE_HW_ENTRY(log, 1, log->mock->hw_timeline.context, 1),
		TRACE_JOB_ENTRY(log, TIMEDOUT, 1),
		TRACE_JOB_ENTRY(log, TIMEDOUT_DONE, 1,
				.value = DRM_GPU_SCHED_STAT_NO_HANG),
	};

	job->flags = DRM_MOCK_SCHED_JOB_DONT_RESET;
	drm_mock_sched_job_submit(job);
	trace_wait(log, TRACE_TIMEDOUT_DONE);
	trace_expect_first(log, expected, ARRAY_SIZE(expected));

	KUNIT_ASSERT_EQ(test, drm_mock_sched_advance(log->mock, 1), 1);
	trace_wait(log, TRACE_DONE);

	drm_mock_sched_entity_free(entity);
}

static struct kunit_case trace_timeout_tests[] = {
	KUNIT_CASE(trace_timeout_reset),
	KUNIT_CASE(trace_timeout_no_hang),
	{}
};

static struct kunit_suite trace_timeout_suite = {
	.name = "drm_sched_trace_timeout_tests",
	.init = trace_timeout_init,
	.exit = trace_exit,
	.test_cases = trace_timeout_tests,
};

kunit_test_suites(&trace_suite,
		  &trace_timeout_suite);
