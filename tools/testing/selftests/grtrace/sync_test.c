// SPDX-License-Identifier: GPL-2.0
/*
 * Waits that pass no dma_fence_wait(), and wedged devices: who waits for sync
 * objects or for any of several fences is recorded with the fence, once and in
 * order with the job's end.
 *
 * The truth is what the ioctls of the mock GPU return. Only kernels with the
 * trace events can record it.
 */
#include "../kselftest_harness.h"

#include <pthread.h>
#include <sys/ioctl.h>

#include <drm/drm.h>

#include "grtrace_mock.h"
#include "grtrace_session.h"

#define SYNCOBJ_EVENT	"drm/drm_syncobj_wait_start"
#define ANY_EVENT	"dma_fence/dma_fence_wait_any_start"
#define WEDGED_EVENT	"drm/drm_dev_wedged"
#define MS		1000000ull
/* One job is as long as MANY jobs need to time out. */
#define JOB_MS		100
/* Longer than a busy machine stands still, and much shorter than MANY. */
#define FEW		20
#define MANY		50
#define RECORDS_MAX	4096

struct record {
	uint16_t type;
	uint32_t ring;
	uint64_t ctx;
	uint32_t seqno;
	uint64_t gseq;
	int16_t arg;
	int32_t kind;
	int32_t code;
	int32_t pid;	/* whom an ERROR blames */
	char comm[GRTRACE_COMM_LEN];
};

struct job {
	uint64_t ctx;
	uint64_t seqno;
};

/* The recorded events. */
struct log {
	struct record records[RECORDS_MAX];
	size_t nr;
	/* the ring that represents the device itself */
	uint32_t device_ring;
	char device_driver[GRTRACE_DRIVER_LEN];
};

/* Each event comes with a patch of its own. */
static bool has_event(const char *event)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s", event);
	return !access(path, F_OK);
}

static bool has_any(void)
{
	/* the events of drm exist when it is loaded, which the mock GPU needs */
	grtrace_module("grtrace_mock");
	return has_event(SYNCOBJ_EVENT) || has_event(ANY_EVENT) || has_event(WEDGED_EVENT);
}

PROGRAM_NEEDS(has_any(), "this kernel has no trace event of these waits")

FIXTURE(sync) {
	int fd;
	uint32_t ctx;
	struct log log;
};

/* Checks that nothing is left from earlier users of the device. */
static bool is_idle(int fd)
{
	struct grtrace_mock_info info = {};

	do {
		if (ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_INFO, &info))
			return false;
		if (info.submitted != info.completed + info.failed + info.timedout + info.killed)
			return false;
	} while (++info.ring < info.nr_rings);
	return true;
}

FIXTURE_SETUP(sync)
{
	struct grtrace_mock_ctx_create create = {};

	NEEDS_MODULE("grtrace");
	self->fd = mock_open();
	ASSERT_LE(0, self->fd);
	ASSERT_TRUE(WAIT_UNTIL(is_idle(self->fd), 60));
	ASSERT_EQ(0, grtrace_reset());
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &create));
	self->ctx = create.ctx;
}

FIXTURE_TEARDOWN(sync)
{
	if (self->fd >= 0)
		close(self->fd);
	grtrace_reset();
}

#define NEEDS_EVENT(event)						\
do {									\
	if (!has_event(event))						\
		SKIP(return, "this kernel has no trace event " event);	\
} while (0)

/* Returns the last of the jobs. */
static struct job submit(struct __test_metadata *_metadata, int fd, uint32_t ctx,
			 struct grtrace_mock_submit args)
{
	args.ctx = ctx;
	args.count = args.count ?: 1;
	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args));
	return (struct job) { .ctx = args.fence_ctx, .seqno = args.last_seqno };
}

static uint32_t syncobj_create(struct __test_metadata *_metadata, int fd)
{
	struct drm_syncobj_create args = {};

	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &args));
	return args.handle;
}

