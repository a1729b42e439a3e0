// SPDX-License-Identifier: GPL-2.0

#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/spinlock.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/wait.h>

#include "sched_tests.h"
#include "../gpu_scheduler_trace.h"

/*
 * The trace events of the scheduler: probes write down in a line what they are
 * called with, and a test compares that with what it has done.
 */

struct sched_trace {
	struct drm_mock_scheduler *mock;
	struct drm_mock_sched_entity *entity;
	struct drm_sched_backend_ops ops; /* with a run_job() of the test's */
	spinlock_t lock; /* of the text */
	wait_queue_head_t wait; /* woken by each event */
	char text[1024];
	int attached;
};

/* In any context, as it is called by probes. */
static __printf(2, 3) void sched_trace_add(struct sched_trace *log,
					   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	scoped_guard(spinlock_irqsave, &log->lock) {
		size_t length = strlen(log->text);

		vscnprintf(log->text + length, sizeof(log->text) - length,
			   format, args);
	}
	va_end(args);
	wake_up(&log->wait);
}

static bool sched_trace_has(struct sched_trace *log, const char *event)
{
	guard(spinlock_irqsave)(&log->lock);
	return strstr(log->text, event);
}

/* The seqno of a job, or 0 if the context is not that of the entity. */
static u64 sched_trace_seqno(const struct sched_trace *log, u64 context,
			     u64 seqno)
{
	return context == log->entity->base.fence_context + 1 ? seqno : 0;
}

#define SCHED_TRACE_SEQNO(s_fence) \
	sched_trace_seqno(log, (s_fence)->finished.context, (s_fence)->finished.seqno)

static u64 sched_trace_hw_seqno(struct sched_trace *log, struct dma_fence *fence)
{
	return !IS_ERR_OR_NULL(fence) &&
	       fence->context == log->mock->hw_timeline.context ? fence->seqno : 0;
}

/*
 * A probe with the parameters @proto, which adds a text if @sched is the mock
 * scheduler, and not that of a GPU; and a function that attaches or detaches it.
 */
#define SCHED_TRACE_PROTO(...)	__VA_ARGS__
#define SCHED_TRACE_PROBE(event, sched, proto, ...)			\
static void sched_trace_##event##_probe(void *data, proto)		\
{									\
	struct sched_trace *log = data;					\
									\
	if (!strcmp((sched)->name, "drm-mock-scheduler"))		\
		sched_trace_add(log, __VA_ARGS__);			\
}									\
									\
static int sched_trace_##event##_attach(struct sched_trace *log, bool on) \
{									\
	return on ? register_trace_##event(sched_trace_##event##_probe, log) : \
		    unregister_trace_##event(sched_trace_##event##_probe, log); \
}

#define SCHED_TRACE_JOB_PROBE(event, text)				\
	SCHED_TRACE_PROBE(event, job->sched,				\
			  SCHED_TRACE_PROTO(struct drm_sched_job *job,	\
					    struct drm_sched_entity *entity), \
			  text "%llu ", SCHED_TRACE_SEQNO(job->s_fence))
#define SCHED_TRACE_FAIL_PROBE(event, text)				\
	SCHED_TRACE_PROBE(event, job->sched, struct drm_sched_job *job,	\
			  text "%llu ", SCHED_TRACE_SEQNO(job->s_fence))
#define SCHED_TRACE_SCHED_PROBE(event, text)				\
	SCHED_TRACE_PROBE(event, sched, struct drm_gpu_scheduler *sched, \
			  text " ")

SCHED_TRACE_JOB_PROBE(drm_sched_job_queue, "queue")
SCHED_TRACE_JOB_PROBE(drm_sched_job_run, "run")
SCHED_TRACE_PROBE(drm_sched_job_hw_fence, job->sched,
		  SCHED_TRACE_PROTO(struct drm_sched_job *job,
				    struct dma_fence *fence),
		  "hw%llu=%llu,%d ", SCHED_TRACE_SEQNO(job->s_fence),
		  sched_trace_hw_seqno(log, fence), PTR_ERR_OR_ZERO(fence))
