// SPDX-License-Identifier: GPL-2.0
/* The jobs that are in the sample, and the fences that are theirs. */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/smp.h>

#include "../fences.h"
#include "../sampling.h"
#include "stream.h"

#define TEST_JOBS	1000000

static const u32 sampling_ns[] = { 1, 2, 3, 7, 10, 100, 1000, 50000 };

static void sampling_n_desc(const u32 *n, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "one of %u", *n);
}

KUNIT_ARRAY_PARAM(sampling_n, sampling_ns, sampling_n_desc);

/* Expect that @hits of TEST_JOBS are one of @n, within five standard deviations. */
static void sampling_expect_share(struct kunit *test, u32 hits, u32 n)
{
	u32 expected = TEST_JOBS / n;
	u32 allowed = n == 1 ? 0 : 5 * int_sqrt(expected) + 1;

	KUNIT_EXPECT_GE(test, hits + allowed, expected);
	KUNIT_EXPECT_LE(test, hits, expected + allowed);
}

/* Jobs of one context, and contexts of one job, as programs that come and go have. */
static void sampling_share(struct kunit *test)
{
	u32 n = *(const u32 *)test->param_value, i, one = 0, many = 0;
	u64 limit = grtrace_sampling_limit(n);

	for (i = 1; i <= TEST_JOBS; i++) {
		one += grtrace_sampling_pass(limit, 42, i);
		many += grtrace_sampling_pass(limit, i, 1);
	}
	sampling_expect_share(test, one, n);
	sampling_expect_share(test, many, n);
}

/* The same seqnos everywhere: no context is always in or always out. */
static void sampling_share_of_each_context(struct kunit *test)
{
	u64 limit = grtrace_sampling_limit(10), ctx;
	u32 seqno, hits, worst = 0, best = U32_MAX;

	for (ctx = 1; ctx <= 1000; ctx++) {
		for (seqno = 1, hits = 0; seqno <= 1000; seqno++)
			hits += grtrace_sampling_pass(limit, ctx, seqno);
		worst = max(worst, hits);
		best = min(best, hits);
	}
	/* 100, six standard deviations of 9.5 allowed */
	KUNIT_EXPECT_GE(test, best, 43);
	KUNIT_EXPECT_LE(test, worst, 157);
}

static void sampling_smaller_n_holds_the_same(struct kunit *test)
{
	u64 ctx, seqno, limits[] = {
		grtrace_sampling_limit(1000000), grtrace_sampling_limit(1000),
		grtrace_sampling_limit(999), grtrace_sampling_limit(16),
		grtrace_sampling_limit(2), grtrace_sampling_limit(1),
	};
	unsigned int i, in, cut = 0;

	for (ctx = 1; ctx <= 300; ctx++)
		for (seqno = 1; seqno <= 300; seqno++)
			for (i = 0, in = 0; i < ARRAY_SIZE(limits); i++) {
				bool pass = grtrace_sampling_pass(limits[i], ctx, seqno);

				cut += in && !pass;
				in |= pass;
			}
	KUNIT_EXPECT_EQ(test, cut, 0);
	KUNIT_EXPECT_EQ(test, limits[5], U64_MAX);
}

/* A fence is named, or signalled, maybe of a job that was recorded; then it is taken, or not. */
static void fences_are_taken_once(struct kunit *test)
{
	enum { NAME, SIGNAL, RECORDED };
	static const struct { u8 how, ctx, seqno; bool taken; } steps[] = {
		{ NAME, 5, 6, false }, { SIGNAL, 6, 5, false }, { SIGNAL, 5, 7, false },
		{ SIGNAL, 5, 6, true }, { SIGNAL, 5, 6, false },
		/* named by SUBMIT and by COMMIT: still one fence */
		{ NAME, 15, 6, false }, { NAME, 15, 6, false },
		{ SIGNAL, 15, 6, true }, { SIGNAL, 15, 6, false },
		/* signalled before it is named; that is forgotten then */
		{ SIGNAL, 25, 6, false }, { NAME, 25, 7, false }, { NAME, 25, 6, true },
		{ NAME, 25, 6, false }, { SIGNAL, 25, 6, true },
		{ SIGNAL, 35, 6, false }, { NAME, 35, 6, true }, { SIGNAL, 35, 6, false },
		/* a recorded one does not have to be named */
		{ RECORDED, 25, 8, true }, { NAME, 25, 8, false },
	};
	struct grtrace_fences *fences = test_zalloc(test, sizeof(*fences));
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		u64 ctx = steps[i].ctx, seqno = steps[i].seqno;
		bool taken = steps[i].how == NAME ? grtrace_fences_name(fences, ctx, seqno) :
			grtrace_fences_signal(fences, ctx, seqno, steps[i].how == RECORDED);

		KUNIT_EXPECT_EQ_MSG(test, taken, steps[i].taken, "step %u", i);
	}
}

