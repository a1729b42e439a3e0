// SPDX-License-Identifier: GPL-2.0
/*
 * Watchlists: the events of contexts, rings, processes and threads that are on them, alone or
 * together; with the fences of their jobs, whichever task signals them, and with their waits.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"

#include "grtrace_fates.h"

FATES_FIXTURE(watch)

TEST_F(watch, contexts)
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

TEST_F(watch, rings)
{
	CONFIG("watch_ring_add=5,70");
	CONTROL("start");
	EXPECT_COUNTS("submit 1 1 5 1\nsubmit 1 1 6 1\nsubmit 1 1 70 1\n"
		      "end 1 0 0 1\n", 2, WATCH, 2);
	CONFIG("watch_allow_mode=0");
	EXPECT_COUNTS("submit 1 1 5 1\nsubmit 1 1 6 1\nsubmit 1 1 70 1\n"
		      "end 1 0 0 1\n", 2, WATCH, 2);
}

TEST_F(watch, lists_and_or)
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

TEST_F(watch, keeps_the_fences_of_its_jobs)
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

TEST_F(watch, processes)
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

TEST_F(watch, one_thread_of_a_process)
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

/*
 * A thread that was there before its process was put on the list, and one that came later;
 * neither the waits nor the jobs of another process.
 */
TEST_F(watch, all_threads_of_a_process)
{
	static const char other[] = "submit 42 1 1 1\nwait_enter 50 0 0 1\nwait_exit 50 0 0 1";
	pthread_barrier_t ready;
	struct emitter emitters[2] = {
		{ "submit 40 1 1 1\nwait_enter 50 0 0 1\nwait_exit 50 0 0 1", .ready = &ready },
		{ "submit 41 1 1 1\nwait_enter 50 0 0 1\nwait_exit 50 0 0 1", .ready = &ready },
	};
	pthread_t thread;
	int i;

	CONTROL("start");
	pthread_barrier_init(&ready, NULL, 2);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, pthread_create(&thread, NULL, emitter_run, &emitters[i]));
		pthread_barrier_wait(&ready);
		EXPECT_NE(getpid(), emitters[i].tid);
		if (!i)
			CONFIGF("watch_pid_add=%d", getpid());
		pthread_barrier_wait(&ready);
		pthread_join(thread, NULL);
		EXPECT_EQ(0, emitters[i].ret);
	}
	EXPECT_COUNTS("end 40 1 1 1\nend 41 1 1 1\nend 42 1 1 1", 8, WATCH, 1);
	EXPECT_EQ(0, emit_in_child(other));
	EXPECT_COUNTS("end 42 1 1 1\nend 40 1 1 1", 1, WATCH, 4);
	/* all but that process */
	CONFIG("watch_allow_mode=0");
	EXPECT_EQ(0, emit_in_child(other));
	EXPECT_COUNTS("wait_enter 50 0 0 1\nend 41 1 1 1\nend 42 1 1 1", 4, WATCH, 2);
}

TEST_F(watch, sixty_four)
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

TEST_HARNESS_MAIN
