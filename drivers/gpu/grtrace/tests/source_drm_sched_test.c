// SPDX-License-Identifier: GPL-2.0
/*
 * The source for the DRM GPU scheduler, which includes this file: the life of a job,
 * event by event.
 */
#include "source_sched.h"

#define SCHED_HW_CTX	0x7300112233ull
#define SCHED_DEP_CTX	0x7300112234ull
#define SCHED_CLIENT	0xfedcba9876543210ull

/* The steps of a job in the scheduler; FINISHED and SCHEDULED are fences that signal. */
enum sched_event {
	SCHED_END, ADD_DEP, QUEUE, UNSCHEDULABLE, AFTER_OTHER, RUN, HW_FENCE, HW_ERROR,
	HW_NONE, HW_SIGNALED, DONE, TIMEDOUT, KILL, SCHEDULED, FINISHED,
};

struct sched_story {
	const char *name;
	enum sched_event events[10];
	s16 error;	/* of the finished fence */
	u16 records[10];
};

static const struct sched_story sched_stories[] = {
	{ "a job", { QUEUE, RUN, HW_FENCE, SCHEDULED, DONE, FINISHED }, 0,
	  { GRTRACE_SUBMIT, GRTRACE_PICK, GRTRACE_COMMIT, GRTRACE_END, GRTRACE_COMPLETE } },
	{ "one that waits for another",
	  { ADD_DEP, QUEUE, UNSCHEDULABLE, RUN, HW_FENCE, SCHEDULED, DONE, FINISHED }, 0,
	  { GRTRACE_DEP, GRTRACE_SUBMIT, GRTRACE_BLOCKED, GRTRACE_PICK, GRTRACE_COMMIT,
	    GRTRACE_END, GRTRACE_COMPLETE } },
	/* what it waits for is that job, not its fence of being scheduled */
	{ "one that waits until another is scheduled", { QUEUE, AFTER_OTHER }, 0,
	  { GRTRACE_SUBMIT, GRTRACE_BLOCKED } },
	{ "its fence is signalled before run_job returns",
	  { QUEUE, RUN, HW_SIGNALED, HW_FENCE, SCHEDULED, DONE, FINISHED }, 0,
	  { GRTRACE_SUBMIT, GRTRACE_PICK, GRTRACE_COMMIT, GRTRACE_END, GRTRACE_COMPLETE } },
	/* neither was handed to the hardware */
	{ "run_job fails", { QUEUE, RUN, HW_ERROR, SCHEDULED, DONE, FINISHED }, -EIO,
	  { GRTRACE_SUBMIT, GRTRACE_PICK, GRTRACE_END, GRTRACE_COMPLETE } },
	{ "run_job has no fence", { QUEUE, RUN, HW_NONE, SCHEDULED, DONE, FINISHED }, 0,
	  { GRTRACE_SUBMIT, GRTRACE_PICK, GRTRACE_END, GRTRACE_COMPLETE } },
	/* both complete without DONE */
	{ "killed in the queue", { QUEUE, KILL, SCHEDULED, FINISHED }, -ESRCH,
	  { GRTRACE_SUBMIT, GRTRACE_ERROR, GRTRACE_COMPLETE } },
	{ "poisoned by one before", { QUEUE, FINISHED }, -ECANCELED,
	  { GRTRACE_SUBMIT, GRTRACE_COMPLETE } },
	{ "timed out", { QUEUE, RUN, HW_FENCE, TIMEDOUT, FINISHED }, -ETIME,
	  { GRTRACE_SUBMIT, GRTRACE_PICK, GRTRACE_COMMIT, GRTRACE_ERROR, GRTRACE_COMPLETE } },
	{ "run again after a reset", { QUEUE, RUN, HW_FENCE, HW_FENCE, DONE, FINISHED }, 0,
	  { GRTRACE_SUBMIT, GRTRACE_PICK, GRTRACE_COMMIT, GRTRACE_COMMIT, GRTRACE_END,
	    GRTRACE_COMPLETE } },
	/* the scheduler may be gone for all that is known: the job has no ring */
	{ "older than the session", { DONE, FINISHED }, 0, { GRTRACE_END, GRTRACE_COMPLETE } },
};

