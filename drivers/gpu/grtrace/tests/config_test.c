// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration as text: what words do together. The kselftest
 * config_test tests what each key takes, refuses and shows.
 */
#include <kunit/test.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../config.h"
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

/* The value shown for a key, cut out of what is shown. */
static char *config_value(struct kunit *test, const struct grtrace_config *config, const char *key)
{
	struct seq_file m = { .size = SZ_8K };
	size_t length = strlen(key);
	char *line;

	m.buf = test_zalloc(test, m.size);
	grtrace_config_show(config, &m);
	KUNIT_ASSERT_FALSE(test, seq_has_overflowed(&m));
	m.buf[m.count] = '\0';
	while ((line = strsep(&m.buf, "\n")))
		if (!strncmp(line, key, length) && line[length] == '=')
			return line + length + 1;
	KUNIT_FAIL_AND_ABORT(test, "%s is not shown", key);
	return NULL;
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

#define LONGEST "a-device-whose-name-fills-it-up"

static void config_devices(struct kunit *test)
{
	struct grtrace_config *config = config_new(test);
	const struct grtrace_filter *filter = &config->filter;

	static_assert(sizeof(LONGEST) == GRTRACE_DEVICE_LEN);
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "filter_device=kunit-a," LONGEST, true),
			0);
	KUNIT_EXPECT_EQ(test, filter->n_devices, 2);
	KUNIT_EXPECT_TRUE(test, filter->by_ring);
	KUNIT_EXPECT_STREQ(test, filter->devices[1], LONGEST);
	/* a shorter name leaves nothing of it */
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "filter_device=b,kunit-c", true), 0);
	KUNIT_EXPECT_STREQ(test, config_value(test, config, "filter_device"), "b,kunit-c");
	KUNIT_EXPECT_NULL(test, memchr_inv(filter->devices[1] + 7, 0, GRTRACE_DEVICE_LEN - 7));
	KUNIT_EXPECT_EQ(test, config_parse(test, config, "filter_device=all", true), 0);
	KUNIT_EXPECT_EQ(test, filter->n_devices, 0);
	KUNIT_EXPECT_FALSE(test, filter->by_ring);
}

/* One after the other: a channel's size is that of all its sub-buffers. */
static void config_bounds(struct kunit *test)
{
	static const struct {
		const char *words;
		int ret;
	} rows[] = {
		{ "subbuf_size=16777216 n_subbufs=16", 0 }, { "n_subbufs=17", -ERANGE },
		/* the order of the words does not matter, only the result */
		{ "n_subbufs=1024 subbuf_size=4096", 0 }, { "subbuf_size=12288", 0 },
		{ "watch_ring_add=4294967295", 0 }, { "watch_ring_add=4294967296", -ERANGE },
		{ "watch_pid_add=2147483647", 0 }, { "watch_pid_add=2147483648", -ERANGE },
		{ "watch_pid_add=0", -ERANGE }, { "snapshot_on=none,error", -EINVAL },
	};
	struct grtrace_config *config = config_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, config_parse(test, config, rows[i].words, false),
				    rows[i].ret, "%s", rows[i].words);
}

static struct kunit_case config_test_cases[] = {
	KUNIT_CASE(config_words_go_in_order),
	KUNIT_CASE(config_devices),
	KUNIT_CASE(config_bounds),
	{}
};

static struct kunit_suite config_test_suite = {
	.name = "grtrace_config",
	.test_cases = config_test_cases,
};

kunit_test_suite(config_test_suite);
