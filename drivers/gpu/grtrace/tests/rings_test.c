// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of rings. It is one for the kernel: the tests use keys of their own and
 * retire what they interned. No session runs.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "../rings.h"
#include "trial.h"

/* Some addresses that only this test interns. */
static char test_keys[2 * GRTRACE_RINGS_MAX];

static struct device test_device = { .init_name = "0000:42:00.0" };
static struct device test_other_device = { .init_name = "0000:43:00.0" };

#define TEST_DESC(...) { .dev = &test_device, .driver = "kunit", .name = "gfx", \
			 .engine_class = GRTRACE_CLASS_RENDER, ##__VA_ARGS__ }

static const struct grtrace_ring_desc test_desc = TEST_DESC();

/* As the hooks do. */
static void rings_count(const struct grtrace_ring *ring, u16 type)
{
	guard(irqsave)();
	grtrace_rings_count(ring, type);
}

/* NULL where there is no room. */
static struct grtrace_ring *test_try(const void *key, const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = grtrace_rings_prepare(key, 0, desc);

	return ring ? grtrace_rings_publish(ring) : NULL;
}

/* That there is room is asserted here and below. */
static struct grtrace_ring *test_prepare(struct kunit *test, unsigned int key)
{
	struct grtrace_ring *ring = grtrace_rings_prepare(&test_keys[key], 0, &test_desc);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	return ring;
}

/* As emit does; NULL if the session has used the id. */
static struct grtrace_ring *test_try_id(unsigned int key, u32 id)
{
	guard(mutex)(&grtrace_rings_lock);
	return grtrace_rings_prepare(&test_keys[key], id, &test_desc);
}

static struct grtrace_ring *test_prepare_id(struct kunit *test, unsigned int key, u32 id)
{
	struct grtrace_ring *ring = test_try_id(key, id);

	KUNIT_ASSERT_NOT_NULL_MSG(test, ring, "id %u", id);
	return ring;
}

static struct grtrace_ring *test_intern(struct kunit *test, unsigned int key,
					const struct grtrace_ring_desc *desc)
{
	struct grtrace_ring *ring = test_try(&test_keys[key], desc);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	return ring;
}

/* A table that does not age: the work item may come at any time. */
static struct grtrace_ring *test_intern_busy(struct kunit *test, unsigned int key)
{
	struct grtrace_ring *ring = test_intern(test, key, &test_desc);

	rings_count(ring, GRTRACE_SUBMIT);
	return ring;
}

static void rings_test_exit(struct kunit *test)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	while ((ring = grtrace_rings_next(&cursor)))
		if (ring->key >= (void *)test_keys &&
		    ring->key < (void *)(test_keys + sizeof(test_keys)))
			grtrace_rings_retire(ring);
	grtrace_rings_forget();
}

#define CUT_NAME	"a name with as much as a record"	/* 31 letters */