#define SUBMIT(...) submit(_metadata, self->fd, self->ctx,		\
			   (struct grtrace_mock_submit) { __VA_ARGS__ })

/* Returns 0 or -errno; @timeout_ns counts from now on. */
static int syncobj_wait(int fd, uint32_t handle, uint64_t timeout_ns, uint32_t flags)
{
	struct drm_syncobj_wait args = {
		.handles = (uintptr_t)&handle,
		.count_handles = 1,
		.timeout_nsec = clock_now(CLOCK_MONOTONIC) + timeout_ns,
		.flags = flags,
	};

	return ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &args) ? -errno : 0;
}

static void keep_device_ring(struct log *log, const struct stream_record *r)
{
	const struct grtrace_rec_ring *ring = (const void *)r->rec;

	if (strncmp(ring->name, "device", sizeof(ring->name)))
		return;
	log->device_ring = le32toh(ring->ring);
	memcpy(log->device_driver, ring->driver, GRTRACE_DRIVER_LEN);
}

static int compare_gseq(const void *a, const void *b)
{
	const struct record *l = a, *r = b;

	return (l->gseq > r->gseq) - (l->gseq < r->gseq);
}

static void keep(struct __test_metadata *_metadata, struct log *log, const struct stream_record *r)
{
	const struct grtrace_rec_error *error = (const void *)r->rec;
	const struct grtrace_rec_job *job = (const void *)r->rec;
	struct record *record = &log->records[log->nr];

	ASSERT_GT(RECORDS_MAX, log->nr++);
	*record = (struct record) {
		.type = r->type,
		.ring = r->ring,
		.ctx = r->ctx,
		.seqno = r->seqno,
		.gseq = r->gseq,
		.arg = le16toh(job->arg),
	};
	if (r->type == GRTRACE_ERROR) {
		record->kind = le32toh(error->kind);
		record->code = le32toh(error->code);
		record->pid = le32toh(error->pid);
		memcpy(record->comm, error->comm, sizeof(error->comm));
	}
}

/* Reads the events of all CPUs, in their order. */
static void end_session(struct __test_metadata *_metadata, struct log *log)
{
	struct stream_record r;
	unsigned int cpu;

	CONTROL("stop");
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		struct stream s = {};

		if (stream_take(&s, cpu) < 0)
			continue;
		while (stream_next(&s, &r)) {
			if (r.type == GRTRACE_RING)
				keep_device_ring(log, &r);
			else if (r.type < GRTRACE_TYPE_LIMIT)
				keep(_metadata, log, &r);
		}
		ASSERT_EQ(NULL, s.fault) TH_LOG("%s", s.fault);
		stream_free(&s);
	}
	ASSERT_EQ(0, grtrace_stat("lost"));
	qsort(log->records, log->nr, sizeof(log->records[0]), compare_gseq);
}

/* Returns how many there are of a type, for one job if it is given; @at: the place of the last. */
static size_t count(const struct log *log, uint16_t type, const struct job *job, size_t *at)
{
	size_t i, n = 0;

	for (i = 0; i < log->nr; i++) {
		const struct record *r = &log->records[i];

		if (r->type != type || (job && (r->ctx != job->ctx || r->seqno != job->seqno)))
			continue;
		if (at)
			*at = i;
		n++;
	}
	return n;
}

/* Returns the place of the only event of its type. */
static size_t place(struct __test_metadata *_metadata, const struct log *log,
		    uint16_t type, const struct job *job)
{
	size_t at = 0;

	EXPECT_EQ(1, count(log, type, job, &at)) TH_LOG("of type %u", type);
	return at;
}

