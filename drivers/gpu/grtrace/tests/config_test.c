// SPDX-License-Identifier: GPL-2.0
/* The configuration as text: what is taken, what is refused, what is shown. */
#include <kunit/test.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../config.h"
#include "../devices.h"
#include "stream.h"

static struct grtrace_config *config_new(struct kunit *test)
{
	struct grtrace_config *config = test_zalloc(test, sizeof(*config));

	grtrace_config_default(config);
	return config;
}

static int config_parse(struct kunit *test, struct grtrace_config *config,
			const char *words, bool running)
{
	char *text = kunit_kstrdup(test, words, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, text);
	return grtrace_config_parse(config, text, running);
}

static char *config_shown(struct kunit *test, const struct grtrace_config *config)
{
	struct seq_file m = { .size = SZ_8K };

	m.buf = test_zalloc(test, m.size);
	grtrace_config_show(config, &m);
	KUNIT_ASSERT_FALSE(test, seq_has_overflowed(&m));
	m.buf[m.count] = '\0';
	return m.buf;
}

/* The value shown for a key, cut out of what is shown. */
static char *config_value(struct kunit *test, const struct grtrace_config *config, const char *key)
{
	char *text = config_shown(test, config), *line;
	size_t length = strlen(key);

	while ((line = strsep(&text, "\n")))
		if (!strncmp(line, key, length) && line[length] == '=')
			return line + length + 1;
	KUNIT_FAIL_AND_ABORT(test, "%s is not shown", key);
	return NULL;
}

struct config_case {
	const char *key;
	const char *fresh;	/* the default, as shown */
	const char *good[4];	/* values taken; shown as they are */
	const char *bad[4];	/* -EINVAL */
	const char *far[3];	/* -ERANGE */
	bool idle_only;
};

#define ALL "0xffffffffffffffff"

static const struct config_case config_cases[] = {
	{ "mode", "stop", { "stop", "overwrite" }, { "", "Stop", "0", "stop," }, {}, true },
	{ "subbuf_size", "524288", { "4096", "16777216", "12288" },
	  { "", "5000", "4k", "-4096" }, { "0", "16781312", "18446744073709555712" }, true },
	{ "n_subbufs", "4", { "2", "3", "16" }, { "two", "+4", " " }, { "1", "1025" }, true },
	{ "order", "gseq", { "gseq", "clock" }, { "cseq", "" }, {}, true },
	{ "clock", "mono", { "mono", "boot", "tai" }, { "real", "1", "" }, {}, true },
	{ "level", "verbose", { "off", "normal", "verbose" }, { "all", "2", "" }, {} },
	{ "filter_type_mask", ALL, { "0x0", "0x8000000000000000", ALL }, { "-1", "0xg", "" },
	  { "0x10000000000000000" } },
	{ "filter_engine_mask", ALL, { "0x2", ALL }, { "render", "" }, { "18446744073709551616" } },
	{ "filter_ring_mask", ALL, { "0x8000000000000001", ALL }, { "1,2" }, {} },
	{ "filter_ring_id", "0", { "0", "7", "4294967295" }, { "", "all", "-1" },
	  { "4294967296" } },
	{ "filter_device", "all", { "all" }, { "", ",", "a,",
	  "a-name-that-is-longer-than-what-a-record-has-room-for" }, {} },
	{ "watch_allow_mode", "1", { "0", "1" }, { "yes", "" }, { "2" } },
	{ "watch_combine", "or", { "and", "or" }, { "xor", "0" }, {} },
	{ "watch_ctx_add", "none", { "5", "5,7", "5,7,18446744073709551615" },
	  { "", "5,", ",", "5;6" }, { "18446744073709551616" } },
	{ "watch_ring_add", "none", { "1", "1,4294967295" }, { "x" }, { "4294967296" } },
	{ "watch_pid_add", "none", { "1", "1,2147483647" }, { "-1" }, { "0", "2147483648" } },
	{ "sample", "1", { "1", "2", "1000000" }, { "1/2", "" }, { "0", "1000001" } },
	{ "adaptive_sampling", "0", { "1", "0" }, { "on" }, { "2" } },
	{ "max_events_per_sec", "0", { "1", "100000000", "0" }, { "1e6", "-1" }, { "100000001" } },
	{ "rate_limiter_mode", "1", { "0", "1" }, { "bucket" }, { "2" } },
	{ "burst", "0", { "1", "100000000" }, { "x" }, { "100000001" } },
	{ "backpressure_threshold", "0", { "1", "100" }, { "50%" }, { "101" } },
	{ "slow_queue_us", "0", { "1", "3600000000" }, { "1ms" }, { "3600000001" } },
	{ "slow_exec_us", "0", { "1", "3600000000" }, { "1.5" }, { "3600000001" } },
	{ "snapshot_on", "none", { "slow_queue", "slow_queue,slow_exec,error", "error", "none" },
	  { "manual", "error,", "none,error", "" }, {} },
	{ "profile", "0", { "1" }, { "x" }, { "2" } },
	/* deeds: shown as what does nothing */
	{ "watch_ctx_clear", "0", { "0" }, { "" }, { "2" } },
	{ "watch_ring_clear", "0", { "0" }, { "" }, { "2" } },
	{ "watch_pid_clear", "0", { "0" }, { "" }, { "2" } },
};