KUNIT_ARRAY_PARAM_DESC(sched_stories, sched_stories, name);

static void sched_happens(struct source_case *c, struct sched_made *made, enum sched_event event)
{
	struct dma_fence hw = { .context = SCHED_HW_CTX, .seqno = 7 };
	struct dma_fence dep = { .context = SCHED_DEP_CTX, .seqno = 8 };
	struct drm_sched_fence other = { .finished = dep };
	struct drm_sched_entity *entity = &made->entity;
	struct drm_sched_job *job = &made->job;

	RCU_INIT_POINTER(hw.ops, &source_fence_ops);
	RCU_INIT_POINTER(dep.ops, &source_fence_ops);
	other.scheduled = job->s_fence->scheduled;
	switch (event) {
	case ADD_DEP:
		source_event(c, drm_sched_job_add_dep, probe_job_add_dep, job, &dep);
		break;
	case QUEUE:
		source_event(c, drm_sched_job_queue, probe_job_queue, job, entity);
		break;
	case UNSCHEDULABLE:
	case AFTER_OTHER:
		source_event(c, drm_sched_job_unschedulable, probe_job_unschedulable, job,
			     event == AFTER_OTHER ? &other.scheduled : &dep);
		break;
	case RUN:
		source_event(c, drm_sched_job_run, probe_job_run, job, entity);
		break;
	case HW_FENCE:
	case HW_ERROR:
	case HW_NONE:
		source_event(c, drm_sched_job_hw_fence, probe_job_hw_fence, job,
			     event == HW_FENCE ? &hw : event == HW_ERROR ? ERR_PTR(-EIO) : NULL);
		break;
	case DONE:
		source_event(c, drm_sched_job_done, probe_job_done, job->s_fence);
		break;
	case TIMEDOUT:
		source_event(c, drm_sched_job_timedout, probe_job_timedout, job);
		break;
	case KILL:
		source_event(c, drm_sched_job_kill, probe_job_kill, job);
		break;
	case HW_SIGNALED:
	case SCHEDULED:
	case FINISHED:
		source_event(c, dma_fence_signaled, probe_fence_signaled,
			     event == HW_SIGNALED ? &hw : event == SCHEDULED ?
			     &job->s_fence->scheduled : &job->s_fence->finished);
		break;
	case SCHED_END:
		break;
	}
}

/* The fields that a record of the job must have, by its type. */
static struct source_record sched_record(const struct sched_story *story, u16 type,
					 u32 ring, const struct dma_fence *finished)
{
	struct source_record record = {
		.type = type, .ring = ring,
		.ctx = finished->context, .seqno = finished->seqno,
	};

	switch (type) {
	case GRTRACE_SUBMIT:
		record.arg = DRM_SCHED_PRIORITY_NORMAL + 1;
		record.client = SCHED_CLIENT;
		break;
	case GRTRACE_PICK:
		record.arg = SCHED_CREDITS;
		break;
	case GRTRACE_COMMIT:
		record.fence_ctx = SCHED_HW_CTX;
		record.fence_seqno = 7;
		break;
	case GRTRACE_DEP:
	case GRTRACE_BLOCKED:
		record.fence_ctx = SCHED_DEP_CTX;
		record.fence_seqno = 8;
		break;
	case GRTRACE_COMPLETE:
		record.arg = story->error;
		break;
	case GRTRACE_ERROR:
		record.kind = story->error == -ETIME ? GRTRACE_ERROR_TIMEOUT : GRTRACE_ERROR_KILL;
		record.code = story->error;
		break;
	}
	return record;
}