/* Expects one wait for this fence, from its beginning to its end, with this result. */
static void expect_one_wait(struct __test_metadata *_metadata,
			    const struct log *log, struct job job, int result)
{
	size_t begin, end;

	EXPECT_EQ(1, count(log, GRTRACE_SYNC_WAIT_ENTER, NULL, NULL));
	EXPECT_EQ(1, count(log, GRTRACE_SYNC_WAIT_EXIT, NULL, NULL));
	begin = place(_metadata, log, GRTRACE_SYNC_WAIT_ENTER, &job);
	end = place(_metadata, log, GRTRACE_SYNC_WAIT_EXIT, &job);
	EXPECT_LT(begin, end);
	EXPECT_EQ(0, log->records[begin].arg);
	EXPECT_EQ(result, log->records[end].arg);
}

/* Expects that the wait had begun when the job was done, and ended because of it. */
static void expect_waited_for(struct __test_metadata *_metadata,
			      const struct log *log, struct job job)
{
	size_t done = place(_metadata, log, GRTRACE_COMPLETE, &job);

	EXPECT_LT(place(_metadata, log, GRTRACE_SYNC_WAIT_ENTER, NULL), done);
	EXPECT_GT(place(_metadata, log, GRTRACE_SYNC_WAIT_EXIT, NULL), done);
}

TEST_F(sync, syncobj)
{
	uint32_t syncobj;
	struct job job;

	NEEDS_EVENT(SYNCOBJ_EVENT);
	syncobj = syncobj_create(_metadata, self->fd);
	CONTROL("start");
	job = SUBMIT(.count = FEW, .duration_ns = JOB_MS * MS, .syncobj = syncobj);
	ASSERT_EQ(0, syncobj_wait(self->fd, syncobj, 60000 * MS, 0));
	end_session(_metadata, &self->log);
	expect_one_wait(_metadata, &self->log, job, 0);
	expect_waited_for(_metadata, &self->log, job);
}

/* A task that does not have to wait makes no record. */
TEST_F(sync, syncobj_signaled)
{
	uint32_t syncobj;

	NEEDS_EVENT(SYNCOBJ_EVENT);
	syncobj = syncobj_create(_metadata, self->fd);
	SUBMIT(.syncobj = syncobj);
	ASSERT_EQ(0, syncobj_wait(self->fd, syncobj, 60000 * MS, 0));
	CONTROL("start");
	ASSERT_EQ(0, syncobj_wait(self->fd, syncobj, 60000 * MS, 0));
	end_session(_metadata, &self->log);
	EXPECT_EQ(0, count(&self->log, GRTRACE_SYNC_WAIT_ENTER, NULL, NULL));
	EXPECT_EQ(0, count(&self->log, GRTRACE_SYNC_WAIT_EXIT, NULL, NULL));
}

TEST_F(sync, syncobj_times_out)
{
	uint32_t syncobj;
	struct job job;

	NEEDS_EVENT(SYNCOBJ_EVENT);
	syncobj = syncobj_create(_metadata, self->fd);
	CONTROL("start");
	job = SUBMIT(.count = MANY, .duration_ns = JOB_MS * MS, .syncobj = syncobj);
	ASSERT_EQ(-ETIME, syncobj_wait(self->fd, syncobj, 20 * MS, 0));
	end_session(_metadata, &self->log);
	expect_one_wait(_metadata, &self->log, job, -ETIME);
	EXPECT_EQ(0, count(&self->log, GRTRACE_COMPLETE, &job, NULL));
}

/* A task that waits until a job is submitted, or even until it is done. */
struct waiter {
	int fd;
	uint32_t syncobj;
	uint32_t copy;
	int ret;
};

static void *wait_until_done(void *arg)
{
	struct waiter *waiter = arg;

	waiter->ret = syncobj_wait(waiter->fd, waiter->syncobj, 60000 * MS,
				   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT);
	return NULL;
}

static void *wait_until_submitted(void *arg)
{
	struct waiter *waiter = arg;
	struct drm_syncobj_transfer transfer = {
		.src_handle = waiter->syncobj,
		.dst_handle = waiter->copy,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};

	waiter->ret = ioctl(waiter->fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer);
	return NULL;
}