KUNIT_ARRAY_PARAM_DESC(config_case, config_cases, key);

static void config_refuses(struct kunit *test, struct grtrace_config *config, const char *key,
			   const char * const *values, size_t n, int error)
{
	char words[128];

	for (; n-- && *values; values++) {
		snprintf(words, sizeof(words), "%s=%s", key, *values);
		KUNIT_EXPECT_EQ_MSG(test, config_parse(test, config, words, false), error,
				    "%s", words);
	}
}

static void config_key(struct kunit *test)
{
	const struct config_case *c = test->param_value;
	struct grtrace_config *config = config_new(test);
	char words[128];
	unsigned int i;

	KUNIT_EXPECT_STREQ(test, config_value(test, config, c->key), c->fresh);
	for (i = 0; i < ARRAY_SIZE(c->good) && c->good[i]; i++) {
		snprintf(words, sizeof(words), "%s=%s", c->key, c->good[i]);
		KUNIT_EXPECT_EQ_MSG(test, config_parse(test, config, words, false), 0, "%s", words);
		KUNIT_EXPECT_STREQ(test, config_value(test, config, c->key), c->good[i]);
		KUNIT_EXPECT_EQ_MSG(test, config_parse(test, config, words, true),
				    c->idle_only ? -EBUSY : 0, "%s", words);
	}
	config_refuses(test, config, c->key, c->bad, ARRAY_SIZE(c->bad), -EINVAL);
	config_refuses(test, config, c->key, c->far, ARRAY_SIZE(c->far), -ERANGE);
}

/* What is shown can be written back, and changes nothing. */
static void config_round_trip(struct kunit *test)
{
	static const char * const configs[] = {
		"level=verbose",
		"mode=overwrite order=clock clock=boot level=normal sample=17 adaptive_sampling=1",
		"watch_ctx_add=9,8,7 watch_ring_add=3 watch_pid_add=100,1 watch_allow_mode=0",
		"max_events_per_sec=100 rate_limiter_mode=0 burst=9 snapshot_on=error,slow_exec",
		"filter_type_mask=6 filter_ring_mask=0x5 filter_ring_id=9 slow_queue_us=5 profile=1",
	};
	struct grtrace_config *config, *again;
	unsigned int i;
	char *shown;

	for (i = 0; i < ARRAY_SIZE(configs); i++) {
		config = config_new(test);
		KUNIT_ASSERT_EQ(test, config_parse(test, config, configs[i], false), 0);
		shown = config_shown(test, config);
		KUNIT_EXPECT_EQ(test, config_parse(test, config, shown, false), 0);
		KUNIT_EXPECT_STREQ(test, config_shown(test, config), shown);
		/* also where nothing was set yet */
		again = config_new(test);
		KUNIT_EXPECT_EQ(test, config_parse(test, again, shown, false), 0);
		KUNIT_EXPECT_STREQ(test, config_shown(test, again), shown);
		KUNIT_EXPECT_MEMEQ(test, again, config, sizeof(*config));
	}
}

struct config_step {
	const char *words;
	const char *ctx;	/* what the lists are shown as then */
	const char *pid;
};

