// SPDX-License-Identifier: GPL-2.0
/*
 * The events that pass, by level, type, engine class, ring and device; and those of them that
 * are written. All through "emit", so each counter is known to the last unit.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"

#include "grtrace_fates.h"
#include "grtrace_mock.h"

/* Indexed by their numbers, from 1 on. */
static const char * const events[] = {
	"submit", "dep", "blocked", "pick", "commit", "start", "end", "complete", "irq",
	"ctx_switch", "wait_enter", "wait_exit", "error", "fence", "queue_state",
};

#define EVENTS ARRAY_SIZE(events)

FATES_FIXTURE(filter)

static const char *all_events(void)
{
	static char text[1024];
	size_t i, used = 0;

	for (i = 0; i < EVENTS; i++)
		used += snprintf(text + used, sizeof(text) - used, "%s 10 render 5 1\n", events[i]);
	return text;
}

TEST_F(filter, level)
{
	CONFIG("level=normal");
	CONTROL("start");
	EXPECT_COUNTS(all_events(), 9, LEVEL, 6);
	EXPECT_COUNTS("submit 1 1 1 1\nemit pick 1 1 1 1\ncommit 1 1 1 1\n"
		      "start 1 1 1 1\nend 1 1 1 1\ncomplete 1 1 1 1\n"
		      "fence 2 0 0 1\nerror 1 1 1 1\nqueue_state 1 1 1 0\n", 9, LEVEL, 0);
	EXPECT_COUNTS("dep 1 1 1 1\nblocked 1 1 1 1\nirq 1 1 1 1\n"
		      "ctx_switch 1 1 1 1\nwait_enter 1 0 0 1\nwait_exit 1 0 0 1\n", 0, LEVEL, 6);
	CONFIG("level=off");
	EXPECT_COUNTS(all_events(), 0, LEVEL, EVENTS);
	CONFIG("level=verbose");
	EXPECT_COUNTS(all_events(), EVENTS, LEVEL, 0);
}

TEST_F(filter, each_type)
{
	char text[64];
	size_t i;

	CONTROL("start");
	for (i = 0; i < EVENTS; i++) {
		CONFIGF("filter_type_mask=0x%llx", 1ull << (i + 1));
		EXPECT_COUNTS(all_events(), 1, TYPE, EVENTS - 1);
		snprintf(text, sizeof(text), "%s 10 render 5 1", events[i]);
		EXPECT_COUNTS(text, 1, TYPE, 0);
		CONFIGF("filter_type_mask=0x%llx", ~(1ull << (i + 1)));
		EXPECT_COUNTS(all_events(), EVENTS - 1, TYPE, 1);
	}
	/* bits that belong to no event */
	CONFIG("filter_type_mask=0x8000000000000001");
	EXPECT_COUNTS(all_events(), 0, TYPE, EVENTS);
	CONFIG("filter_type_mask=0x7fffffffffffffff");
	EXPECT_COUNTS(all_events(), EVENTS, TYPE, 0);
	CONFIG("filter_type_mask=0");
	EXPECT_COUNTS(all_events(), 0, TYPE, EVENTS);
}

TEST_F(filter, each_engine_class)
{
	static const char * const classes[] = {
		"unknown", "render", "compute", "copy", "video_decode", "video_encode", "other",
	};
	char text[64], jobs[1024];
	size_t i, used = 0;

	for (i = 0; i < ARRAY_SIZE(classes); i++)
		used += snprintf(jobs + used, sizeof(jobs) - used,
				 "submit 10 %s 5 1\n", classes[i]);
	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		CONFIGF("filter_engine_mask=0x%llx", 1ull << i);
		EXPECT_COUNTS(jobs, 1, ENGINE, ARRAY_SIZE(classes) - 1);
		snprintf(text, sizeof(text), "submit 10 %s 5 1", classes[i]);
		EXPECT_COUNTS(text, 1, ENGINE, 0);
	}
	/* no class has this bit; fences and waits have no class */
	CONFIG("filter_engine_mask=0x8000000000000000");
	EXPECT_COUNTS(jobs, 0, ENGINE, ARRAY_SIZE(classes));
	EXPECT_COUNTS("wait_enter 1 0 0 1\nfence 1 0 0 1", 2, ENGINE, 0);
	/* an unknown ring has the class unknown */
	CONFIG("filter_engine_mask=1");
	EXPECT_COUNTS("end 1 0 0 1", 1, ENGINE, 0);
	CONFIG("filter_engine_mask=2");
	EXPECT_COUNTS("end 1 0 0 1", 0, ENGINE, 1);
}