static void sched_tells(struct kunit *test)
{
	const struct sched_story *story = test->param_value;
	struct source_case c = { };
	struct sched_made *made;
	struct dma_fence *finished;
	unsigned int i;
	u32 ring;

	source_start(&c, test, &sched_source);
	made = sched_make(test, c.dev, "gfx_0.0.0");
	finished = &made->job.s_fence->finished;
	c.first = finished->context;
	c.last = finished->context;
	finished->error = story->error;
	made->job.s_fence->drm_client_id = SCHED_CLIENT;
	for (i = 0; i < ARRAY_SIZE(story->events); i++)
		sched_happens(&c, made, story->events[i]);
	ring = source_forget(&made->sched);
	source_stop(&c);

	for (i = 0; i < ARRAY_SIZE(story->records) && story->records[i]; i++) {
		const struct source_record want =
			sched_record(story, story->records[i], ring, finished);

		source_expect(&c, &want, 1);
	}
	source_expect_end(&c);
	/* a fence of no job is named, once */
	KUNIT_EXPECT_EQ(test, stream_count(c.stream, GRTRACE_FENCE_NAME),
			story->events[0] == ADD_DEP);
	if (story->events[0] != DONE)
		source_expect_ring(&c, ring, dev_driver_string(c.dev), "gfx_0.0.0",
				   GRTRACE_CLASS_RENDER);
	else
		KUNIT_EXPECT_EQ(test, ring, GRTRACE_RING_NONE);
}

static const struct {
	const char *name;
	enum grtrace_engine_class engine_class;
} sched_names[] = {
	{ "comp_1.0.0", GRTRACE_CLASS_COMPUTE }, { "sdma0", GRTRACE_CLASS_COPY },
	/* the longer prefix first */
	{ "uvd_enc0", GRTRACE_CLASS_VIDEO_ENCODE }, { "uvd", GRTRACE_CLASS_VIDEO_DECODE },
	{ "vcn_unified_0", GRTRACE_CLASS_VIDEO_DECODE },
	{ "vecs0", GRTRACE_CLASS_VIDEO_ENCODE }, { "vcs0", GRTRACE_CLASS_VIDEO_DECODE },
	{ "v3d_csd", GRTRACE_CLASS_COMPUTE }, { "gp", GRTRACE_CLASS_RENDER },
	{ "gpu0", GRTRACE_CLASS_UNKNOWN }, { "compress", GRTRACE_CLASS_UNKNOWN },
	{ "my gfx", GRTRACE_CLASS_UNKNOWN }, { "", GRTRACE_CLASS_UNKNOWN },
};

/*
 * Several schedulers, one after the other at one address, each with its own name: a job
 * that is newer than all before shows that, and its name gives the class.
 */
static void sched_names_its_rings(struct kunit *test)
{
	struct source_case c = { };
	struct sched_made *made;
	u32 i, id, before = GRTRACE_RING_NONE;

	source_start(&c, test, &sched_source);
	made = sched_make(test, c.dev, "gfx");
	for (i = 0; i < ARRAY_SIZE(sched_names); i++) {
		made->sched.name = sched_names[i].name;
		made->job.s_fence->finished.context++;
		sched_happens(&c, made, QUEUE);
	}
	/* an older context proves nothing, and the end of the scheduler is that of the ring */
	made->sched.name = "older";
	made->job.s_fence->finished.context--;
	sched_happens(&c, made, QUEUE);
	KUNIT_EXPECT_STREQ(test, grtrace_ring_find(&made->sched)->name, "");
	source_event(&c, drm_sched_fini, probe_fini, &made->sched);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&made->sched));
	source_stop(&c);

	for (i = 0; i < ARRAY_SIZE(sched_names); i++) {
		id = source_ring_id(&c, sched_names[i].name);
		KUNIT_EXPECT_GT_MSG(test, id, before, "%s", sched_names[i].name);
		source_expect_ring(&c, id, dev_driver_string(c.dev),
				   sched_names[i].name, sched_names[i].engine_class);
		before = id;
	}
	KUNIT_EXPECT_EQ(test, stream_count(c.stream, GRTRACE_SUBMIT), i + 1);
}

