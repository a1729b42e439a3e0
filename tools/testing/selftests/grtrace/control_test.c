// SPDX-License-Identifier: GPL-2.0
/*
 * The debugfs files except config: what they take, what they refuse and with
 * which errno, and that a refused write changes nothing.
 */
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"

#include "grtrace_session.h"
#include "grtrace_stream.h"

GRTRACE_FIXTURE(control, "")

/* This runs first: after another test it has the end of that test's session. */
TEST_F(control, idle)
{
	char bytes[2];

	EXPECT_EQ(-EINVAL, grtrace_write("control", "stop"));
	if (session_is("stopped\n"))
		SKIP(return, "there was a session before");
	EXPECT_TRUE(session_is("idle\n"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "snapshot"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "discard"));
	EXPECT_EQ(0, grtrace_read("metadata", bytes, sizeof(bytes)));
	EXPECT_GE(0, grtrace_read("snapshot", bytes, sizeof(bytes)));
	EXPECT_EQ(0, grtrace_stat("offered"));
}

TEST_F(control, states)
{
	CONTROL("start\n");
	EXPECT_TRUE(session_is("running\n"));
	EXPECT_EQ(-EBUSY, grtrace_write("control", "start"));
	CONTROL("stop");
	EXPECT_TRUE(session_is("stopped\n"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "stop"));
	/* there is nothing to discard yet */
	EXPECT_EQ(-EINVAL, grtrace_write("control", "discard"));
	EXPECT_EQ(0, grtrace_write("control", "snapshot"));
	EXPECT_EQ(0, grtrace_write("control", "discard"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "discard"));
}

/* A kernel that is locked down lets a file of mode 0400 be read. */
TEST_F(control, files_can_be_locked_down)
{
	struct dirent *entry;
	struct stat st;
	int files = 0;
	DIR *dir;

	CONTROL("start");
	dir = opendir(GRTRACE_DIR);
	ASSERT_NE(NULL, dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		files++;
		ASSERT_EQ(0, fstatat(dirfd(dir), entry->d_name, &st, 0));
		EXPECT_TRUE((st.st_mode & 07777) == 0600 || (st.st_mode & 07777) == 0200) {
			TH_LOG("%s has mode %o", entry->d_name, st.st_mode & 07777);
		}
	}
	closedir(dir);
	EXPECT_LT(10, files);
}

/* The limit of channels and of snapshots; grtrace itself holds two of each. */
#define HELD_MAX	8

/*
 * A file that a reader holds open keeps its memory: do so round by round until one is
 * refused.
 */
static int hold(int *fds, const char *file, const char * const *words, int *rounds)
{
	int ret = 0;

	for (*rounds = 0; *rounds < 2 * HELD_MAX; (*rounds)++) {
		const char * const *word;

		for (word = words; !ret && *word; word++)
			ret = grtrace_write("control", *word);
		if (ret)
			break;
		fds[*rounds] = grtrace_open(file, O_RDONLY);
		if (fds[*rounds] < 0)
			return fds[*rounds];
	}
	return ret;
}

static void let_go(const int *fds, int rounds)
{
	while (rounds)
		close(fds[--rounds]);
}

TEST_F(control, snapshots_held_open_are_bounded)
{
	static const char * const words[] = { "snapshot", NULL };
	int fds[2 * HELD_MAX], rounds;

	CONTROL("start");
	EXPECT_EQ(-ENFILE, hold(fds, "snapshot", words, &rounds));
	EXPECT_LE(HELD_MAX - 2, rounds);
	EXPECT_GE(HELD_MAX, rounds);
	/* the session is not affected, and keeps the last snapshot */
	EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 1 1"));
	EXPECT_EQ(rounds, grtrace_stat("snapshots"));
	let_go(fds, rounds);
	EXPECT_EQ(0, grtrace_write("control", "snapshot"));
}

TEST_F(control, channels_held_open_are_bounded)
{
	static const char * const words[] = { "start", "stop", NULL };
	int fds[2 * HELD_MAX], rounds;

	EXPECT_EQ(-ENFILE, hold(fds, "trace0", words, &rounds));
	EXPECT_LE(HELD_MAX - 1, rounds);
	EXPECT_GE(HELD_MAX, rounds);
	/* the refused start removed nothing */
	EXPECT_TRUE(session_is("stopped\n"));
	EXPECT_EQ(0, access(GRTRACE_DIR "trace0", F_OK));
	let_go(fds, rounds);
	EXPECT_EQ(0, grtrace_write("control", "start"));
}