SCHED_TRACE_PROBE(drm_sched_job_done, s_fence->sched,
		  struct drm_sched_fence *s_fence,
		  "done%llu ", SCHED_TRACE_SEQNO(s_fence))
SCHED_TRACE_FAIL_PROBE(drm_sched_job_timedout, "timedout")
SCHED_TRACE_FAIL_PROBE(drm_sched_job_kill, "kill")
SCHED_TRACE_PROBE(drm_sched_job_timedout_done, sched,
		  SCHED_TRACE_PROTO(struct drm_gpu_scheduler *sched, u64 context,
				    u64 seqno, enum drm_gpu_sched_stat status),
		  "timedout_done%llu=%s ",
		  sched_trace_seqno(log, context, seqno),
		  status == DRM_GPU_SCHED_STAT_RESET ? "reset" :
		  status == DRM_GPU_SCHED_STAT_NO_HANG ? "no_hang" : "?")
SCHED_TRACE_SCHED_PROBE(drm_sched_init, "init")
SCHED_TRACE_SCHED_PROBE(drm_sched_fini, "fini")
SCHED_TRACE_SCHED_PROBE(drm_sched_wqueue_stop, "stop")
SCHED_TRACE_SCHED_PROBE(drm_sched_wqueue_start, "start")

static int (* const sched_trace_attach[])(struct sched_trace *log, bool on) = {
	sched_trace_drm_sched_job_queue_attach,
	sched_trace_drm_sched_job_run_attach,
	sched_trace_drm_sched_job_hw_fence_attach,
	sched_trace_drm_sched_job_done_attach,
	sched_trace_drm_sched_job_timedout_attach,
	sched_trace_drm_sched_job_kill_attach,
	sched_trace_drm_sched_job_timedout_done_attach,
	sched_trace_drm_sched_init_attach,
	sched_trace_drm_sched_fini_attach,
	sched_trace_drm_sched_wqueue_stop_attach,
	sched_trace_drm_sched_wqueue_start_attach,
};

static void sched_trace_detach(void *data)
{
	struct sched_trace *log = data;

	while (log->attached)
		sched_trace_attach[--log->attached](log, false);
	tracepoint_synchronize_unregister();
}

static int sched_trace_init(struct kunit *test)
{
	struct sched_trace *log;

	log = kunit_kzalloc(test, sizeof(*log), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, log);
	spin_lock_init(&log->lock);
	init_waitqueue_head(&log->wait);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, sched_trace_detach, log), 0);
	for (; log->attached < ARRAY_SIZE(sched_trace_attach); log->attached++)
		KUNIT_ASSERT_EQ(test, sched_trace_attach[log->attached](log, true), 0);

	log->mock = drm_mock_sched_new(test, MAX_SCHEDULE_TIMEOUT);
	log->entity = drm_mock_sched_entity_new(test, DRM_SCHED_PRIORITY_NORMAL,
						log->mock);
	test->priv = log;

	return 0;
}

static void sched_trace_exit(struct kunit *test)
{
	struct sched_trace *log = test->priv;

	if (!log)
		return;
	drm_mock_sched_entity_free(log->entity);
	drm_mock_sched_fini(log->mock);
	KUNIT_EXPECT_TRUE(test, sched_trace_has(log, "stop fini "));
}

static void sched_trace_wait(struct kunit *test, const char *event)
{
	struct sched_trace *log = test->priv;

	KUNIT_ASSERT_TRUE_MSG(test, wait_event_timeout(log->wait,
						       sched_trace_has(log, event),
						       HZ), "no %s", event);
}

static struct drm_mock_sched_job *
sched_trace_submit(struct kunit *test, unsigned long flags)
{
	struct sched_trace *log = test->priv;
	struct drm_mock_sched_job *job;

	job = drm_mock_sched_job_new(test, log->entity);
	job->flags = flags;
	drm_mock_sched_job_submit(job);

	return job;
}

