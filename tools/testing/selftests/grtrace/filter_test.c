// SPDX-License-Identifier: GPL-2.0
/*
 * The events that pass, by level, type, engine class, ring, device and watchlist; and those
 * of them that are written. All through "emit", so each counter is known to the last unit.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"

#include "grtrace_mock.h"
#include "grtrace_session.h"

/* Indexed by their numbers, from 1 on. */
static const char * const events[] = {
	"submit", "dep", "blocked", "pick", "commit", "start", "end", "complete", "irq",
	"ctx_switch", "wait_enter", "wait_exit", "error", "fence",
};

#define EVENTS ARRAY_SIZE(events)

/* The possible fates of an event here. */
enum fate { WRITTEN, LEVEL, TYPE, ENGINE, RING, DEVICE, WATCH, FATES };

static const char * const fates[] = {
	"written", "filtered_level", "filtered_type", "filtered_engine",
	"filtered_ring", "filtered_device", "filtered_watch",
};

GRTRACE_FIXTURE(filter, "", uint64_t seen[FATES];)

/*
 * Emit @text and expect that since the last time @pass events were written and
 * @fail refused by what @fate says, and nothing else.
 */
static void expect_counts(struct __test_metadata *_metadata, uint64_t *seen, const char *text,
			  uint64_t pass, enum fate fate, uint64_t fail)
{
	unsigned int i;

	EXPECT_EQ(0, grtrace_write("emit", text)) TH_LOG("%s", text);
	for (i = 0; i < FATES; i++) {
		uint64_t now = grtrace_stat(fates[i]);
		uint64_t expected = i == WRITTEN ? pass : i == fate ? fail : 0;

		EXPECT_EQ(expected, now - seen[i]) TH_LOG("%s after\n%s", fates[i], text);
		seen[i] = now;
	}
	EXPECT_EQ(0, grtrace_unaccounted());
}

#define EXPECT_COUNTS(text, pass, fate, fail) \
	expect_counts(_metadata, self->seen, text, pass, fate, fail)

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
	EXPECT_COUNTS(all_events(), 8, LEVEL, 6);
	EXPECT_COUNTS("submit 1 1 1 1\nemit pick 1 1 1 1\ncommit 1 1 1 1\n"
		      "start 1 1 1 1\nend 1 1 1 1\ncomplete 1 1 1 1\n"
		      "fence 2 0 0 1\nerror 1 1 1 1\n", 8, LEVEL, 0);
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

TEST_F(filter, watch_contexts)
{
	static const char events_of_two[] = "submit 10 1 1 1\nsubmit 11 1 1 1\nend 10 1 1 1\n"
		"end 11 1 1 1\nwait_enter 10 0 0 1\nwait_enter 11 0 0 1\nerror 11 1 1 1\n";

	CONFIG("watch_ctx_add=10,4294967306");
	CONTROL("start");
	EXPECT_COUNTS(events_of_two, 3, WATCH, 4);
	/* all 64 bits count */
	EXPECT_COUNTS("submit 4294967306 1 1 1\nsubmit 8589934602 1 1 1\n", 1, WATCH, 1);
	CONFIG("watch_allow_mode=0");
	EXPECT_COUNTS(events_of_two, 4, WATCH, 3);
	CONFIG("watch_allow_mode=1 watch_ctx_add=11");
	EXPECT_COUNTS("submit 10 1 1 1\nsubmit 11 1 1 1\nsubmit 12 1 1 1", 2, WATCH, 1);
	CONFIG("watch_ctx_clear=1 watch_ctx_add=12");
	EXPECT_COUNTS("submit 10 1 1 1\nsubmit 11 1 1 1\nsubmit 12 1 1 1", 1, WATCH, 2);
	/* an empty list refuses nothing */
	CONFIG("watch_ctx_clear=1");
	EXPECT_COUNTS("submit 10 1 1 1\nsubmit 11 1 1 1\nsubmit 12 1 1 1", 3, WATCH, 0);
	CONFIG("watch_allow_mode=0");
	EXPECT_COUNTS("submit 10 1 1 1", 1, WATCH, 0);
}

TEST_F(filter, watch_rings)
{
	CONFIG("watch_ring_add=5,70");
	CONTROL("start");
	EXPECT_COUNTS("submit 1 1 5 1\nsubmit 1 1 6 1\nsubmit 1 1 70 1\n"
		      "end 1 0 0 1\n", 2, WATCH, 2);
	CONFIG("watch_allow_mode=0");
	EXPECT_COUNTS("submit 1 1 5 1\nsubmit 1 1 6 1\nsubmit 1 1 70 1\n"
		      "end 1 0 0 1\n", 2, WATCH, 2);
}

TEST_F(filter, watch_and_or)
{
	static const char jobs[] =
		"submit 10 1 5 1\nsubmit 10 1 6 1\nsubmit 11 1 5 1\nsubmit 11 1 6 1\n";

	CONFIG("watch_ctx_add=10 watch_ring_add=5");
	CONTROL("start");
	EXPECT_COUNTS(jobs, 3, WATCH, 1);
	CONFIG("watch_combine=and");
	EXPECT_COUNTS(jobs, 1, WATCH, 3);
	CONFIG("watch_allow_mode=0");
	EXPECT_COUNTS(jobs, 3, WATCH, 1);
	CONFIG("watch_combine=or");
	EXPECT_COUNTS(jobs, 1, WATCH, 3);
	/* "and" means all lists that are not empty */
	CONFIG("watch_combine=and watch_allow_mode=1 watch_ring_clear=1");
	EXPECT_COUNTS(jobs, 2, WATCH, 2);
}