#define TEST_RACES		100
#define TEST_RACE_FENCES	100	/* all may be early: that many are kept */

struct fences_race {
	struct grtrace_fences fences;
	unsigned int ctx;
	atomic_t ready;
	bool found[2][TEST_RACE_FENCES];
};

/* The first CPU names them, the second has them signalled. */
static void fences_race_on_cpu(void *data)
{
	struct fences_race *race = data;
	unsigned int i, me = atomic_inc_return(&race->ready) - 1;
	struct grtrace_fences *fences = &race->fences;

	if (me >= 2)
		return;
	while (atomic_read(&race->ready) < 2)
		cpu_relax();
	for (i = 0; i < TEST_RACE_FENCES; i++)
		race->found[me][i] = me ? grtrace_fences_signal(fences, race->ctx, i, false) :
					  grtrace_fences_name(fences, race->ctx, i);
}

static void fences_race(struct kunit *test)
{
	struct fences_race *race = test_zalloc(test, sizeof(*race));
	unsigned int i, lost = 0, twice = 0;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	for (race->ctx = 1; race->ctx <= TEST_RACES; race->ctx++) {
		atomic_set(&race->ready, 0);
		on_each_cpu(fences_race_on_cpu, race, 1);
		for (i = 0; i < TEST_RACE_FENCES; i++) {
			lost += !race->found[0][i] && !race->found[1][i];
			twice += race->found[0][i] && race->found[1][i];
		}
	}
	KUNIT_EXPECT_EQ(test, twice, 0);
	/* one may have been forgotten for another */
	KUNIT_EXPECT_LE(test, lost, TEST_RACES * TEST_RACE_FENCES / 100);
}

/* A quarter of the places in use: almost none is forgotten, none is invented. */
static void fences_in_flight(struct kunit *test)
{
	struct grtrace_fences *fences = test_zalloc(test, sizeof(*fences));
	unsigned int i, n = GRTRACE_FENCES_COUNT / 4, taken = 0, invented = 0;

	for (i = 0; i < n; i++)
		grtrace_fences_name(fences, i % 16, i / 16);
	for (i = 0; i < n; i++) {
		invented += grtrace_fences_signal(fences, 16 + i % 16, i / 16, false);
		taken += grtrace_fences_signal(fences, i % 16, i / 16, false);
	}
	KUNIT_EXPECT_EQ(test, invented, 0);
	KUNIT_EXPECT_GE(test, taken, n - n / 100);
	for (i = 0; i < GRTRACE_FENCES_COUNT; i++)
		KUNIT_ASSERT_EQ(test, atomic64_read(&fences->slots[i]), 0);
}

static struct kunit_case sampling_test_cases[] = {
	KUNIT_CASE_PARAM(sampling_share, sampling_n_gen_params),
	KUNIT_CASE(sampling_share_of_each_context),
	KUNIT_CASE(sampling_smaller_n_holds_the_same),
	KUNIT_CASE(fences_are_taken_once),
	KUNIT_CASE(fences_race),
	KUNIT_CASE(fences_in_flight),
	{}
};

static struct kunit_suite sampling_test_suite = {
	.name = "grtrace_sampling",
	.test_cases = sampling_test_cases,
};

kunit_test_suite(sampling_test_suite);
