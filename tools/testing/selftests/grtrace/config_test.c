// SPDX-License-Identifier: GPL-2.0
/*
 * The file "config", key by key from one table: what each key takes and how it
 * is shown, what it refuses and with which errno, that a refused write changes
 * nothing, and that it leaves one line in the kernel log, or none after many.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

enum kind {
	KIND_WORD,	/* one of @words */
	/* up to KIND_CLEAR, what takes numbers */
	KIND_NUMBER,	/* from @min to @max */
	KIND_MASK,	/* 64 bits */
	KIND_LIST,	/* numbers that are added */
	KIND_CLEAR,	/* empties a list, always shown as 0 */
	KIND_NAMES,	/* of devices: nearly any word is a name */
	KIND_RULES,	/* comma list of @words, or none */
};

struct value {
	const char *value;
	const char *shown;
};

struct key {
	const char *name;
	enum kind kind;
	bool idle;		/* may not change while a session runs */
	uint64_t min;
	uint64_t max;
	struct value good[6];
};

/* In the order of the file "defaults", which has the initial values. */
static const struct key keys[] = {
	{ "mode", KIND_WORD, true, .good = { { "overwrite", "overwrite" }, { "stop", "stop" } } },
	{ "subbuf_size", KIND_NUMBER, true, 4096, 16777216, {
		{ "4096", "4096" }, { "16777216", "16777216" }, { "0x10000", "65536" },
		{ "020000", "8192" } } },
	{ "n_subbufs", KIND_NUMBER, true, 2, 1024, {
		{ "2", "2" }, { "512", "512" }, { "0x3", "3" } } },
	{ "clock", KIND_WORD, true, .good = {
		{ "boot", "boot" }, { "mono", "mono" } } },
	{ "level", KIND_WORD, .good = {
		{ "off", "off" }, { "normal", "normal" }, { "verbose", "verbose" } } },
	{ "filter_type_mask", KIND_MASK, .good = {
		{ "0x20", "0x20" }, { "0", "0x0" }, { "6", "0x6" },
		{ "0x8000000000000000", "0x8000000000000000" },
		{ "18446744073709551615", "0xffffffffffffffff" } } },
	{ "filter_engine_mask", KIND_MASK, .good = {
		{ "6", "0x6" }, { "0x8000000000000000", "0x8000000000000000" },
		{ "0xffffffffffffffff", "0xffffffffffffffff" } } },
	{ "filter_ring_mask", KIND_MASK, .good = {
		{ "6", "0x6" }, { "0x8000000000000000", "0x8000000000000000" },
		{ "0xffffffffffffffff", "0xffffffffffffffff" } } },
	{ "filter_ring_id", KIND_NUMBER, false, 0, 4294967295, {
		{ "4294967295", "4294967295" }, { "0x11", "17" } } },
	{ "filter_device", KIND_NAMES, .good = {
		{ "0000:00:02.0", "0000:00:02.0" }, { "nosuch0,0000:00:02.0", NULL },
		{ "all", "all" } } },
	{ "watch_allow_mode", KIND_NUMBER, false, 0, 1, { { "0", "0" }, { "1", "1" } } },
	{ "watch_combine", KIND_WORD, .good = { { "and", "and" }, { "or", "or" } } },
	{ "watch_ctx_clear", KIND_CLEAR, false, 0, 1, { { "1", "0" }, { "0", "0" } } },
	{ "watch_ring_clear", KIND_CLEAR, false, 0, 1, { { "1", "0" }, { "0", "0" } } },
	{ "watch_pid_clear", KIND_CLEAR, false, 0, 1, { { "1", "0" }, { "0", "0" } } },
	{ "watch_ctx_add", KIND_LIST, .good = {
		{ "5", "5" }, { "5,7", "5,7" },
		{ "18446744073709551615", "5,7,18446744073709551615" },
		{ "none", "5,7,18446744073709551615" } } },
	{ "watch_ring_add", KIND_LIST, .good = { { "5,70", "5,70" }, { "100", "5,70,100" } } },
	{ "watch_pid_add", KIND_LIST, .good = { { "1", "1" }, { "1,2", "1,2" } } },
	{ "sample", KIND_NUMBER, false, 1, 1000000, {
		{ "1000000", "1000000" }, { "0x10", "16" }, { "1", "1" } } },
	{ "adaptive_sampling", KIND_NUMBER, false, 0, 1, { { "1", "1" }, { "0", "0" } } },
	{ "max_events_per_sec", KIND_NUMBER, false, 0, 100000000, {
		{ "100000000", "100000000" }, { "1", "1" }, { "0", "0" } } },
	{ "rate_limiter_mode", KIND_NUMBER, false, 0, 1, { { "0", "0" }, { "1", "1" } } },
	{ "burst", KIND_NUMBER, false, 0, 100000000, {
		{ "100000000", "100000000" }, { "1", "1" }, { "0", "0" } } },
	{ "backpressure_threshold", KIND_NUMBER, false, 0, 100, {
		{ "100", "100" }, { "1", "1" }, { "0", "0" } } },
	{ "slow_queue_us", KIND_NUMBER, false, 0, 3600000000, {
		{ "3600000000", "3600000000" }, { "0", "0" } } },
	{ "slow_exec_us", KIND_NUMBER, false, 0, 3600000000, {
		{ "3600000000", "3600000000" }, { "0", "0" } } },
	{ "snapshot_on", KIND_RULES, .good = {
		{ "slow_queue", "slow_queue" }, { "error", "error" }, { "slow_exec", "slow_exec" },
		{ "slow_queue,slow_exec,error", "slow_queue,slow_exec,error" },
		{ "none", "none" } } },
	{ "profile", KIND_NUMBER, false, 0, 1, { { "1", "1" }, { "0", "0" } } },
	{ "reset_stats", KIND_CLEAR, false, 0, 1, { { "1", "0" }, { "0", "0" } } },
};

