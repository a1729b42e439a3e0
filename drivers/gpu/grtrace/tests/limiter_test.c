// SPDX-License-Identifier: GPL-2.0
/* The rate limiter, over simulated time. */
#include <kunit/test.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/time64.h>

#include "../stages.h"
#include "stream.h"

/* A time no test begins at by accident. */
#define TEST_BEGIN	(123456789ull * NSEC_PER_SEC + 987654321)

/* Returns how many of @n events at time @ts pass. */
static u32 limiter_passes(struct grtrace_limiter *limiter, u64 ts, u32 n)
{
	u32 passed = 0;

	while (n--)
		passed += grtrace_limiter_pass(limiter, ts);
	return passed;
}

struct limiter_rate {
	u32 max;
	u32 burst;
	u32 step_ns;
	u32 steps;
	u32 per_step;
};

/* Always more events than tokens: so each token is used as soon as it is there. */
static const struct limiter_rate limiter_rates[] = {
	{ 1, 1, 100000000, 1000, 1 },
	/* the next token is there to the nanosecond */
	{ 1000, 1, 1, 3000000, 1 },
	{ 1000000, 1, 1000, 1000000, 2 },
	{ 3, 1, 1000000, 100000, 1 },
	{ 7, 50, 999999937, 1000, 60 },
	{ 1000, 1000, 500000, 20000, 3 },
	{ 999983, 10, 997, 1200000, 1 },
	{ 30000001, 1, 7, 1000000, 1 },
	{ GRTRACE_RATE_MAX, 1, 5, 1000000, 1 },
};

static void limiter_rate_desc(const struct limiter_rate *rate, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u per second, burst %u, each %u ns",
		 rate->max, rate->burst, rate->step_ns);
}

KUNIT_ARRAY_PARAM(limiter_rate, limiter_rates, limiter_rate_desc);

static void limiter_bucket_is_exact(struct kunit *test)
{
	const struct limiter_rate *rate = test->param_value;
	struct grtrace_limiter limiter;
	u64 passed = 0, elapsed = 0, tokens;
	u32 step, wrong = 0;

	grtrace_limiter_init(&limiter, rate->max, rate->burst, false, TEST_BEGIN);
	for (step = 0; step < rate->steps; step++) {
		elapsed = (u64)step * rate->step_ns;
		tokens = rate->burst + div_u64(elapsed * rate->max, NSEC_PER_SEC);
		passed += limiter_passes(&limiter, TEST_BEGIN + elapsed, rate->per_step);
		/* the burst is used up by now, and so is each new token */
		if ((u64)(step + 1) * rate->per_step > 2 * tokens)
			wrong += passed != tokens;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, passed, rate->burst +
			mul_u64_u64_div_u64(elapsed, rate->max, NSEC_PER_SEC));
}

struct limiter_case {
	const char *name;
	u32 max;
	u32 burst;
	bool window;
	u32 spent;	/* of the first window */
	/* this many events at a time pass, and this many more would; all 0 ends the steps */
	struct { s64 at; u32 n; u32 passed; u32 left; } steps[8];
};

#define SEC		((s64)NSEC_PER_SEC)
#define MSEC		((s64)NSEC_PER_MSEC)
#define DAY		(24 * 3600 * SEC)
#define TEST_YEAR	((s64)365 * DAY)

