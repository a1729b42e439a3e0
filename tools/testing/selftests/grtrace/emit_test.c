// SPDX-License-Identifier: GPL-2.0
/* Events through the real hot path: written and counted. What is filtered: filter_test. */
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../kselftest_harness.h"

#include "grtrace_session.h"

GRTRACE_FIXTURE(emit, "")

TEST_F(emit, three_written)
{
	CONTROL("start");
	EXPECT_EQ(0, grtrace_write("emit", "submit 10 1 1 1\n"));
	EXPECT_EQ(0, grtrace_write("emit", "emit pick 10 1 1 1"));
	EXPECT_EQ(0, grtrace_write("emit", "complete 10 render 1 1"));
	CONTROL("stop");
	EXPECT_EQ(3, grtrace_stat("written"));
	EXPECT_EQ(3, grtrace_stat("offered"));
	EXPECT_EQ(0, grtrace_stat("lost"));
	EXPECT_EQ(0, grtrace_unaccounted());
}

TEST_F(emit, counters_start_anew)
{
	CONTROL("start");
	EXPECT_EQ(0, grtrace_write("emit", "submit 10 1 1 1"));
	CONTROL("stop");
	CONTROL("start");
	EXPECT_EQ(0, grtrace_stat("written"));
}

TEST_F(emit, every_type_has_its_counter)
{
	static const char * const names[] = {
		"submit", "dep", "blocked", "pick", "commit", "start", "end",
		"complete", "irq", "ctx_switch", "wait_enter", "wait_exit",
		"error", "fence",
	};
	char text[8192], line[128];
	size_t i;

	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(line, sizeof(line), "%s 1 copy 4 %zu", names[i], i);
		EXPECT_EQ(0, grtrace_write("emit", line)) TH_LOG("%s", line);
	}
	EXPECT_EQ(ARRAY_SIZE(names), grtrace_stat("written"));
	grtrace_read("events_by_type", text, sizeof(text));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(line, sizeof(line), ",%s,", names[i]);
		ASSERT_NE(NULL, strstr(text, line));
		EXPECT_EQ(1, strtoul(strchr(strstr(text, line) + strlen(line),
					    ',') + 1, NULL, 10))
			TH_LOG("%s", names[i]);
	}
}

TEST_F(emit, jobs_in_flight)
{
	char text[65536];

	CONTROL("start");
	EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 7 1\nsubmit 1 1 7 2\n"
					   "submit 1 1 7 3\ncomplete 1 1 7 1"));
	grtrace_read("rings", text, sizeof(text));
	EXPECT_NE(NULL, strstr(text, "\n7,?,?,emit7,render,2\n"));
}

static void *queue_run(void *tid)
{
	prctl(PR_SET_NAME, "queue");
	grtrace_write("emit", "submit 10 1 1 1");
	*(pid_t *)tid = gettid();
	return NULL;
}

/* The leader only waits, and is told of before the first record of its threads. */
TEST_F(emit, leader_names_the_process)
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

TEST_HARNESS_MAIN