GRTRACE_FIXTURE(config, "")

/* Counts grtrace's lines in the kernel log since the last call. */
static int log_lines(void)
{
	static int kmsg = -1;
	char text[2048];
	int lines = 0;
	ssize_t n;

	if (kmsg < 0)
		kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	for (;;) {
		n = read(kmsg, text, sizeof(text) - 1);
		if (n < 0 && errno == EPIPE)
			continue;	/* some were overwritten */
		if (n <= 0)
			return errno == EAGAIN ? lines : -1;
		text[n] = '\0';
		if (strstr(text, "grtrace:"))
			lines++;
	}
}

/* Writes text that must be refused, and checks that nothing else happens. */
static void refuse(struct __test_metadata *_metadata, const char *text, size_t size, int ret)
{
	static char before[GRTRACE_TEXT], after[GRTRACE_TEXT];

	ASSERT_LT(0, grtrace_read("config", before, sizeof(before)));
	ASSERT_LE(0, log_lines());
	EXPECT_EQ(ret, grtrace_write_bytes("config", text, size)) TH_LOG("'%.60s'", text);
	EXPECT_GE(1, log_lines()) TH_LOG("'%.60s'", text);
	grtrace_read("config", after, sizeof(after));
	EXPECT_STREQ(before, after) TH_LOG("'%.60s'", text);
}

#define REFUSEF(ret, ...)						\
do {									\
	char bad[512];							\
									\
	refuse(_metadata, bad, snprintf(bad, sizeof(bad), __VA_ARGS__), ret); \
} while (0)

static void refuse_value(struct __test_metadata *_metadata, const struct key *key,
			 const char *value, int ret)
{
	REFUSEF(ret, "%s=%s", key->name, value);
	/* a valid setting before or after it is not applied either */
	REFUSEF(ret, "sample=9 %s=%s", key->name, value);
	REFUSEF(ret, "%s=%s\nsample=9\n", key->name, value);
}

TEST_F(config, all_keys_are_shown_in_order)
{
	char text[GRTRACE_TEXT], shown[GRTRACE_TEXT], *line = text;
	size_t i;

	ASSERT_LT(0, grtrace_defaults(text, sizeof(text)));
	ASSERT_LT(0, grtrace_read("config", shown, sizeof(shown)));
	EXPECT_STREQ(text, shown);
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		EXPECT_EQ(0, strncmp(line, keys[i].name, strcspn(line, "="))) TH_LOG("%s", line);
		line = strchrnul(line, '\n') + 1;
	}
}

/* Writes a good value, and checks how it is shown. */
static void set(struct __test_metadata *_metadata, const struct key *key, const struct value *good)
{
	char text[128], value[1024];

	snprintf(text, sizeof(text), "%s=%s\n", key->name, good->value);
	EXPECT_EQ(0, grtrace_write("config", text)) TH_LOG("%s", text);
	grtrace_line("config", key->name, '=', value, sizeof(value));
	if (good->shown)
		EXPECT_STREQ(good->shown, value) TH_LOG("%s", text);
}