/* Submits the job only when a task waits for it. */
static struct job submit_late(struct __test_metadata *_metadata, int fd,
			      uint32_t ctx, void *(*wait)(void *))
{
	struct waiter waiter = { .fd = fd };
	pthread_t thread;
	struct job job;

	waiter.syncobj = syncobj_create(_metadata, fd);
	waiter.copy = syncobj_create(_metadata, fd);
	EXPECT_EQ(0, pthread_create(&thread, NULL, wait, &waiter));
	grtrace_stat_wait("written", 1);
	job = submit(_metadata, fd, ctx, (struct grtrace_mock_submit) {
			.duration_ns = JOB_MS * MS,
			.syncobj = waiter.syncobj,
		     });
	pthread_join(thread, NULL);
	EXPECT_EQ(0, waiter.ret);
	return job;
}

/* Returns the job after checking the wait that began before it had a fence. */
static struct job wait_before_submit(struct __test_metadata *_metadata,
				     FIXTURE_DATA(sync) *self, void *(*wait)(void *))
{
	struct job job;

	CONTROL("start");
	job = submit_late(_metadata, self->fd, self->ctx, wait);
	end_session(_metadata, &self->log);
	expect_one_wait(_metadata, &self->log, (struct job) {}, 0);
	EXPECT_LT(place(_metadata, &self->log, GRTRACE_SYNC_WAIT_ENTER, NULL),
		  place(_metadata, &self->log, GRTRACE_SUBMIT, &job));
	return job;
}

/* Until then the task waits for another task. */
TEST_F(sync, syncobj_before_submit)
{
	NEEDS_EVENT(SYNCOBJ_EVENT);
	expect_waited_for(_metadata, &self->log,
			  wait_before_submit(_metadata, self, wait_until_done));
}

/* Like a driver that is given a sync object to wait for. */
TEST_F(sync, fence_before_submit)
{
	struct job job;

	NEEDS_EVENT(SYNCOBJ_EVENT);
	job = wait_before_submit(_metadata, self, wait_until_submitted);
	EXPECT_GT(place(_metadata, &self->log, GRTRACE_SYNC_WAIT_EXIT, NULL),
		  place(_metadata, &self->log, GRTRACE_SUBMIT, &job));
}

/* For a point of a timeline, the job is known but not its link in the chain. */
TEST_F(sync, timeline)
{
	struct drm_syncobj_transfer transfer = { .dst_point = 5 };
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&transfer.dst_handle,
		.points = (uintptr_t)&transfer.dst_point,
		.timeout_nsec = INT64_MAX,
		.count_handles = 1,
	};
	struct job job;

	NEEDS_EVENT(SYNCOBJ_EVENT);
	transfer.src_handle = syncobj_create(_metadata, self->fd);
	transfer.dst_handle = syncobj_create(_metadata, self->fd);
	CONTROL("start");
	job = SUBMIT(.count = FEW, .duration_ns = JOB_MS * MS, .syncobj = transfer.src_handle);
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer));
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait));
	end_session(_metadata, &self->log);
	expect_one_wait(_metadata, &self->log, job, 0);
	expect_waited_for(_metadata, &self->log, job);
}

/*
 * Submits jobs on rings of their own. The second is done first, long before the
 * others. It is submitted last, because on a slow machine submitting many jobs
 * takes as long as running a few, and then there would be nothing to wait for.
 */
static void submit_three(struct __test_metadata *_metadata, int fd, uint32_t ctx, uint32_t second,
			 struct job *jobs, struct grtrace_mock_wait_any *wait)
{
	static const uint32_t order[] = { 0, 2, 1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		uint32_t ring = order[i];

		jobs[ring] = submit(_metadata, fd, ctx,
				    (struct grtrace_mock_submit) {
					.ring = ring,
					.count = ring == 1 ? second : MANY,
					.duration_ns = JOB_MS * MS,
				    });
		wait->fences[ring].ctx = jobs[ring].ctx;
		wait->fences[ring].seqno = jobs[ring].seqno;
	}
	wait->nr_fences = ARRAY_SIZE(order);
}