static void rings_filled_from_desc(struct kunit *test)
{
	const struct {
		struct grtrace_ring_desc desc;
		struct grtrace_ring ring;
	} rows[] = {
		{ test_desc, { .device = "0000:42:00.0", .driver = "kunit", .name = "gfx",
		  .engine_class = GRTRACE_CLASS_RENDER, .leaves_on = GRTRACE_COMPLETE } },
		{ { .dev = &test_other_device, .driver = "kunit", .name = "gfx",
		    .engine_class = GRTRACE_CLASS_COUNT },
		  { .device = "0000:43:00.0", .driver = "kunit", .name = "gfx",
		    .engine_class = GRTRACE_CLASS_OTHER, .leaves_on = GRTRACE_COMPLETE } },
		{ TEST_DESC(.flags = GRTRACE_RING_CPU, .timeout_ms = 500),
		  { .device = "0000:42:00.0", .driver = "kunit", .name = "gfx",
		    .engine_class = GRTRACE_CLASS_RENDER, .leaves_on = GRTRACE_COMPLETE,
		    .flags = GRTRACE_RING_CPU, .timeout_ms = 500 } },
		{ {}, { .device = "?", .driver = "?", .name = "?",
		      .leaves_on = GRTRACE_COMPLETE } },
		{ { .name = CUT_NAME " has room for", .engine_class = GRTRACE_CLASS_COPY,
		    .leaves_on = GRTRACE_END },
		  { .device = "?", .driver = "?", .name = CUT_NAME, .name_cut = true,
		    .engine_class = GRTRACE_CLASS_COPY, .leaves_on = GRTRACE_END } },
	};
	const struct grtrace_ring *ring;
	u64 ctx = 0;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		ring = test_intern(test, i, &rows[i].desc);
		/* by device, name and flags */
		for (j = 0; j < ARRAY_SIZE(rows); j++)
			KUNIT_EXPECT_EQ(test, grtrace_rings_same(ring, &rows[j].desc), i == j);
		KUNIT_EXPECT_STREQ(test, ring->device, rows[i].ring.device);
		KUNIT_EXPECT_STREQ(test, ring->driver, rows[i].ring.driver);
		KUNIT_EXPECT_STREQ(test, ring->name, rows[i].ring.name);
		KUNIT_EXPECT_EQ(test, ring->engine_class, rows[i].ring.engine_class);
		KUNIT_EXPECT_EQ(test, ring->leaves_on, rows[i].ring.leaves_on);
		KUNIT_EXPECT_EQ(test, ring->name_cut, rows[i].ring.name_cut);
		KUNIT_EXPECT_EQ(test, ring->flags, rows[i].ring.flags);
		KUNIT_EXPECT_EQ(test, ring->timeout_ms, rows[i].ring.timeout_ms);
		/* filter_device compares all bytes */
		KUNIT_EXPECT_NULL(test, memchr_inv(ring->device + strlen(ring->device), 0,
						   sizeof(ring->device) - strlen(ring->device)));
		KUNIT_EXPECT_NE(test, ring->ctx, ctx);
		ctx = ring->ctx;
	}
}

static void rings_lost_race(struct kunit *test)
{
	struct grtrace_ring *first = test_prepare(test, 0), *second = test_prepare(test, 0);
	struct grtrace_ring *again;
	u32 lost = second->id;

	KUNIT_EXPECT_NE(test, first->id, lost);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_publish(first), first);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_publish(second), first);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_find(&test_keys[0]), first);
	/* a note of its id may be in the stream: so it is not given, even if asked for */
	again = test_intern(test, 1, &test_desc);
	KUNIT_EXPECT_NE(test, again->id, first->id);
	KUNIT_EXPECT_NE(test, again->id, lost);
	KUNIT_EXPECT_NULL(test, test_try_id(2, lost));
	KUNIT_EXPECT_NULL(test, test_try_id(2, first->id));

	/* a session later it is free, that of the living ring is not */
	grtrace_rings_forget();
	KUNIT_EXPECT_NULL(test, test_try_id(2, first->id));
	again = test_prepare_id(test, 2, lost);
	KUNIT_EXPECT_EQ(test, again->id, lost);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_publish(again), again);

	/* a ring whose id was asked for ends with the session */
	grtrace_rings_forget();
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[2]));
	KUNIT_EXPECT_NOT_NULL(test, grtrace_rings_find(&test_keys[0]));
}

#define TEST_RACE_KEYS	500

struct rings_race {
	atomic_t ready;
	unsigned int cpus;
	struct grtrace_ring *ring[4][TEST_RACE_KEYS];
};

static void rings_race_on_cpu(void *data)
{
	struct rings_race *race = data;
	unsigned int i, me = atomic_inc_return(&race->ready) - 1;

	if (me >= ARRAY_SIZE(race->ring))
		return;
	while (atomic_read(&race->ready) < race->cpus)
		cpu_relax();
	for (i = 0; i < TEST_RACE_KEYS; i++)
		race->ring[me][i] = test_try(&test_keys[i], &test_desc);
}

/* In an interrupt, as a hook may. */
static void rings_race_on_all_cpus(struct kunit *test)
{
	struct rings_race *race = test_zalloc(test, sizeof(*race));
	unsigned int i, cpu, cpus, racers, duplicates = 0;

	cpus = num_online_cpus();
	if (cpus < 2)
		kunit_skip(test, "needs two CPUs");
	race->cpus = cpus;
	on_each_cpu(rings_race_on_cpu, race, 1);

	racers = min_t(unsigned int, cpus, ARRAY_SIZE(race->ring));
	for (i = 0; i < TEST_RACE_KEYS; i++) {
		struct grtrace_ring *ring = grtrace_rings_find(&test_keys[i]);

		KUNIT_ASSERT_NOT_NULL(test, ring);
		for (cpu = 0; cpu < racers; cpu++)
			KUNIT_ASSERT_PTR_EQ(test, race->ring[cpu][i], ring);
		for (cpu = 0; cpu < i; cpu++)
			duplicates += race->ring[0][cpu]->id == ring->id;
	}
	KUNIT_EXPECT_EQ(test, duplicates, 0);
}

