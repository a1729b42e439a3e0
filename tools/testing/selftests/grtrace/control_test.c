// SPDX-License-Identifier: GPL-2.0
/*
 * The debugfs files: what they take, what they refuse and with which errno, and
 * that a refused write changes nothing.
 */
#include "../kselftest_harness.h"

#include "grtrace_files.h"

FIXTURE(control) {
	char before[8192];
};

FIXTURE_SETUP(control)
{
	if (access(GRTRACE_DIR "control", W_OK))
		SKIP(return, "module grtrace is not loaded");
	ASSERT_EQ(0, grtrace_reset());
	ASSERT_LT(0, grtrace_read("config", self->before, sizeof(self->before)));
}

FIXTURE_TEARDOWN(control)
{
	grtrace_reset();
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
}

TEST_F(control, bad_control)
{
	static const char * const bad[] = {
		"", "\n", "start stop", "START", "start\n\n", "1", "snapshots",
		"start\x01", " start",
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
		{ "submit 1 1 2147483648 1", -ERANGE },
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

TEST_F(control, config_values)
{
	static const struct {
		const char *key;
		const char *value;
		const char *shown;
	} good[] = {
		{ "mode", "overwrite", "overwrite" },
		{ "mode", "stop", "stop" },
		{ "subbuf_size", "4096", "4096" },
		{ "subbuf_size", "0x10000", "65536" },
		{ "n_subbufs", "2", "2" },
		{ "n_subbufs", "1024", "1024" },
		{ "order", "clock", "clock" },
		{ "order", "gseq", "gseq" },
		{ "filter_type_mask", "0x20", "0x20" },
		{ "filter_type_mask", "18446744073709551615",
		  "0xffffffffffffffff" },
		{ "filter_engine_mask", "6", "0x6" },
		{ "filter_ring_id", "4294967295", "4294967295" },
		{ "filter_device", "0000:00:02.0", "0000:00:02.0" },
		{ "filter_device", "all", "all" },
	};
	char text[128], value[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		snprintf(text, sizeof(text), "%s=%s\n", good[i].key,
			 good[i].value);
		EXPECT_EQ(0, grtrace_write("config", text))
			TH_LOG("%s", text);
		EXPECT_STREQ(good[i].shown,
			     grtrace_config(good[i].key, value, sizeof(value)));
	}
}

TEST_F(control, bad_config)
{
	static const struct {
		const char *text;
		int ret;
	} bad[] = {
		{ "\n", -EINVAL },
		{ "mode", -EINVAL },
		{ "mode=", -EINVAL },
		{ "=stop", -EINVAL },
		{ "colour=red", -EINVAL },
		{ "mode=stopp", -EINVAL },
		{ "mode=stop,", -EINVAL },
		{ "order=time", -EINVAL },
		{ "subbuf_size=", -EINVAL },
		{ "subbuf_size=-4096", -EINVAL },
		{ "subbuf_size=+4096", -EINVAL },
		{ "subbuf_size=4096k", -EINVAL },
		{ "subbuf_size=4097", -EINVAL },
		{ "subbuf_size=2048", -ERANGE },
		{ "subbuf_size=33554432", -ERANGE },
		{ "subbuf_size=18446744073709551616", -ERANGE },
		{ "n_subbufs=1", -ERANGE },
		{ "n_subbufs=1025", -ERANGE },
		{ "subbuf_size=16777216 n_subbufs=1024", -ERANGE },
		{ "filter_type_mask=all", -EINVAL },
		{ "filter_ring_id=4294967296", -ERANGE },
		{ "filter_device=", -EINVAL },
		{ "filter_device=0123456789012345678901234567890123456789",
		  -EINVAL },
		{ "mode=overwrite order=never", -EINVAL },
		{ "n_subbufs=8 n_subbufs=0", -ERANGE },
	};
	char after[8192];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(bad[i].ret, grtrace_write("config", bad[i].text))
			TH_LOG("'%s'", bad[i].text);
		grtrace_read("config", after, sizeof(after));
		EXPECT_STREQ(self->before, after) TH_LOG("'%s'", bad[i].text);
	}
	EXPECT_EQ(-EINVAL, grtrace_write_bytes("config", "mode=stop\0", 10));
	EXPECT_EQ(-EINVAL, grtrace_write_bytes("config", "\xff\xfe\x00", 3));
}

TEST_F(control, busy_keys)
{
	static const char * const keys[] = {
		"mode=stop", "subbuf_size=4096", "n_subbufs=2", "order=clock",
		"filter_ring_id=1 mode=overwrite",
	};
	char after[8192];
	size_t i;

	ASSERT_EQ(0, grtrace_write("control", "start"));
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		EXPECT_EQ(-EBUSY, grtrace_write("config", keys[i]))
			TH_LOG("%s", keys[i]);
	grtrace_read("config", after, sizeof(after));
	EXPECT_STREQ(self->before, after);
	EXPECT_EQ(0, grtrace_write("config", "filter_ring_id=3"));
}

TEST_F(control, views_have_headers)
{
	static const struct {
		const char *name;
		const char *header;
	} views[] = {
		{ "pc_stats", "cpu,offered,written,notes,lost,lost_notes,bytes\n" },
		{ "events_by_type", "type,name,letter,events\n" },
		{ "rings", "id,device,driver,name,class,in_flight\n" },
	};
	char text[65536];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(views); i++) {
		ASSERT_LT(0, grtrace_read(views[i].name, text, sizeof(text)));
		EXPECT_EQ(0, strncmp(views[i].header, text,
				     strlen(views[i].header)));
	}
}

TEST_HARNESS_MAIN