/* With the fence that the hardware knows the job by. */
static void sched_trace_order(struct kunit *test)
{
	struct sched_trace *log = test->priv;

	drm_sched_wqueue_stop(&log->mock->base);
	drm_sched_wqueue_start(&log->mock->base);
	sched_trace_submit(test, 0);
	sched_trace_wait(test, "hw");
	KUNIT_ASSERT_EQ(test, drm_mock_sched_advance(log->mock, 1), 1);
	sched_trace_wait(test, "done1 ");
	KUNIT_EXPECT_STREQ(test, log->text,
			   "init stop start queue1 run1 hw1=1,0 done1 ");
}

/* The first job has nothing to wait for, the second fails. */
static struct dma_fence *sched_trace_run_job(struct drm_sched_job *job)
{
	return job->s_fence->finished.seqno == 1 ? NULL : ERR_PTR(-EIO);
}

static void sched_trace_no_fence(struct kunit *test)
{
	struct sched_trace *log = test->priv;
	struct drm_mock_sched_job *job;
	int i;

	log->ops = *log->mock->base.ops;
	log->ops.run_job = sched_trace_run_job;
	log->mock->base.ops = &log->ops;
	for (i = 0; i < 2; i++) {
		job = sched_trace_submit(test, 0);
		KUNIT_ASSERT_TRUE(test, wait_for_completion_timeout(&job->freed, HZ));
	}
	KUNIT_EXPECT_STREQ(test, log->text,
			   "init queue1 run1 hw1=0,0 done1 queue2 run2 hw2=0,-5 done2 ");
}

/* Jobs that are still in the queue of their entity when it goes never run. */
static void sched_trace_kill(struct kunit *test)
{
	struct sched_trace *log = test->priv;
	struct drm_mock_sched_job *job;

	drm_sched_wqueue_stop(&log->mock->base);
	sched_trace_submit(test, 0);
	job = sched_trace_submit(test, 0);
	drm_sched_entity_kill(&log->entity->base);
	KUNIT_ASSERT_TRUE(test, wait_for_completion_timeout(&job->freed, HZ));
	KUNIT_EXPECT_STREQ(test, log->text,
			   "init stop queue1 queue2 kill1 kill2 ");
}

/* The job ends inside of the callback, and is freed there. */
static void sched_trace_reset(struct kunit *test)
{
	struct sched_trace *log = test->priv;

	log->mock->base.timeout = HZ / 5;
	sched_trace_submit(test, 0);
	sched_trace_wait(test, "timedout_done");
	KUNIT_EXPECT_STREQ(test, log->text,
			   "init queue1 run1 hw1=1,0 timedout1 done1 timedout_done1=reset ");
}

/* The job goes on, and may time out once more. */
static void sched_trace_no_hang(struct kunit *test)
{
	const char *expected =
		"init queue1 run1 hw1=1,0 timedout1 timedout_done1=no_hang ";
	struct sched_trace *log = test->priv;

	log->mock->base.timeout = HZ / 5;
	sched_trace_submit(test, DRM_MOCK_SCHED_JOB_DONT_RESET);
	sched_trace_wait(test, "timedout_done");
	KUNIT_EXPECT_TRUE(test, strstarts(log->text, expected));
	KUNIT_ASSERT_EQ(test, drm_mock_sched_advance(log->mock, 1), 1);
	sched_trace_wait(test, "done1 ");
}

static struct kunit_case sched_trace_tests[] = {
	KUNIT_CASE(sched_trace_order),
	KUNIT_CASE(sched_trace_no_fence),
	KUNIT_CASE(sched_trace_kill),
	KUNIT_CASE(sched_trace_reset),
	KUNIT_CASE(sched_trace_no_hang),
	{}
};

static struct kunit_suite sched_trace_suite = {
	.name = "drm_sched_trace_tests",
	.init = sched_trace_init,
	.exit = sched_trace_exit,
	.test_cases = sched_trace_tests,
};

kunit_test_suite(sched_trace_suite);