TEST_F(config, good_values)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		for (k = 0; k < ARRAY_SIZE(keys[i].good) && keys[i].good[k].value; k++)
			set(_metadata, &keys[i], &keys[i].good[k]);
		/* the product of both sizes has a limit of its own */
		ASSERT_EQ(0, grtrace_reset());
	}
}

TEST_F(config, written_back_it_changes_nothing)
{
	char before[GRTRACE_TEXT], after[GRTRACE_TEXT];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		set(_metadata, &keys[i], &keys[i].good[0]);
	CONFIG("watch_ctx_add=12,11,3 watch_ring_add=1 filter_device=a0,b0");
	ASSERT_LT(0, grtrace_read("config", before, sizeof(before)));
	/* also into a configuration that differs */
	for (i = 0; i < 2; i++) {
		CONFIG(before);
		ASSERT_LT(0, grtrace_read("config", after, sizeof(after)));
		EXPECT_STREQ(before, after);
		ASSERT_EQ(0, grtrace_reset());
	}
}

TEST_F(config, refused_by_every_key)
{
	static const char * const by_all[] = { "", "\x01", "\x7f", ",", ",,1" };
	/* with the key's name and a good value; a text with blanks is not a value */
	static const char * const words[] = { "%s", "%sx=%s", "%s = %s" };
	static const char * const no_names[] = {
		"-1", "+1", "junk", "0x", "1.5", "1e3", "\xff\xfe",
	};
	static const char * const no_value[] = { "%sx", "%s,", "%s=1" };
	char value[256];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct key *key = &keys[i];
		const char *good = key->good[0].value;

		for (k = 0; k < ARRAY_SIZE(by_all); k++)
			refuse_value(_metadata, key, by_all[k], -EINVAL);
		for (k = 0; k < ARRAY_SIZE(words); k++)
			REFUSEF(-EINVAL, words[k], key->name, good);
		snprintf(value, sizeof(value), "%s=%s", key->name, good);
		refuse(_metadata, value, strlen(value) + 1, -EINVAL);
		if (key->kind == KIND_NAMES)
			continue;	/* what follows may be device names */
		for (k = 0; k < ARRAY_SIZE(no_names); k++)
			refuse_value(_metadata, key, no_names[k], -EINVAL);
		for (k = 0; k < ARRAY_SIZE(no_value); k++) {
			snprintf(value, sizeof(value), no_value[k], good);
			refuse_value(_metadata, key, value, -EINVAL);
		}
		refuse_value(_metadata, key, "18446744073709551616",
			     key->kind >= KIND_NUMBER && key->kind <= KIND_CLEAR ?
			     -ERANGE : -EINVAL);
	}
}

TEST_F(config, out_of_range_at_both_ends)
{
	char value[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct key *key = &keys[i];

		if (!key->max)
			continue;
		snprintf(value, sizeof(value), "%llu", (unsigned long long)key->max + 1);
		refuse_value(_metadata, key, value, -ERANGE);
		refuse_value(_metadata, key, "18446744073709551615", -ERANGE);
		if (!key->min)
			continue;
		snprintf(value, sizeof(value), "%llu", (unsigned long long)key->min - 1);
		refuse_value(_metadata, key, value, -ERANGE);
		refuse_value(_metadata, key, "0", -ERANGE);
	}
}