/* From when it is published on, until it is retired. */
static void rings_are_found_until_retired(struct kunit *test)
{
	struct grtrace_ring *old = test_prepare(test, 0), *kept, *ring;
	u32 old_id = old->id, kept_id;

	KUNIT_EXPECT_NE(test, old_id, GRTRACE_RING_NONE);
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[0]));
	KUNIT_EXPECT_NULL(test, grtrace_rings_find_id(old_id));
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_publish(old), old);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_find(&test_keys[0]), old);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_find_id(old_id), old);
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[1]));
	kept = test_intern(test, 1, &test_desc);
	kept_id = kept->id;
	kept->newest_ctx = 7;

	grtrace_rings_retire(old);
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[0]));
	/* the address again, for another ring; hooks may still hold the old one */
	ring = test_intern(test, 0, &test_desc);
	KUNIT_EXPECT_PTR_NE(test, ring, old);
	KUNIT_EXPECT_NE(test, ring->id, kept_id);
	KUNIT_EXPECT_NE(test, ring->id, old_id);
	KUNIT_EXPECT_EQ(test, old->id, old_id);

	grtrace_rings_forget();
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_find(&test_keys[0]), ring);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_find(&test_keys[1]), kept);
	KUNIT_EXPECT_EQ(test, kept->id, kept_id);
	/* not known to be alive, until it is used */
	KUNIT_EXPECT_EQ(test, kept->newest_ctx, 0);
	KUNIT_EXPECT_NULL(test, grtrace_rings_find_id(old_id));
}

/* Also after the last one; none is given twice in a session. */
static void rings_ids_count_up(struct kunit *test)
{
	static const u32 before[] = { 70000, S32_MAX - 1, U32_MAX - 3 };
	struct grtrace_ring *kept, *asked[2], *ring;
	u32 old = atomic_read(&grtrace_rings_newest_id), base;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(before); i++) {
		base = before[i];
		/* one of an earlier session, where the counter will come by */
		atomic_set(&grtrace_rings_newest_id, base + 5);
		kept = test_intern(test, 0, &test_desc);
		KUNIT_EXPECT_EQ(test, kept->id, base + 6);
		atomic_set(&grtrace_rings_newest_id, base);
		grtrace_rings_forget();
		/* and those that were asked for */
		for (j = 0; j < ARRAY_SIZE(asked); j++) {
			asked[j] = test_prepare_id(test, 1 + j, base + 1 + 2 * j);
			grtrace_rings_publish(asked[j]);
		}
		KUNIT_EXPECT_NULL(test, test_try_id(9, base + 1));
		KUNIT_EXPECT_NULL(test, test_try_id(9, kept->id));
		for (j = 2; j < 9; j++) {
			u32 id = base + j;

			if (id == asked[1]->id || id == kept->id || id == GRTRACE_RING_NONE)
				continue;
			ring = test_intern(test, 10 + j, &test_desc);
			KUNIT_EXPECT_EQ_MSG(test, ring->id, id, "after %u", base);
			KUNIT_EXPECT_NULL(test, test_try_id(9, id));
		}
		for (j = 0; j < 20; j++)
			if (grtrace_rings_find(&test_keys[j]))
				grtrace_rings_retire(grtrace_rings_find(&test_keys[j]));
		grtrace_rings_forget();
		/* what the counter has not reached again may be asked for */
		ring = test_prepare_id(test, 1, base);
		KUNIT_EXPECT_EQ(test, ring->id, base);
		grtrace_rings_publish(ring);
		grtrace_rings_forget();
	}
	atomic_set(&grtrace_rings_newest_id, old);
	grtrace_rings_forget();
}

/* Existing rings, of the machine's devices. */
static unsigned int rings_others(void)
{
	unsigned int n = 0;
	u32 cursor = 0;

	while (grtrace_rings_next(&cursor))
		n++;
	return n;
}