static enum drm_gpu_sched_stat sched_timedout(struct drm_sched_job *job)
{
	return DRM_GPU_SCHED_STAT_RESET;
}

/* A scheduler's name or driver shows the kind of its ring. */
static void sched_knows_its_rings(struct kunit *test)
{
	static const struct drm_sched_backend_ops with_timeout = {
		.timedout_job = sched_timedout,
	}, without;
	static const struct {
		const char *driver, *name;
		u32 credits;
		long timeout;
		const struct drm_sched_backend_ops *ops;
		u32 flags, timeout_ms;
	} rows[] = {
		{ "kunit", "gfx", 8, HZ, &with_timeout, 0, 1000 },
		{ "kunit", "none", 8, MAX_SCHEDULE_TIMEOUT, &with_timeout, 0, 0 },
		{ "kunit", "negative", 8, -1, &with_timeout, 0, 0 },
		{ "panthor", "panthor-queue-3-1-0", 8, MAX_SCHEDULE_TIMEOUT, &with_timeout,
		  GRTRACE_RING_SHARED, 0 },
		{ "panthor", "panthor-vm-bind", 1, MAX_SCHEDULE_TIMEOUT, &with_timeout,
		  GRTRACE_RING_CPU, 0 },
		{ "msm", "msm-vm-bind", 1, MAX_SCHEDULE_TIMEOUT, &without, GRTRACE_RING_CPU, 0 },
		{ "msm", "ring0", 8, MAX_SCHEDULE_TIMEOUT, &without, 0, 0 },
		{ "powervr", "pvr-queue", 8, HZ / 2, &with_timeout, GRTRACE_RING_SHARED, 500 },
		{ "v3d", "v3d_cpu", 1, HZ / 2, &with_timeout, GRTRACE_RING_CPU, 500 },
		{ "v3d", "v3d_csd", 1, HZ / 2, &with_timeout, 0, 500 },
		/* of one name each */
		{ "xe", "rcs11", 8, 5 * HZ, &with_timeout, GRTRACE_RING_SHARED, 5000 },
		{ "xe", "rcs11", 16, MAX_SCHEDULE_TIMEOUT, &without, GRTRACE_RING_CPU, 0 },
		{ "nouveau", "nouveau_sched", 511, 10 * HZ, &with_timeout,
		  GRTRACE_RING_SHARED, 10000 },
		{ "nouveau", "nouveau_sched", 1, 10 * HZ, &with_timeout, GRTRACE_RING_CPU, 10000 },
	};
	const struct drm_sched_backend_ops *ops;
	u32 id[ARRAY_SIZE(rows)] = {}, i;
	struct source_case c = { };
	struct device_driver driver = { };
	/* of which only the names matter */
	struct device dev = { .driver = &driver };
	struct sched_made *made;

	source_start(&c, test, &sched_source);
	dev.init_name = dev_name(c.dev);
	made = sched_make(test, c.dev, "gfx");
	ops = made->sched.ops;
	made->sched.dev = &dev;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		driver.name = rows[i].driver;
		made->sched.name = rows[i].name;
		made->sched.credit_limit = rows[i].credits;
		made->sched.timeout = rows[i].timeout;
		made->sched.ops = rows[i].ops;
		made->job.s_fence->finished.context++;
		sched_happens(&c, made, QUEUE);
		id[i] = source_forget(&made->sched);
	}
	made->sched.ops = ops;
	made->sched.dev = c.dev;
	source_stop(&c);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		source_expect_ring_flags(&c, id[i], rows[i].flags, rows[i].timeout_ms);
}

static struct kunit_case sched_cases[] = {
	KUNIT_CASE_PARAM(sched_tells, sched_stories_gen_params),
	KUNIT_CASE(sched_names_its_rings),
	KUNIT_CASE(sched_knows_its_rings),
	{}
};

static struct kunit_suite sched_suite = {
	.name = "grtrace_source_drm_sched",
	.init = trial_init,
	.test_cases = sched_cases,
};

kunit_test_suite(sched_suite);