TEST_F(filter, watch_keeps_the_fences_of_its_jobs)
{
	CONFIG("watch_ctx_add=10");
	CONTROL("start");
	EXPECT_COUNTS("commit 10 1 1 1 fence=500:1\ncommit 11 1 1 1 fence=501:1\n"
		      "submit 10 1 1 2 fence=502:7\nsubmit 11 1 1 2 fence=503:7\n", 2, WATCH, 2);
	EXPECT_COUNTS("fence 500 0 0 1\nfence 501 0 0 1\nfence 502 0 0 7\n"
		      "fence 503 0 0 7\nfence 504 0 0 1\nfence 500 0 0 2\n",
		      2, WATCH, 4);
	/* signalled by any process: a dependency's fence does not belong to the job */
	EXPECT_COUNTS("dep 10 1 1 3 fence=505:1", 1, WATCH, 0);
	EXPECT_COUNTS("fence 505 0 0 1", 0, WATCH, 1);
}

/* Emits in a child process, which exits. */
static int emit_in_child(const char *text)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(grtrace_write("emit", text) ? 1 : 0);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct emitter {
	const char *text;
	pid_t tid;
	int ret;
	pthread_barrier_t *ready;	/* the tid is known; then go */
};

static void *emitter_run(void *arg)
{
	struct emitter *e = arg;

	e->tid = syscall(SYS_gettid);
	pthread_barrier_wait(e->ready);
	pthread_barrier_wait(e->ready);
	e->ret = grtrace_write("emit", e->text);
	return NULL;
}

TEST_F(filter, watch_processes)
{
	CONFIGF("watch_pid_add=%d", getpid());
	CONTROL("start");
	/* the events count for this process, whichever task reports them later */
	EXPECT_COUNTS("submit 20 1 1 1", 1, WATCH, 0);
	EXPECT_EQ(0, emit_in_child("submit 21 1 1 1\npick 20 1 1 1\n"
				   "end 21 1 1 1\ncomplete 20 1 1 1"));
	EXPECT_COUNTS("complete 21 1 1 1\ncomplete 20 1 1 1", 3, WATCH, 3);
	/* a wait belongs to the waiting task, or to the kept job */
	EXPECT_COUNTS("wait_enter 21 0 0 1", 1, WATCH, 0);
	EXPECT_EQ(0, emit_in_child("wait_enter 20 0 0 1\nwait_enter 21 0 0 1"));
	EXPECT_COUNTS("submit 20 1 1 2", 2, WATCH, 1);
	/* the owner is unknown, because no SUBMIT was seen */
	EXPECT_COUNTS("end 22 1 1 1", 0, WATCH, 1);
	CONFIG("watch_allow_mode=0");
	EXPECT_COUNTS("pick 20 1 1 2\npick 21 1 1 2\nend 22 1 1 1", 2, WATCH, 1);
}

TEST_F(filter, watch_one_thread_of_a_process)
{
	pthread_barrier_t ready;
	struct emitter emitters[2] = {
		{ "submit 30 1 1 1\nend 30 1 1 1\nend 31 1 1 1", .ready = &ready },
		{ "submit 31 1 1 1\nend 31 1 1 1", .ready = &ready },
	};
	pthread_t threads[2];
	int i;

	CONTROL("start");
	for (i = 0; i < 2; i++) {
		pthread_barrier_init(&ready, NULL, 2);
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, emitter_run, &emitters[i]));
		pthread_barrier_wait(&ready);
		if (!i)
			CONFIGF("watch_pid_add=%d", emitters[0].tid);
		pthread_barrier_wait(&ready);
		pthread_join(threads[i], NULL);
		EXPECT_EQ(0, emitters[i].ret);
		pthread_barrier_destroy(&ready);
	}
	/* 30 is on the list; the process is not */
	EXPECT_COUNTS("end 30 1 1 2\nend 31 1 1 2\nsubmit 32 1 1 1", 3, WATCH, 5);
}

TEST_F(filter, watch_with_sixty_four)
{
	char text[4096], jobs[4096];
	size_t used = 0, jobs_used = 0;
	int i;

	for (i = 0; i < 64; i++) {
		used += snprintf(text + used, sizeof(text) - used, "%s%d",
				 i ? "," : "watch_ctx_add=", 1000 - i * 7);
		jobs_used += snprintf(jobs + jobs_used, sizeof(jobs) - jobs_used,
				      "submit %d 1 1 1\nsubmit %d 1 1 1\n",
				      1000 - i * 7, 1000 - i * 7 - 1);
	}
	CONFIG(text);
	/* numbers that are already on the list need no room */
	EXPECT_EQ(0, grtrace_write("config", "watch_ctx_add=1000,559"));
	CONTROL("start");
	EXPECT_COUNTS(jobs, 64, WATCH, 64);
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
	EXPECT_NE(NULL, strstr(text, "\n60007,?,?,emit60007,render,2\n"));
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