/* Each ring has an id of its own, and leaves a chain of several while others come. */
static void rings_table_full(struct kunit *test)
{
	u32 *ids = test_zalloc(test, GRTRACE_RINGS_MAX * sizeof(*ids));
	struct grtrace_ring *ring;
	unsigned int i, room;
	u32 newest;

	grtrace_rings_forget();
	room = GRTRACE_RINGS_MAX - rings_others();
	for (i = 0; i < room; i++) {
		ring = test_intern_busy(test, i);
		ids[i] = ring->id;
		KUNIT_ASSERT_TRUE(test, !i || ids[i] > ids[i - 1]);
	}
	newest = atomic_read(&grtrace_rings_newest_id);
	KUNIT_EXPECT_NULL(test, grtrace_rings_prepare(&test_keys[i], 0, &test_desc));
	KUNIT_EXPECT_NULL(test, test_try_id(i, newest + 1));
	KUNIT_EXPECT_EQ(test, atomic_read(&grtrace_rings_newest_id), newest);
	for (i = 0; i < room; i++) {
		ring = grtrace_rings_find(&test_keys[i]);
		KUNIT_ASSERT_NOT_NULL(test, ring);
		KUNIT_ASSERT_EQ(test, ring->id, ids[i]);
	}
	KUNIT_EXPECT_EQ(test, rings_others(), GRTRACE_RINGS_MAX);

	/* a place is free when no writer can still hold its ring */
	scoped_guard(mutex, &grtrace_rings_lock) {
		for (i = 0; i < room; i += 3)
			grtrace_rings_retire(grtrace_rings_find(&test_keys[i]));
		KUNIT_EXPECT_NULL(test, grtrace_rings_prepare(&test_keys[room], 0, &test_desc));
	}
	grtrace_rings_reclaim();
	for (i = 0; i < room; i++)
		KUNIT_ASSERT_EQ_MSG(test, !!grtrace_rings_find(&test_keys[i]), i % 3 != 0,
				    "ring %u", i);
	for (i = 0; i < room; i += 3)
		test_intern(test, room + i, &test_desc);
	KUNIT_EXPECT_EQ(test, rings_others(), GRTRACE_RINGS_MAX);
}

/* As with a driver that makes a scheduler for each of its queues, in one session. */
static void rings_come_and_go(struct kunit *test)
{
	unsigned int i, n = 3 * GRTRACE_RINGS_MAX;
	struct grtrace_ring *ring;
	u32 newest = 0;

	for (i = 0; i < n; i++) {
		ring = test_try(&test_keys[i % 7], &test_desc);
		/* what retires rings also has them given up, in a moment */
		if (!ring) {
			grtrace_rings_reclaim();
			ring = test_intern(test, i % 7, &test_desc);
		}
		KUNIT_ASSERT_PTR_EQ(test, grtrace_rings_find(&test_keys[i % 7]), ring);
		KUNIT_ASSERT_GT(test, ring->id, newest);
		newest = ring->id;
		KUNIT_ASSERT_EQ(test, grtrace_rings_in_flight(ring), 0);
		rings_count(ring, GRTRACE_SUBMIT);
		grtrace_rings_retire(ring);
	}
}

/* Those go that are old and have no job. */
static void rings_old_ones_go(struct kunit *test)
{
	enum { BUSY, RECENT, OLD };
	unsigned int i, n = GRTRACE_RINGS_MAX / 2 - rings_others();

	for (i = 0; i < n; i++)
		test_intern(test, i, &test_desc);
	rings_count(grtrace_rings_find(&test_keys[BUSY]), GRTRACE_SUBMIT);
	scoped_guard(mutex, &grtrace_rings_lock) {
		/* the work item may have asked already */
		for (i = 0; i < n; i++)
			grtrace_rings_find(&test_keys[i])->recent = true;
		grtrace_rings_age();
		grtrace_rings_find(&test_keys[RECENT])->recent = true;
		grtrace_rings_age();
	}
	for (i = BUSY; i < OLD; i++)
		KUNIT_EXPECT_NOT_NULL_MSG(test, grtrace_rings_find(&test_keys[i]), "ring %u", i);
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[OLD]));
	/* where there is room, they stay */
	grtrace_rings_forget();
	test_intern(test, OLD, &test_desc);
	for (i = 0; i < 2; i++)
		scoped_guard(mutex, &grtrace_rings_lock)
			grtrace_rings_age();
	KUNIT_EXPECT_NOT_NULL(test, grtrace_rings_find(&test_keys[OLD]));
}