static void config_words_go_in_order(struct kunit *test)
{
	static const struct config_step steps[] = {
		{ "sample=5 sample=6\tburst=1\nburst=2 ", "none", "none" },
		{ "watch_ctx_add=1 watch_ctx_clear=1 watch_ctx_add=2,3", "2,3", "none" },
		/* each list has its own */
		{ "watch_pid_add=4 watch_ring_clear=1", "2,3", "4" },
		{ "watch_ctx_clear=1", "none", "4" },
	};
	struct grtrace_config *config = config_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		KUNIT_EXPECT_EQ(test, config_parse(test, config, steps[i].words, false), 0);
		KUNIT_EXPECT_STREQ(test, config_value(test, config, "watch_ctx_add"), steps[i].ctx);
		KUNIT_EXPECT_STREQ(test, config_value(test, config, "watch_pid_add"), steps[i].pid);
	}
	KUNIT_EXPECT_EQ(test, config->sample, 6);
	KUNIT_EXPECT_EQ(test, config->burst, 2);
}

static void config_lists_are_bounded(struct kunit *test)
{
	static const char * const keys[] = {
		"watch_ctx_add", "watch_ring_add", "watch_pid_add",
	};
	struct grtrace_config *config = config_new(test);
	unsigned int i, n;
	char words[64];

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		for (n = 1; n <= GRTRACE_WATCH_MAX; n++) {
			snprintf(words, sizeof(words), "%s=%u", keys[i], n);
			KUNIT_EXPECT_EQ(test, config_parse(test, config, words, true), 0);
		}
		KUNIT_EXPECT_EQ(test, config_parse(test, config, words, true), 0);
		snprintf(words, sizeof(words), "%s=%u", keys[i], n);
		KUNIT_EXPECT_EQ(test, config_parse(test, config, words, true), -E2BIG);
	}
}

static void config_devices(struct kunit *test)
{
	struct grtrace_config *config = config_new(test);
	u32 id = grtrace_device_id("kunit-a");

	KUNIT_ASSERT_NE(test, id, 0);
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "filter_device=kunit-a", true), 0);
	KUNIT_EXPECT_EQ(test, config->filter.device_mask, BIT_ULL(id - 1));
	KUNIT_EXPECT_TRUE(test, config->filter.by_ring);
	KUNIT_EXPECT_STREQ(test, config_value(test, config, "filter_device"), "kunit-a");
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "filter_device=all", true), 0);
	KUNIT_EXPECT_EQ(test, config->filter.device_mask, U64_MAX);
	KUNIT_EXPECT_FALSE(test, config->filter.by_ring);
}

static void config_whole_channel_is_bounded(struct kunit *test)
{
	struct grtrace_config *config = config_new(test);

	KUNIT_EXPECT_EQ(test, config_parse(test, config, "subbuf_size=16777216 n_subbufs=16",
					   false), 0);
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "n_subbufs=17", false), -ERANGE);
	config = config_new(test);
	/* the order of the words does not matter, only the result */
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "n_subbufs=1024 subbuf_size=4096",
					   false), 0);
}

static void config_refuses_nonsense(struct kunit *test)
{
	static const char * const words[] = {
		"", " ", "\n", "=", "=1", "sample", "sample 1", "Sample=1",
		"sample=1 =", "sample==1", "sample=1=1", "sample_=1", "samp=1",
		"sample=1,burst=1", "sample=0x", "sample=1\x01", "\xff=1",
	};
	struct grtrace_config *config = config_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_EQ_MSG(test, config_parse(test, config, words[i], false),
				    -EINVAL, "'%s'", words[i]);
}

static struct kunit_case config_test_cases[] = {
	KUNIT_CASE_PARAM(config_key, config_case_gen_params),
	KUNIT_CASE(config_round_trip),
	KUNIT_CASE(config_words_go_in_order),
	KUNIT_CASE(config_lists_are_bounded),
	KUNIT_CASE(config_devices),
	KUNIT_CASE(config_whole_channel_is_bounded),
	KUNIT_CASE(config_refuses_nonsense),
	{}
};

static struct kunit_suite config_test_suite = {
	.name = "grtrace_config",
	.test_cases = config_test_cases,
};

kunit_test_suite(config_test_suite);
