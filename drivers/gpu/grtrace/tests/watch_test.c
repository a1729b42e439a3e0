// SPDX-License-Identifier: GPL-2.0
/* Watchlists: the lists, the verdict, and who owns a context. */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "../watch.h"
#include "stream.h"

static struct grtrace_watchlist *watch_list(struct kunit *test)
{
	return test_zalloc(test, sizeof(struct grtrace_watchlist));
}

static void watch_list_has_what_was_added(struct kunit *test)
{
	static const u64 numbers[] = { 7, 0, U64_MAX, 1ull << 32, 13, 1ull << 63, 5, 1000000 };
	struct grtrace_watchlist *list = watch_list(test);
	unsigned int i, j;

	KUNIT_EXPECT_FALSE(test, grtrace_watch_has(list, 0));
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (j = 0; j < ARRAY_SIZE(numbers); j++)
			KUNIT_EXPECT_EQ(test, j < i, grtrace_watch_has(list, numbers[j]));
		KUNIT_EXPECT_TRUE(test, grtrace_watch_add(list, numbers[i]));
		KUNIT_EXPECT_FALSE(test, grtrace_watch_has(list, numbers[i] - 2));
	}
	KUNIT_EXPECT_EQ(test, list->n, ARRAY_SIZE(numbers));
	/* one half of a number is not the number */
	KUNIT_EXPECT_FALSE(test, grtrace_watch_has(list, U32_MAX));
	KUNIT_EXPECT_FALSE(test, grtrace_watch_has(list, (1ull << 32) + 7));
	/* twice is once, and the list shows it in order */
	KUNIT_EXPECT_TRUE(test, grtrace_watch_add(list, 7));
	KUNIT_EXPECT_EQ(test, list->n, ARRAY_SIZE(numbers));
	for (i = 1; i < list->n; i++)
		KUNIT_EXPECT_LT(test, list->number[i - 1], list->number[i]);
}

struct watch_verdict {
	const char *lists;	/* those that are not empty */
	const char *found;	/* those that have the event's */
	bool any;		/* matches with watch_combine=or */
	bool all;		/* with and */
};

static const struct watch_verdict watch_verdicts[] = {
	{ "", "", false, true },	/* not asked, as no list is active */
	{ "c", "", false, false }, { "c", "c", true, true },
	{ "r", "", false, false }, { "r", "r", true, true },
	{ "p", "", false, false }, { "p", "p", true, true },
	{ "cr", "", false, false }, { "cr", "c", true, false },
	{ "cr", "r", true, false }, { "cr", "cr", true, true },
	{ "cp", "p", true, false }, { "cp", "cp", true, true },
	{ "rp", "r", true, false }, { "rp", "rp", true, true },
	{ "crp", "", false, false }, { "crp", "c", true, false },
	{ "crp", "cr", true, false }, { "crp", "rp", true, false },
	{ "crp", "cp", true, false }, { "crp", "crp", true, true },
};

static void watch_verdict_desc(const struct watch_verdict *v, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "lists %s, found %s", *v->lists ? v->lists : "none",
		 *v->found ? v->found : "none");
}

KUNIT_ARRAY_PARAM(watch_verdict, watch_verdicts, watch_verdict_desc);

static void watch_decides(struct kunit *test)
{
	const struct watch_verdict *v = test->param_value;
	struct grtrace_watch *watch = test_zalloc(test, sizeof(*watch));
	bool ctx = strchr(v->found, 'c'), ring = strchr(v->found, 'r'), pid = strchr(v->found, 'p');

	watch->ctx.n = !!strchr(v->lists, 'c');
	watch->ring.n = !!strchr(v->lists, 'r');
	watch->pid.n = !!strchr(v->lists, 'p');
	KUNIT_EXPECT_EQ(test, grtrace_watch_active(watch), !!*v->lists);
	KUNIT_EXPECT_EQ(test, grtrace_watch_decide(watch, ctx, ring, pid), v->any);
	watch->all = true;
	KUNIT_EXPECT_EQ(test, grtrace_watch_decide(watch, ctx, ring, pid), v->all);
	watch->deny = true;
	KUNIT_EXPECT_EQ(test, grtrace_watch_decide(watch, ctx, ring, pid), !v->all);
	watch->all = false;
	KUNIT_EXPECT_EQ(test, grtrace_watch_decide(watch, ctx, ring, pid), !v->any);
}

/* ------------------------------------------------------------- owners */