TEST_F(filter, each_ring)
{
	char text[64];
	int i;

	CONTROL("start");
	for (i = 1; i < 64; i++) {
		CONFIGF("filter_ring_mask=0x%llx", 1ull << i);
		snprintf(text, sizeof(text), "submit 10 1 %d 1", i);
		EXPECT_COUNTS(text, 1, RING, 0);
		snprintf(text, sizeof(text), "submit 10 1 %d 1", i % 63 + 1);
		EXPECT_COUNTS(text, 0, RING, 1);
	}
	/* rings above 63 have no bit of their own */
	CONFIG("filter_ring_mask=0x7fffffffffffffff");
	EXPECT_COUNTS("submit 10 1 62 1\nsubmit 10 1 63 1\n"
		      "submit 10 1 64 1\nsubmit 10 1 127 1\n", 1, RING, 3);
	CONFIG("filter_ring_mask=0xffffffffffffffff");
	EXPECT_COUNTS("submit 10 1 63 1\nsubmit 10 1 64 1\n"
		      "submit 10 1 60000 1\nend 10 0 0 1", 4, RING, 0);
	/* a job on an unknown ring matches no chosen ring */
	CONFIG("filter_ring_mask=0x2");
	EXPECT_COUNTS("end 10 0 0 1\nwait_enter 10 0 0 1\nfence 10 0 0 1", 2, RING, 1);
	/* both must pass */
	CONFIG("filter_ring_mask=0xc filter_ring_id=3");
	EXPECT_COUNTS("submit 10 1 2 1\nsubmit 10 1 3 1\nsubmit 10 1 4 1", 1, RING, 2);
}

static bool mock_has_done(int fd, uint64_t jobs)
{
	struct grtrace_mock_info info = {};

	return !ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_INFO, &info) && info.completed >= jobs;
}

/* A device's ring is known from its first job on, also in later sessions. */
static void mock_job(struct __test_metadata *_metadata)
{
	struct grtrace_mock_ctx_create create = {};
	struct grtrace_mock_submit job = { .count = 1 };
	struct grtrace_mock_info info = {};
	int fd = grtrace_module("grtrace_mock") ? -1 : mock_open();

	if (fd < 0)
		return;
	CONTROL("start");
	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_INFO, &info));
	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &create));
	job.ctx = create.ctx;
	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &job));
	ASSERT_TRUE(WAIT_UNTIL(mock_has_done(fd, info.completed + 1), 60));
	CONTROL("stop");
	close(fd);
}

TEST_F(filter, devices)
{
	unsigned int id = 0;
	char text[65536], jobs[256], *line, *device, *save;

	mock_job(_metadata);
	CONTROL("start");
	ASSERT_LT(0, grtrace_read("rings", text, sizeof(text)));
	line = strtok_r(text, "\n", &save);
	while ((line = strtok_r(NULL, "\n", &save))) {
		device = strchr(line, ',') + 1;
		if (!strncmp(device, "?,", 2))
			continue;
		id = strtoul(line, NULL, 10);
		*strchr(device, ',') = '\0';
		break;
	}
	if (!id)
		SKIP(return, "no ring of a device is known");
	/* invented rings have the device "?" */
	snprintf(jobs, sizeof(jobs), "submit 1 1 %u 1\nsubmit 1 1 60000 1\nend 1 1 %u 1\n", id, id);
	CONFIGF("filter_device=%s", device);
	EXPECT_COUNTS(jobs, 2, DEVICE, 1);
	CONFIGF("filter_device=%s,?", device);
	EXPECT_COUNTS(jobs, 3, DEVICE, 0);
	CONFIGF("filter_device=%s,nosuch0,nosuch1", device);
	EXPECT_COUNTS(jobs, 2, DEVICE, 1);
	CONFIG("filter_device=nosuch0,?");
	EXPECT_COUNTS(jobs, 1, DEVICE, 2);
	CONFIG("filter_device=nosuch0");
	EXPECT_COUNTS(jobs, 0, DEVICE, 3);
	/* an unknown ring is on no chosen device; a wait may concern any device */
	EXPECT_COUNTS("end 1 0 0 1\nwait_enter 1 0 0 1", 1, DEVICE, 1);
	CONFIG("filter_device=all");
	EXPECT_COUNTS(jobs, 3, DEVICE, 0);
}