TEST_F(sync, any)
{
	struct grtrace_mock_wait_any wait = { .timeout_ns = -1 };
	struct job jobs[3];

	NEEDS_EVENT(ANY_EVENT);
	CONTROL("start");
	submit_three(_metadata, self->fd, self->ctx, FEW, jobs, &wait);
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_GRTRACE_MOCK_WAIT_ANY, &wait));
	EXPECT_EQ(1, wait.first);
	end_session(_metadata, &self->log);
	/* the wait names the first fence of the list, and ends with the first one that is done */
	expect_one_wait(_metadata, &self->log, jobs[0], 0);
	expect_waited_for(_metadata, &self->log, jobs[wait.first]);
}

/* Waits until the timeout; returns how many waits are recorded. */
static size_t any_in_vain(struct __test_metadata *_metadata, FIXTURE_DATA(sync) *self,
			  uint64_t timeout_ns)
{
	struct grtrace_mock_wait_any wait = { .timeout_ns = timeout_ns };
	struct job jobs[3];
	size_t i, waits;

	CONTROL("start");
	submit_three(_metadata, self->fd, self->ctx, MANY, jobs, &wait);
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_GRTRACE_MOCK_WAIT_ANY, &wait));
	EXPECT_EQ(ETIME, errno);
	end_session(_metadata, &self->log);
	for (i = 0; i < ARRAY_SIZE(jobs); i++)
		EXPECT_EQ(0, count(&self->log, GRTRACE_COMPLETE, &jobs[i], NULL));
	waits = count(&self->log, GRTRACE_SYNC_WAIT_ENTER, NULL, NULL);
	EXPECT_EQ(waits, count(&self->log, GRTRACE_SYNC_WAIT_EXIT, NULL, NULL));
	if (waits)
		expect_one_wait(_metadata, &self->log, jobs[0], -ETIME);
	return waits;
}

TEST_F(sync, any_times_out)
{
	NEEDS_EVENT(ANY_EVENT);
	EXPECT_EQ(1, any_in_vain(_metadata, self, 20 * MS));
}

TEST_F(sync, any_polls)
{
	NEEDS_EVENT(ANY_EVENT);
	EXPECT_EQ(0, any_in_vain(_metadata, self, 0));
}

/* A successful reset reports to user space that no recovery is needed. */
TEST_F(sync, wedged)
{
	struct grtrace_mock_wait wait = { .timeout_ns = -1 };
	size_t i, n = 0;
	struct job job;

	NEEDS_EVENT(WEDGED_EVENT);
	CONFIGF("filter_type_mask=0x%x", 1 << GRTRACE_ERROR);
	CONTROL("start");
	job = SUBMIT(.flags = GRTRACE_MOCK_JOB_HANG);
	wait.fence.ctx = job.ctx;
	wait.fence.seqno = job.seqno;
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait));
	EXPECT_EQ(-ETIME, wait.error);
	/* the job's timeout, the reset of the ring, and then that of the device */
	grtrace_stat_wait("written", 3);
	end_session(_metadata, &self->log);
	for (i = 0; i < self->log.nr; i++) {
		const struct record *r = &self->log.records[i];

		if (r->kind != GRTRACE_ERROR_WEDGED)
			continue;
		n++;
		EXPECT_EQ(1, r->code);	/* DRM_WEDGE_RECOVERY_NONE */
		EXPECT_EQ(0, r->ctx);
		EXPECT_EQ(0, r->seqno);
		EXPECT_NE(0, r->ring);
		EXPECT_EQ(self->log.device_ring, r->ring);
		EXPECT_EQ(gettid(), r->pid);
		EXPECT_STREQ("sync_test", r->comm);
	}
	EXPECT_EQ(1, n);
	EXPECT_EQ(3, self->log.nr);
	EXPECT_STREQ(GRTRACE_MOCK_NAME, self->log.device_driver);
}

TEST_HARNESS_MAIN