/* No read waits for a record: one that must not gets what any other gets, never EAGAIN. */
TEST_F(control, nothing_to_read_is_no_error)
{
	struct stream_record r = {};
	struct stream s = {};
	char bytes[4096];
	int fd;

	CONTROL("start");
	fd = grtrace_open("trace0", O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, fd);
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	EXPECT_EQ(0, read(fd, bytes, sizeof(bytes)));
	EMIT("submit 5 1 1 77");
	ASSERT_LT(0, stream_fill(&s, fd, 1 << 20));
	EXPECT_TRUE(stream_next_of(&s, GRTRACE_SUBMIT, &r));
	EXPECT_EQ(77, r.seqno);
	CONTROL("stop");
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	EXPECT_EQ(0, read(fd, bytes, sizeof(bytes)));
	close(fd);
}

/* A reader that sleeps until there is data is notified that none will come. */
TEST_F(control, poll_ends_with_the_channel)
{
	struct pollfd pfd = { .events = POLLIN };
	char bytes[65536];
	int status;
	pid_t pid;

	CONTROL("start");
	pfd.fd = grtrace_open("trace0", O_RDONLY);
	ASSERT_LE(0, pfd.fd);
	CONTROL("stop");
	while (read(pfd.fd, bytes, sizeof(bytes)) > 0)
		;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		/* poll() with a timeout of its own would check again at its end */
		alarm(60);
		_exit(poll(&pfd, 1, -1) == 1 && pfd.revents & POLLERR ? 0 : 1);
	}
	EXPECT_TRUE(WAIT_UNTIL(sleeps_in(pid, SYS_poll), 60));
	EXPECT_EQ(0, grtrace_write("control", "start"));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(pfd.fd);
}

struct opener {
	const bool *stop;
	unsigned int opened;
	unsigned int not_yet;
	int error;			/* an errno that is not documented */
};

static void *opener_run(void *arg)
{
	struct opener *opener = arg;
	unsigned int cpu = 0;
	int fd;

	while (!__atomic_load_n(opener->stop, __ATOMIC_RELAXED)) {
		fd = grtrace_open(cpu++ % 2 ? "trace1" : "trace0", O_RDONLY);
		if (fd >= 0) {
			opener->opened++;
			close(fd);
		} else if (errno == EAGAIN || errno == ENOENT) {
			opener->not_yet++;
		} else {
			opener->error = errno;
		}
		/* other threads need the mutexes and the CPU */
		usleep(100);
	}
	return NULL;
}

/*
 * The kernel's checkers see a fault here, or it shows later. Starting and
 * stopping is slow beside the openers.
 */
TEST_F_TIMEOUT(control, files_opened_while_they_are_made, 600)
{
	bool stop = false;
	struct opener opener[2] = { { .stop = &stop }, { .stop = &stop } };
	pthread_t openers[2];
	size_t i;

	CONFIG("subbuf_size=4096 n_subbufs=2");
	for (i = 0; i < ARRAY_SIZE(openers); i++)
		ASSERT_EQ(0, pthread_create(&openers[i], NULL, opener_run, &opener[i]));
	for (i = 0; i < 10; i++) {
		EXPECT_EQ(0, grtrace_write("control", "start"));
		EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 1 1"));
		EXPECT_EQ(0, grtrace_write("control", "stop"));
		EXPECT_EQ(1, grtrace_stat("written"));
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < ARRAY_SIZE(openers); i++) {
		pthread_join(openers[i], NULL);
		TH_LOG("%u opened, %u not there yet", opener[i].opened, opener[i].not_yet);
		EXPECT_LT(0, opener[i].opened);
		EXPECT_EQ(0, opener[i].error);
	}
}

TEST_F(control, bad_control)
{
	static const char * const bad[] = {
		"", "\n", "start stop", "START", "start\n\n", "1", "snapshots",
		"start\x01", " start", "snapshot stop", "discard 1", "idle",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, grtrace_write("control", bad[i])) TH_LOG("'%s'", bad[i]);
	}
	EXPECT_EQ(-EINVAL, grtrace_write_bytes("control", "start\0", 6));
	EXPECT_FALSE(session_is("running\n"));
}