static void rings_crowd_is_swept(struct kunit *test)
{
	unsigned int i;

	grtrace_rings_forget();
	for (i = 0; rings_others() < GRTRACE_RINGS_MAX / 2; i++)
		test_intern_busy(test, i);
	grtrace_rings_forget();
	KUNIT_EXPECT_NOT_NULL(test, grtrace_rings_find(&test_keys[i - 1]));

	test_intern(test, i, &test_desc);
	grtrace_rings_forget();
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[i]));
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&test_keys[0]));
	KUNIT_EXPECT_EQ(test, rings_others(), 0);
}

static void rings_submit_on_cpu(void *ring)
{
	grtrace_rings_count(ring, GRTRACE_SUBMIT);
}

static void rings_in_flight(struct kunit *test)
{
	static const struct grtrace_ring_desc desc = TEST_DESC(.leaves_on = GRTRACE_END);
	struct grtrace_ring *ring, *other;
	unsigned int i, cpus = num_online_cpus();

	ring = test_intern(test, 0, &desc);
	other = test_intern(test, 1, &test_desc);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 0);

	/* they come on all CPUs, and leave on one */
	on_each_cpu(rings_submit_on_cpu, ring, 1);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), cpus);
	rings_count(ring, GRTRACE_PICK);
	rings_count(ring, GRTRACE_COMPLETE);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), cpus);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(other), 0);
	for (i = 0; i < cpus; i++)
		rings_count(ring, GRTRACE_END);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 0);

	/* one from before the session */
	rings_count(ring, GRTRACE_END);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 0);
	rings_count(other, GRTRACE_SUBMIT);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(other), 1);

	grtrace_rings_forget();
	rings_count(ring, GRTRACE_SUBMIT);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 1);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(other), 0);
}

/* A CPU's count runs over; that of all is right nonetheless. */
static void rings_in_flight_runs_over(struct kunit *test)
{
	static const struct { int first, last; u64 all; } rows[] = {
		{ INT_MAX, -INT_MAX, 0 }, { INT_MIN, -INT_MAX, 1 }, { INT_MIN + 6, INT_MIN, 6 },
		/* those from before the session outnumber the others */
		{ INT_MAX, INT_MAX, 0 },
	};
	unsigned int first = cpumask_first(cpu_possible_mask);
	unsigned int last = cpumask_last(cpu_possible_mask);
	struct grtrace_ring *ring;
	size_t i;

	if (first == last)
		kunit_skip(test, "needs two CPUs");
	ring = test_intern(test, 0, &test_desc);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		*per_cpu_ptr(ring->in_flight, first) = rows[i].first;
		*per_cpu_ptr(ring->in_flight, last) = rows[i].last;
		KUNIT_EXPECT_EQ_MSG(test, grtrace_rings_in_flight(ring), rows[i].all, "row %zu", i);
	}
}

/* Jobs in flight are those of all CPUs that there may be, and forgotten on all of them. */
static void rings_in_flight_of_every_cpu(struct kunit *test)
{
	struct grtrace_ring *ring = test_intern(test, 0, &test_desc);
	int cpu;

	for_each_possible_cpu(cpu) {
		int *jobs = per_cpu_ptr(ring->in_flight, cpu);

		*jobs = 2;
	}
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 2 * num_possible_cpus());
	grtrace_rings_forget();
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 0);
}

static struct kunit_case rings_test_cases[] = {
	KUNIT_CASE(rings_filled_from_desc),
	KUNIT_CASE(rings_lost_race),
	KUNIT_CASE(rings_race_on_all_cpus),
	KUNIT_CASE(rings_are_found_until_retired),
	KUNIT_CASE(rings_ids_count_up),
	KUNIT_CASE(rings_table_full),
	KUNIT_CASE(rings_come_and_go),
	KUNIT_CASE(rings_old_ones_go),
	KUNIT_CASE(rings_crowd_is_swept),
	KUNIT_CASE(rings_in_flight),
	KUNIT_CASE(rings_in_flight_runs_over),
	KUNIT_CASE(rings_in_flight_of_every_cpu),
	{}
};

static struct kunit_suite rings_test_suite = {
	.name = "grtrace_rings",
	.init = trial_init,
	.exit = rings_test_exit,
	.test_cases = rings_test_cases,
};

kunit_test_suite(rings_test_suite);
