// SPDX-License-Identifier: GPL-2.0
/* Watchlists: the lists, the verdict, and who owns a context. */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "../stages.h"
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

/* Lists that are not empty, and those of them that have the event's: bits c, r and p. */
static void watch_decides(struct kunit *test)
{
	struct grtrace_watch *watch = test_zalloc(test, sizeof(*watch));
	unsigned int lists, found, how;

	for (lists = 0; lists < 8; lists++)
		for (found = 0; found < 8; found++) {
			if (found & ~lists)
				continue;
			watch->ctx.n = !!(lists & 1);
			watch->ring.n = !!(lists & 2);
			watch->pid.n = !!(lists & 4);
			KUNIT_EXPECT_EQ(test, grtrace_watch_active(watch), lists != 0);
			for (how = 0; how < 4; how++) {
				/* any of them, or all; and the others are meant */
				bool match = how & 1 ? found == lists : found != 0, decided;

				watch->all = how & 1;
				watch->deny = how & 2;
				decided = grtrace_watch_decide(watch, found & 1, found & 2,
							       found & 4);
				KUNIT_EXPECT_EQ_MSG(test, decided, match != watch->deny,
						    "lists %u, found %u, %u", lists, found, how);
			}
		}
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

/*
 * As many contexts as there are places: they count up, so all have room. One more takes
 * the place of one of its set.
 */
static void owners_of_a_full_table(struct kunit *test)
{
	unsigned int n = GRTRACE_SLOTS_WAYS << GRTRACE_OWNERS_BITS, known = 0;
	struct grtrace_watchlist *me = watch_list(test);
	struct grtrace_owners *owners = test_zalloc(test, sizeof(*owners));
	u64 ctx;

	grtrace_watch_add(me, current->tgid);
	for (ctx = 1; ctx <= n; ctx++)
		grtrace_owners_learn(owners, ctx);
	for (ctx = 1; ctx <= n; ctx++)
		KUNIT_ASSERT_TRUE(test, grtrace_owners_match(owners, me, ctx));
	grtrace_owners_learn(owners, ctx);
	KUNIT_EXPECT_TRUE(test, grtrace_owners_match(owners, me, ctx));
	for (ctx = 1; ctx <= n + 1; ctx++)
		known += grtrace_owners_match(owners, me, ctx);
	KUNIT_EXPECT_EQ(test, known, n);
}

static struct kunit_case watch_test_cases[] = {
	KUNIT_CASE(watch_list_has_what_was_added),
	KUNIT_CASE(watch_decides),
	KUNIT_CASE(owners_are_learned),
	KUNIT_CASE(owners_newest_counts),
	KUNIT_CASE(owners_of_a_full_table),
	{}
};

static struct kunit_suite watch_test_suite = {
	.name = "grtrace_watch",
	.test_cases = watch_test_cases,
};

kunit_test_suite(watch_test_suite);