TEST_F(control, huge_writes)
{
	static const char * const files[] = { "control", "config", "emit", "msg" };
	static const size_t sizes[] = { 65537, 1 << 20, 64 << 20 };
	char *text = malloc(64 << 20);
	size_t i, k;

	ASSERT_NE(NULL, text);
	memset(text, 'x', 64 << 20);
	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		for (k = 0; k < ARRAY_SIZE(sizes); k++) {
			EXPECT_EQ(-E2BIG, grtrace_write_bytes(files[i], text, sizes[k]))
				TH_LOG("%zu bytes to %s", sizes[k], files[i]);
		}
	}
	/* the most that a write may have */
	memset(text, ' ', 65536);
	memcpy(text, "sample=5", 8);
	EXPECT_EQ(0, grtrace_write_bytes("config", text, 65536));
}

TEST_F(control, emit_needs_a_session)
{
	EXPECT_EQ(-EPIPE, grtrace_write("emit", "submit 1 render 1 1"));
	EXPECT_EQ(-EPIPE, grtrace_write("msg", "nobody listens"));
}

TEST_F(control, bad_emit)
{
	static const struct {
		const char *line;
		int ret;
	} bad[] = {
		{ "\n", -EINVAL }, { "submit", -EINVAL }, { "submit 1 1 1", -EINVAL },
		{ "frobnicate 1 1 1 1", -EINVAL }, { "submit -1 1 1 1", -EINVAL },
		{ "submit 1 7 1 1", -ERANGE }, { "submit 1 purple 1 1", -EINVAL },
		{ "submit 1 1 4294967296 1", -ERANGE },
		{ "submit 1 1 1 18446744073709551616", -ERANGE },
		{ "submit 1 1 1 1 junk", -EINVAL }, { "submit 1 1 1 1x", -EINVAL },
		{ "submit 1 1 1 1 arg=65536", -ERANGE }, { "commit 1 1 1 1 fence=1", -EINVAL },
		{ "error 1 1 1 1 code=2147483648", -ERANGE },
		{ "submit 18446744073709551616 1 1 1", -ERANGE },
		{ "pick 1 1 1 1 fence=1:1", -EINVAL }, { "pick 1 1 1 1 client=1", -EINVAL },
		{ "end 1 1 1 1 command=1", -EINVAL }, { "submit 1 1 1 1 response=1", -EINVAL },
		{ "submit 1 1 1 1 command=4294967296", -ERANGE },
		{ "queue_state 1 1 1 0 state=2", -ERANGE },
		{ "queue_state 1 1 1 0 reason=13", -ERANGE },
		{ "queue_state 1 1 1 0 client=all", -EINVAL }, { "pick 1 1 1 1 state=1", -EINVAL },
		{ "pick 1 1 1 1 pid=1", -EINVAL }, { "pick 1 1 1 1 text=", -EINVAL },
		{ "submit 1 1 1 1 comm=x", -EINVAL }, { "error 1 1 1 1 pid=4194305", -ERANGE },
		{ "error 1 1 1 1 pid=all", -EINVAL }, { "error 1 1 1 1 kind=7", -ERANGE },
		{ "submit 1 1 1 1\nsubmit 1 1 1", -EINVAL },
	};
	size_t i;

	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(bad[i].ret, grtrace_write("emit", bad[i].line))
			TH_LOG("'%s'", bad[i].line);
	}
	EXPECT_EQ(0, grtrace_stat("offered"));
}

/* The ids of 32 bits, and none of those that were asked for is given to another ring. */
TEST_F(control, emit_any_ring)
{
	char text[65536];

	CONTROL("start");
	EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 4294967295 1\nsubmit 1 1 4294967280 2"));
	EXPECT_EQ(0, grtrace_stat("rings_full"));
	ASSERT_LT(0, grtrace_read("rings", text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "\n4294967295,?,?,emit4294967295,render,1,,0\n"))
		TH_LOG("%s", text);
	EXPECT_NE(NULL, strstr(text, "\n4294967280,?,?,emit4294967280,render,1,,0\n"));
}

TEST_F(control, bad_msg)
{
	char text[2048];
	int i, ret = 0;

	memset(text, 'm', sizeof(text));
	CONFIG("subbuf_size=4096 n_subbufs=2");
	CONTROL("start");
	EXPECT_EQ(-EINVAL, grtrace_write("msg", "\n"));
	EXPECT_EQ(-EINVAL, grtrace_write("msg", "two\nlines"));
	EXPECT_EQ(-EINVAL, grtrace_write("msg", "bell\a"));
	EXPECT_EQ(0, grtrace_write_bytes("msg", text, 1024));
	EXPECT_EQ(-E2BIG, grtrace_write_bytes("msg", text, 1025));
	for (i = 0; i < 8 && !ret; i++)
		ret = grtrace_write_bytes("msg", text, 1024);
	EXPECT_EQ(-ENOSPC, ret);
}

TEST_HARNESS_MAIN
