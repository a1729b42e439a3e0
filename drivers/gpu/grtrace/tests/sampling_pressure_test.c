// SPDX-License-Identifier: GPL-2.0
/* Adaptive sampling: how N follows the fill of the channel. */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../sampling.h"
#include "stream.h"

struct pressure_case {
	const char *name;
	u32 permille;
	u32 threshold;
	u32 base;
	u32 sample;
	u32 next;
};

static const struct pressure_case pressure_cases[] = {
	{ "empty", 0, 0, 1, 1, 1 },
	{ "a quarter full", 250, 0, 1, 1, 1 },
	{ "just below half", 499, 0, 1, 1, 1 },
	{ "half full", 500, 0, 1, 1, 2 },
	{ "full", 1000, 0, 1, 64, 128 },
	{ "as far as it goes", 1000, 0, 1, 600000, GRTRACE_SAMPLE_MAX },
	{ "and no farther", 1000, 0, 1, GRTRACE_SAMPLE_MAX, GRTRACE_SAMPLE_MAX },
	{ "between the two marks", 300, 0, 1, 8, 8 },
	{ "just above a quarter", 250, 0, 1, 8, 8 },
	{ "below a quarter", 249, 0, 1, 8, 4 },
	{ "back to every job", 0, 0, 1, 2, 1 },
	{ "back to what is configured", 0, 0, 10, 15, 10 },
	{ "not below what is configured", 0, 0, 10, 10, 10 },
	{ "half of the threshold", 400, 80, 1, 1, 2 },
	{ "below half of the threshold", 399, 80, 1, 1, 1 },
	{ "a quarter of the threshold", 200, 80, 1, 4, 4 },
	{ "below a quarter of the threshold", 199, 80, 1, 4, 2 },
	{ "the least threshold", 5, 1, 1, 1, 2 },
};

KUNIT_ARRAY_PARAM_DESC(pressure_case, pressure_cases, name);

static void pressure_next_sample(struct kunit *test)
{
	const struct pressure_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, grtrace_pressure_sample(c->permille, c->threshold,
						      c->base, c->sample), c->next);
}

static void pressure_write_on(struct kunit *test, struct stream *stream, unsigned int cpu,
			      bool until_full)
{
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	while (stream_write(stream, &(struct stream_write) { .ts = 1 }) && until_full)
		;
}

/* Whichever CPU's that is: the other has one event. */
static void pressure_looks_at_the_fullest(struct kunit *test)
{
	struct stream *stream = stream_create(test, &(struct grtrace_channel) {
		.session = 1, .subbuf_size = SZ_4K, .n_subbufs = 8,
		.clock = GRTRACE_CLOCK_MONOTONIC });
	unsigned int cpu[] = {
		cpumask_first(cpu_online_mask), cpumask_last(cpu_online_mask),
	};
	u32 permille = 0, i, before, full;

	grtrace_pressure_look(&permille, stream->channel);
	KUNIT_EXPECT_EQ(test, permille, 0);
	for (full = 0; full < ARRAY_SIZE(cpu); full++) {
		pressure_write_on(test, stream, cpu[!full], false);
		pressure_write_on(test, stream, cpu[full], true);
		for (i = 0, before = 0; i < 20; i++) {
			grtrace_pressure_look(&permille, stream->channel);
			KUNIT_EXPECT_GE(test, permille, before);
			before = permille;
		}
		KUNIT_EXPECT_GE(test, permille, 998);
		KUNIT_EXPECT_LE(test, permille, 1000);
		stream_read(stream);
		grtrace_pressure_look(&permille, stream->channel);
		/* smoothed: one look is not the end of it */
		KUNIT_EXPECT_GE(test, permille, 498);
		KUNIT_EXPECT_LE(test, permille, 500);
		for (i = 0; i < 20; i++)
			grtrace_pressure_look(&permille, stream->channel);
		KUNIT_EXPECT_EQ(test, permille, 0);
	}
}

static struct kunit_case pressure_test_cases[] = {
	KUNIT_CASE_PARAM(pressure_next_sample, pressure_case_gen_params),
	KUNIT_CASE(pressure_looks_at_the_fullest),
	{}
};

static struct kunit_suite pressure_test_suite = {
	.name = "grtrace_pressure",
	.test_cases = pressure_test_cases,
};

kunit_test_suite(pressure_test_suite);