TEST_F(config, refused_by_some)
{
	static const struct {
		const char *text;
		int ret;
	} bad[] = {
		{ "", -EINVAL }, { "\n", -EINVAL }, { " \t ", -EINVAL }, { "=stop", -EINVAL },
		{ "colour=red", -EINVAL }, { "MODE=stop", -EINVAL }, { "mode=Stop", -EINVAL },
		{ "subbuf_size=4097", -EINVAL }, { "subbuf_size=4096k", -EINVAL },
		{ "subbuf_size=16777216 n_subbufs=1024", -ERANGE },
		{ "n_subbufs=8 n_subbufs=0", -ERANGE }, { "watch_ctx_add=1,", -EINVAL },
		{ "watch_ctx_add=1,x", -EINVAL }, { "watch_ctx_add=1,,2", -EINVAL },
		{ "watch_ctx_add=none,1", -EINVAL }, { "watch_ring_add=4294967296", -ERANGE },
		{ "watch_pid_add=4294967296", -ERANGE }, { "snapshot_on=error,none", -EINVAL },
		{ "snapshot_on=error,hang", -EINVAL }, { "filter_device=all,nosuch0", -EINVAL },
		{ "filter_device=nosuch0,all", -EINVAL }, { "filter_device=nosuch0,", -EINVAL },
		{ "filter_device=0123456789012345678901234567890123456789", -EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		refuse(_metadata, bad[i].text, strlen(bad[i].text), bad[i].ret);
	refuse(_metadata, "mode=stop\0", 10, -EINVAL);
	refuse(_metadata, "sample=\0", 8, -EINVAL);
	refuse(_metadata, "\xff\xfe\x00", 3, -EINVAL);
}

TEST_F(config, lists_are_full_with_sixty_four)
{
	static const char * const lists[] = { "watch_ctx_add", "watch_ring_add", "watch_pid_add" };
	char text[4096];
	size_t i, used;
	int n;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		used = snprintf(text, sizeof(text), "%s=", lists[i]);
		for (n = 1; n <= 65; n++)
			used += snprintf(text + used, sizeof(text) - used, "%d,", n);
		text[--used] = '\0';
		/* all or none */
		refuse(_metadata, text, used, -E2BIG);
		*strrchr(text, ',') = '\0';
		EXPECT_EQ(0, grtrace_write("config", text)) TH_LOG("%s", text);
		REFUSEF(-E2BIG, "%s=65", lists[i]);
	}
}

/* At the latest when the interval of the last lines is over; they do not fill the log. */
TEST_F(config, a_refusal_is_in_the_log)
{
	unsigned int i;

	ASSERT_LE(0, log_lines());
	EXPECT_TRUE(WAIT_UNTIL(grtrace_write("config", "mode=x") && log_lines() > 0, 30));
	for (i = 0; i < 100; i++)
		EXPECT_EQ(-EINVAL, grtrace_write("config", "mode=x"));
	EXPECT_GT(50, log_lines());
}

/* Each write names all devices that pass: 64 names, of 31 bytes at most. */
TEST_F(config, sixty_four_devices)
{
	char text[4096] = "filter_device=", shown[4096];
	size_t used = strlen(text);
	int n;

	for (n = 1; n <= 65; n++)
		used += sprintf(text + used, "a-device-whose-name-is-long-%03d,", n);
	text[--used] = '\0';
	refuse(_metadata, text, used, -E2BIG);
	*strrchr(text, ',') = '\0';
	for (n = 0; n < 2; n++) {
		EXPECT_EQ(0, grtrace_write("config", text));
		grtrace_line("config", "filter_device", '=', shown, sizeof(shown));
		EXPECT_STREQ(strchr(text, '=') + 1, shown);
		EXPECT_EQ(0, grtrace_write("config", "filter_device=another"));
	}
}

TEST_F(config, while_running)
{
	char before[GRTRACE_TEXT], after[GRTRACE_TEXT], same[64];
	size_t i;

	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct key *key = &keys[i];

		if (key->idle) {
			/* even to the same value */
			refuse_value(_metadata, key, key->good[0].value, -EBUSY);
			grtrace_line("config", key->name, '=', same, sizeof(same));
			refuse_value(_metadata, key, same, -EBUSY);
			continue;
		}
		set(_metadata, key, &key->good[0]);
	}
	grtrace_read("config", before, sizeof(before));
	CONTROL("stop");
	grtrace_read("config", after, sizeof(after));
	EXPECT_STREQ(before, after);
}

/* As the module's parameter it is an error, too: nothing is loaded with the defaults instead. */
TEST_F(config, a_bad_parameter_loads_nothing)
{
	if (access("/sys/module/grtrace/initstate", F_OK))
		SKIP(return, "grtrace is built in");
	ASSERT_EQ(0, system(". ./modules.sh && modules_unload"));
	EXPECT_NE(0, system(". ./modules.sh && module_load grtrace start=1 config=colour=red"));
	EXPECT_FALSE(module_is_there("grtrace"));
	EXPECT_NE(0, access(GRTRACE_DIR, F_OK));
	EXPECT_EQ(0, system(". ./modules.sh && modules_unload; modules_load"));
}

TEST_HARNESS_MAIN
