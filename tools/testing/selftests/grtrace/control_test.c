// SPDX-License-Identifier: GPL-2.0
/*
 * The debugfs files but for config: what they take, what they refuse and with
 * which errno, and that a refused write changes nothing.
 */
#include <poll.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"

#include "grtrace_files.h"

FIXTURE(control) {
};

FIXTURE_SETUP(control)
{
	if (access(GRTRACE_DIR "control", W_OK))
		SKIP(return, "module grtrace is not loaded");
	ASSERT_EQ(0, grtrace_reset());
}

FIXTURE_TEARDOWN(control)
{
	grtrace_reset();
}

/* Only the first test after the module was loaded finds it so. */
TEST_F(control, idle)
{
	char state[32];

	grtrace_read("control", state, sizeof(state));
	if (strcmp(state, "idle\n"))
		SKIP(return, "there was a session already");
	EXPECT_EQ(-EINVAL, grtrace_write("control", "stop"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "snapshot"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "discard"));
	EXPECT_EQ(0, grtrace_read("metadata", state, sizeof(state)));
	EXPECT_GE(0, grtrace_read("snapshot", state, sizeof(state)));
	EXPECT_EQ(0, grtrace_stat("offered"));
}

TEST_F(control, states)
{
	char state[32];

	ASSERT_EQ(0, grtrace_write("control", "start\n"));
	grtrace_read("control", state, sizeof(state));
	EXPECT_STREQ("running\n", state);
	EXPECT_EQ(-EBUSY, grtrace_write("control", "start"));
	ASSERT_EQ(0, grtrace_write("control", "stop"));
	grtrace_read("control", state, sizeof(state));
	EXPECT_STREQ("stopped\n", state);
	EXPECT_EQ(-EINVAL, grtrace_write("control", "stop"));
	/* nothing to throw away, until there is */
	EXPECT_EQ(-EINVAL, grtrace_write("control", "discard"));
	EXPECT_EQ(0, grtrace_write("control", "snapshot"));
	EXPECT_EQ(0, grtrace_write("control", "discard"));
	EXPECT_EQ(-EINVAL, grtrace_write("control", "discard"));
}

TEST_F(control, bad_control)
{
	static const char * const bad[] = {
		"", "\n", "start stop", "START", "start\n\n", "1", "snapshots",
		"start\x01", " start", "snapshot stop", "discard 1", "idle",
	};
	char state[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_EQ(-EINVAL, grtrace_write("control", bad[i]))
			TH_LOG("'%s'", bad[i]);
	EXPECT_EQ(-EINVAL, grtrace_write_bytes("control", "start\0", 6));
	grtrace_read("control", state, sizeof(state));
	EXPECT_STRNE("running\n", state);
}

TEST_F(control, huge_writes)
{
	static const char * const files[] = { "control", "config", "emit", "msg" };
	size_t size = 1 << 20, i;
	char *text = malloc(size);

	ASSERT_NE(NULL, text);
	memset(text, 'x', size);
	ASSERT_EQ(0, grtrace_write("control", "start"));
	for (i = 0; i < ARRAY_SIZE(files); i++)
		EXPECT_EQ(-E2BIG, grtrace_write_bytes(files[i], text, size))
			TH_LOG("%s", files[i]);
	free(text);
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
		{ "\n", -EINVAL },
		{ "submit", -EINVAL },
		{ "submit 1 1 1", -EINVAL },
		{ "frobnicate 1 1 1 1", -EINVAL },
		{ "submit -1 1 1 1", -EINVAL },
		{ "submit 1 7 1 1", -ERANGE },
		{ "submit 1 purple 1 1", -EINVAL },
		{ "submit 1 1 65536 1", -ERANGE },
		{ "submit 1 1 1 18446744073709551616", -ERANGE },
		{ "submit 1 1 1 1 junk", -EINVAL },
		{ "submit 1 1 1 1x", -EINVAL },
		{ "submit 1 1 1 1 arg=65536", -ERANGE },
		{ "commit 1 1 1 1 fence=1", -EINVAL },
		{ "error 1 1 1 1 kind=99", -ERANGE },
		{ "submit 1 1 1 1\nsubmit 1 1 1", -EINVAL },
	};
	size_t i;

	ASSERT_EQ(0, grtrace_write("control", "start"));
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_EQ(bad[i].ret, grtrace_write("emit", bad[i].line))
			TH_LOG("'%s'", bad[i].line);
	EXPECT_EQ(0, grtrace_stat("offered"));
}

TEST_F(control, bad_msg)
{
	char text[2048];

	memset(text, 'm', sizeof(text));
	ASSERT_EQ(0, grtrace_write("control", "start"));
	EXPECT_EQ(-EINVAL, grtrace_write("msg", "\n"));
	EXPECT_EQ(-EINVAL, grtrace_write("msg", "two\nlines"));
	EXPECT_EQ(-EINVAL, grtrace_write("msg", "bell\a"));
	EXPECT_EQ(0, grtrace_write_bytes("msg", text, 1024));
	EXPECT_EQ(-E2BIG, grtrace_write_bytes("msg", text, 1025));
}

TEST_HARNESS_MAIN