static void owners_are_learned(struct kunit *test)
{
	struct grtrace_watchlist *me = watch_list(test), *others = watch_list(test);
	struct grtrace_owners *owners = test_zalloc(test, sizeof(*owners));

	grtrace_watch_add(me, current->pid);
	grtrace_watch_add(others, current->pid + 1);
	grtrace_watch_add(others, current->tgid + 1);

	KUNIT_EXPECT_FALSE(test, grtrace_owners_match(owners, me, 17));
	grtrace_owners_learn(owners, 17);
	KUNIT_EXPECT_TRUE(test, grtrace_owners_match(owners, me, 17));
	KUNIT_EXPECT_FALSE(test, grtrace_owners_match(owners, others, 17));
	/* not by who merely is in the same set */
	KUNIT_EXPECT_FALSE(test, grtrace_owners_match(owners, me, 18));
	KUNIT_EXPECT_FALSE(test, grtrace_owners_match(owners, me, 17 + BIT(GRTRACE_OWNERS_BITS)));

	KUNIT_EXPECT_TRUE(test, grtrace_owners_match_current(me));
	KUNIT_EXPECT_FALSE(test, grtrace_owners_match_current(others));
}

struct owners_thread {
	struct grtrace_owners *owners;
	u64 ctx;
	struct completion done;
};

static int owners_thread_fn(void *data)
{
	struct owners_thread *thread = data;

	grtrace_owners_learn(thread->owners, thread->ctx);
	complete(&thread->done);
	return 0;
}

static void owners_newest_counts(struct kunit *test)
{
	struct grtrace_watchlist *me = watch_list(test), *other = watch_list(test);
	struct owners_thread thread = { .ctx = 99 };
	struct task_struct *task;

	thread.owners = test_zalloc(test, sizeof(*thread.owners));
	init_completion(&thread.done);
	grtrace_owners_learn(thread.owners, 99);
	task = kthread_create(owners_thread_fn, &thread, "grtrace-owner");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	grtrace_watch_add(me, current->pid);
	grtrace_watch_add(other, task->pid);
	wake_up_process(task);
	wait_for_completion(&thread.done);
	KUNIT_EXPECT_TRUE(test, grtrace_owners_match(thread.owners, other, 99));
	KUNIT_EXPECT_FALSE(test, grtrace_owners_match(thread.owners, me, 99));
}

/* Four contexts in each set; a fifth takes the place of one of them. */
static void owners_of_a_full_set(struct kunit *test)
{
	struct grtrace_watchlist *me = watch_list(test);
	struct grtrace_owners *owners = test_zalloc(test, sizeof(*owners));
	u64 ctx[GRTRACE_SLOTS_WAYS + 1];
	unsigned int i, known = 0;

	grtrace_watch_add(me, current->pid);
	for (i = 0; i < ARRAY_SIZE(ctx); i++)
		ctx[i] = 5 + ((u64)i << GRTRACE_OWNERS_BITS);
	for (i = 0; i < GRTRACE_SLOTS_WAYS; i++)
		grtrace_owners_learn(owners, ctx[i]);
	for (i = 0; i < GRTRACE_SLOTS_WAYS; i++)
		KUNIT_EXPECT_TRUE(test, grtrace_owners_match(owners, me, ctx[i]));
	grtrace_owners_learn(owners, ctx[i]);
	KUNIT_EXPECT_TRUE(test, grtrace_owners_match(owners, me, ctx[i]));
	for (i = 0; i < ARRAY_SIZE(ctx); i++)
		known += grtrace_owners_match(owners, me, ctx[i]);
	KUNIT_EXPECT_EQ(test, known, GRTRACE_SLOTS_WAYS);
}

/* As many contexts as there are places: they count up, so all have room. */
static void owners_of_many_contexts(struct kunit *test)
{
	unsigned int n = GRTRACE_SLOTS_WAYS << GRTRACE_OWNERS_BITS, known = 0;
	struct grtrace_watchlist *me = watch_list(test);
	struct grtrace_owners *owners = test_zalloc(test, sizeof(*owners));
	u64 ctx;

	grtrace_watch_add(me, current->tgid);
	for (ctx = 1; ctx <= n; ctx++)
		grtrace_owners_learn(owners, ctx);
	for (ctx = 1; ctx <= n; ctx++)
		known += grtrace_owners_match(owners, me, ctx);
	KUNIT_EXPECT_EQ(test, known, n);
}

static struct kunit_case watch_test_cases[] = {
	KUNIT_CASE(watch_list_has_what_was_added),
	KUNIT_CASE_PARAM(watch_decides, watch_verdict_gen_params),
	KUNIT_CASE(owners_are_learned),
	KUNIT_CASE(owners_newest_counts),
	KUNIT_CASE(owners_of_a_full_set),
	KUNIT_CASE(owners_of_many_contexts),
	{}
};

static struct kunit_suite watch_test_suite = {
	.name = "grtrace_watch",
	.test_cases = watch_test_cases,
};

kunit_test_suite(watch_test_suite);