TEST_F(filter, the_first_that_refuses_counts)
{
	CONFIG("level=normal filter_type_mask=0xfe filter_engine_mask=2");
	CONFIG("filter_ring_id=5 filter_device=? watch_ctx_add=10");
	CONTROL("start");
	EXPECT_COUNTS("irq 11 2 6 1", 0, LEVEL, 1);
	EXPECT_COUNTS("error 11 2 6 1", 0, TYPE, 1);
	EXPECT_COUNTS("submit 11 2 6 1", 0, ENGINE, 1);
	EXPECT_COUNTS("submit 11 1 6 1", 0, RING, 1);
	EXPECT_COUNTS("submit 11 1 5 1", 0, WATCH, 1);
	EXPECT_COUNTS("submit 10 1 5 1", 1, WATCH, 0);
}

TEST_F(filter, jobs_in_flight)
{
	char text[65536];

	/* a small id may belong to a device's ring, which the mock's job created */
	CONTROL("start");
	EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 60007 1\nsubmit 1 1 60007 2\n"
					   "submit 1 1 60007 3\ncomplete 1 1 60007 1"));
	grtrace_read("rings", text, sizeof(text));
	EXPECT_NE(NULL, strstr(text, "\n60007,?,?,emit60007,render,2,,0\n"));
}

static void *queue_run(void *tid)
{
	prctl(PR_SET_NAME, "queue");
	grtrace_write("emit", "submit 10 1 1 1");
	*(pid_t *)tid = gettid();
	return NULL;
}

/* The leader only waits, but its name comes before the first record of its threads. */
TEST_F(filter, leader_names_the_process)
{
	const struct grtrace_rec_task *task;
	struct stream s = {};
	struct stream_record r;
	uint32_t told[2], n = 0;
	pthread_t thread;
	pid_t tid = 0;

	prctl(PR_SET_NAME, "game");
	CONTROL("start");
	ASSERT_EQ(0, pthread_create(&thread, NULL, queue_run, &tid));
	pthread_join(thread, NULL);
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&s, 0));
	while (stream_next(&s, &r) && r.type != GRTRACE_SUBMIT) {
		if (r.type != GRTRACE_TASK)
			continue;
		task = (const void *)r.rec;
		ASSERT_GT(2, n);
		told[n] = le32toh(task->seq.pid);
		EXPECT_EQ(getpid(), le32toh(task->tgid));
		EXPECT_STREQ(n ? "queue" : "game", task->comm);
		n++;
	}
	ASSERT_EQ(2, n);
	EXPECT_EQ(getpid(), told[0]);
	EXPECT_EQ(tid, told[1]);
}

/* The record of a task in a container also has the pid that the host knows. */
TEST_F(filter, pids_are_the_hosts)
{
	struct stream *s = &self->stream;
	struct stream_record r;
	int status;
	pid_t child;

	CONTROL("start");
	if (unshare(CLONE_NEWPID))
		SKIP(return, "no PID namespaces");
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		_exit(getpid() != 1 || grtrace_write("emit", "submit 10 1 1 1"));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_LT(0, stream_take(s, 0));
	ASSERT_TRUE(stream_next_of(s, GRTRACE_SUBMIT, &r));
	EXPECT_EQ(child, le32toh(((const struct grtrace_rec_seq *)r.rec)->pid));
}

TEST_HARNESS_MAIN