static const struct limiter_case limiter_cases[] = {
	/* however long none came; tokens that were left over are not added */
	{ "the bucket holds the burst", 1000, 300, false, .steps = {
	  { 0, 1000, 300, 0 }, { 150 * MSEC, 1000, 150, 0 }, { 2 * SEC, 1000, 300, 0 },
	  { 3602 * SEC, 1000, 300, 0 }, { TEST_YEAR, 1000, 300, 0 },
	  { 100 * TEST_YEAR, 1000, 300, 0 }, { 100 * TEST_YEAR + SEC, 100, 100, 200 },
	  { 100 * TEST_YEAR + SEC + 50 * MSEC, 1000, 250, 0 } } },
	{ "what is left in the bucket", 1000, 50, false, .steps = {
	  { 0, 0, 0, 50 }, { 0, 20, 20, 30 }, { 10 * MSEC, 0, 0, 40 }, { 10 * MSEC, 100, 40, 0 },
	  { 0, 1, 0, 0 }, { TEST_YEAR, 0, 0, 50 } } },
	{ "what is left in the window", 1000, 1000, true, .steps = {
	  { 0, 0, 0, 1000 }, { 0, 300, 300, 700 }, { SEC, 0, 0, 1000 }, { SEC, 1, 1, 999 },
	  { 0, 0, 0, 999 } } },
	/* before the beginning is the beginning; behind the others their tokens are spent */
	{ "a bucket, and the clock of another CPU", 1000, 10, false, .steps = {
	  { -5000, 4, 4, 6 }, { 0, 100, 6, 0 }, { -1, 100, 0, 0 }, { SEC, 100, 10, 0 },
	  { 500 * MSEC, 100, 0, 0 }, { SEC, 100, 0, 0 } } },
	/* unused windows are gone; a day's end is also an edge */
	{ "the edges of windows", 2, 0, true, .steps = {
	  { 0, 1, 1, 1 }, { SEC - 1, 2000, 1, 0 }, { SEC, 1, 1, 1 }, { 2 * SEC - 1, 2000, 1, 0 },
	  { DAY, 2000, 2, 0 }, { DAY, 1, 0, 0 }, { DAY + SEC, 1, 1, 1 } } },
	/* the count is not to run over into the window's number */
	{ "a window of all", GRTRACE_RATE_MAX, 0, true, GRTRACE_RATE_MAX - 1, {
	  { 0, 2, 1, 0 }, { SEC, 1, 1, GRTRACE_RATE_MAX - 1 },
	  { 100 * TEST_YEAR, 1, 1, GRTRACE_RATE_MAX - 1 } } },
	{ "a window, and the clock of another CPU", 10, 10, true, .steps = {
	  { -1, 100, 10, 0 }, { 0, 100, 0, 0 }, { SEC, 4, 4, 6 }, { SEC - 1, 4, 4, 2 },
	  { SEC, 100, 2, 0 } } },
};

KUNIT_ARRAY_PARAM_DESC(limiter_case, limiter_cases, name);

static void limiter_passes_and_has_left(struct kunit *test)
{
	const struct limiter_case *c = test->param_value;
	struct grtrace_limiter limiter;
	size_t i;

	grtrace_limiter_init(&limiter, c->max, c->burst, c->window, TEST_BEGIN);
	if (c->spent)
		atomic64_set(&limiter.state, c->spent);
	for (i = 0; i < ARRAY_SIZE(c->steps) && (c->steps[i].n || c->steps[i].left); i++) {
		u64 ts = TEST_BEGIN + c->steps[i].at;

		KUNIT_EXPECT_EQ_MSG(test, limiter_passes(&limiter, ts, c->steps[i].n),
				    c->steps[i].passed, "step %zu", i);
		KUNIT_EXPECT_EQ_MSG(test, grtrace_limiter_left(&limiter, ts), c->steps[i].left,
				    "step %zu", i);
	}
}

#define TEST_RACE_EVENTS	20000

struct limiter_race {
	struct grtrace_limiter limiter;
	atomic_t passed;
};

static void limiter_race_on_cpu(void *data)
{
	struct limiter_race *race = data;

	atomic_add(limiter_passes(&race->limiter, TEST_BEGIN, TEST_RACE_EVENTS), &race->passed);
}

static void limiter_race_loses_no_token(struct kunit *test)
{
	struct limiter_race *race = test_zalloc(test, sizeof(*race));
	int window;

	for (window = 0; window < 2; window++) {
		atomic_set(&race->passed, 0);
		grtrace_limiter_init(&race->limiter, 15000, 15000, window, TEST_BEGIN);
		on_each_cpu(limiter_race_on_cpu, race, 1);
		KUNIT_EXPECT_EQ(test, atomic_read(&race->passed), 15000);
	}
}

static struct kunit_case limiter_test_cases[] = {
	KUNIT_CASE_PARAM(limiter_bucket_is_exact, limiter_rate_gen_params),
	KUNIT_CASE_PARAM(limiter_passes_and_has_left, limiter_case_gen_params),
	KUNIT_CASE(limiter_race_loses_no_token),
	{}
};

static struct kunit_suite limiter_test_suite = {
	.name = "grtrace_limiter",
	.test_cases = limiter_test_cases,
};

kunit_test_suite(limiter_test_suite);
