// SPDX-License-Identifier: GPL-2.0
/* The hooks that intern a ring, in a session. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../rings.h"
#include "../stats.h"
#include "trial.h"

/* That it is another ring shows in what is submitted. */
static void rings_reused_address(struct kunit *test)
{
	struct grtrace_ring_desc desc = { .driver = "kunit", .name = "old" };
	struct stream *stream = trial_start(test, "");
	struct grtrace_ring *ring, *other;
	static char key;

	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&key));
	ring = grtrace_ring_submit(&key, 5, &desc);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_find(&key), ring);
	KUNIT_EXPECT_EQ(test, ring->newest_ctx, 5);
	/* an older context proves nothing, a newer one asks for the name */
	desc.name = "new";
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_submit(&key, 5, &desc), ring);
	/* what is used counts as recent, whichever way it is found */
	ring->recent = false;
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_submit(&key, 4, &desc), ring);
	KUNIT_EXPECT_TRUE(test, ring->recent);
	ring->recent = false;
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_find(&key), ring);
	KUNIT_EXPECT_TRUE(test, ring->recent);
	other = grtrace_ring_submit(&key, 6, &desc);
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_PTR_NE(test, other, ring);
	KUNIT_EXPECT_NE(test, other->id, ring->id);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_submit(&key, 7, &desc), other);
	trial_stop(test, stream);

	/* of an earlier session: to be seen alive before it is used */
	stream = trial_start(test, "");
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&key));
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_submit(&key, 8, &desc), other);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_find(&key), other);
	trial_stop(test, stream);

	/* but retired it can be at once */
	stream = trial_start(test, "");
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&key));
	KUNIT_EXPECT_PTR_EQ(test, grtrace_rings_find(&key), other);
	grtrace_ring_retire(&key);
	KUNIT_EXPECT_NULL(test, grtrace_rings_find(&key));
	trial_stop(test, stream);
	grtrace_ring_retire(&key);
}

/* The class that a second source knows is written in another note. */
static void rings_class_learnt_later(struct kunit *test)
{
	const struct grtrace_ring_desc desc = { .driver = "kunit", .name = "late" };
	struct stream *stream = trial_start(test, "");
	struct grtrace_ring *ring;
	u32 classes[4] = {};
	unsigned int n = 0;
	static char key;
	size_t i;

	ring = grtrace_ring_submit(&key, 5, &desc);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	grtrace_ring_classify(ring, GRTRACE_CLASS_UNKNOWN);
	grtrace_ring_classify(ring, GRTRACE_CLASS_COUNT);
	grtrace_ring_classify(ring, GRTRACE_CLASS_COPY);
	grtrace_ring_classify(ring, GRTRACE_CLASS_COPY);
	grtrace_ring_classify(ring, GRTRACE_CLASS_RENDER);
	grtrace_ring_classify(NULL, GRTRACE_CLASS_RENDER);
	trial_stop(test, stream);

	for (i = 0; i < stream->n; i++) {
		const struct grtrace_rec_ring *rec = stream->record[i].raw;

		if (stream->record[i].type != GRTRACE_RING || le32_to_cpu(rec->ring) != ring->id)
			continue;
		KUNIT_EXPECT_STREQ(test, rec->name, "late");
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(classes));
		classes[n++] = le32_to_cpu(rec->engine_class);
	}
	KUNIT_EXPECT_EQ(test, n, 2);
	KUNIT_EXPECT_EQ(test, classes[0], GRTRACE_CLASS_UNKNOWN);
	KUNIT_EXPECT_EQ(test, classes[1], GRTRACE_CLASS_COPY);
	grtrace_ring_retire(&key);
}

/*
 * Each ring that finds no room is none in the records, which are written
 * nevertheless, and all of these are counted.
 */
static void rings_of_a_full_table(struct kunit *test)
{
	const struct grtrace_ring_desc desc = { .driver = "kunit", .name = "many" };
	u32 *ids = test_zalloc(test, GRTRACE_RINGS_MAX * sizeof(*ids));
	char *keys = test_zalloc(test, GRTRACE_RINGS_MAX + 8);
	struct stream *stream;
	u32 i, n = 0, told = 0, none = 0, of_a_ring = 0;
	struct grtrace_ring *ring;

	/* without a session there are none, and the first is older than this one */
	KUNIT_EXPECT_NULL(test, grtrace_ring_submit(&keys[0], 5, &desc));
	stream = trial_start(test, "");
	KUNIT_EXPECT_NOT_NULL(test, grtrace_ring_submit(&keys[0], 5, &desc));
	trial_stop(test, stream);
	stream = trial_start(test, "n_subbufs=16 filter_type_mask=0x2");
	for (i = 0; i < GRTRACE_RINGS_MAX + 8; i++) {
		ring = grtrace_ring_submit(&keys[i], 5, &desc);
		trial_job(GRTRACE_SUBMIT, ring, 5, i);
		if (!ring)
			continue;
		KUNIT_ASSERT_EQ_MSG(test, n, i, "room again for ring %u", i);
		ids[n++] = ring->id;
	}
	KUNIT_EXPECT_LE(test, n, GRTRACE_RINGS_MAX);
	KUNIT_EXPECT_GE(test, n, GRTRACE_RINGS_MAX / 2);
	expect_stat(test, RINGS_FULL, GRTRACE_RINGS_MAX + 8 - n);
	ring = grtrace_ring_find(&keys[0]);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 1);
	trial_job(GRTRACE_COMPLETE, ring, 5, 0);
	KUNIT_EXPECT_EQ(test, grtrace_rings_in_flight(ring), 0);
	for (i = 0; i < n; i++)
		grtrace_ring_retire(&keys[i]);
	trial_stop(test, stream);

	for (i = 0; i < stream->n; i++) {
		const struct grtrace_rec_ring *rec = stream->record[i].raw;
		const struct grtrace_rec_job *job = stream->record[i].raw;

		if (stream->record[i].type == GRTRACE_RING &&
		    !strcmp(rec->name, "many")) {
			/* in this order, and each before its first event */
			KUNIT_ASSERT_LT(test, told, n);
			KUNIT_ASSERT_EQ(test, le32_to_cpu(rec->ring), ids[told]);
			told++;
		}
		if (stream->record[i].type != GRTRACE_SUBMIT)
			continue;
		if (!job->ring)
			none++;
		else
			KUNIT_ASSERT_EQ(test, le32_to_cpu(job->ring), ids[of_a_ring++]);
		KUNIT_ASSERT_LE(test, of_a_ring, told);
	}
	KUNIT_EXPECT_EQ(test, told, n);
	KUNIT_EXPECT_EQ(test, of_a_ring, n);
	KUNIT_EXPECT_EQ(test, none, GRTRACE_RINGS_MAX + 8 - n);
}

#define TEST_MANY	200000

/*
 * More than any table has room for come and go in one session: each has an id and a
 * note with its name. The channel has room for the notes of some.
 */
static void rings_of_a_long_session(struct kunit *test)
{
	struct stream *stream = trial_start(test, "mode=overwrite");
	u32 *ids = test_zalloc(test, TEST_MANY * sizeof(*ids));
	u64 notes = stat_now(GRTRACE_STAT_NOTES);
	struct grtrace_ring_desc desc = { .driver = "kunit" };
	static char keys[50];
	struct grtrace_ring *ring;
	u32 i, n, left = 0;
	char name[16];

	desc.name = name;
	for (i = 0; i < TEST_MANY; i++) {
		snprintf(name, sizeof(name), "many%u", i);
		ring = grtrace_ring_submit(&keys[i % 50], i + 1, &desc);
		KUNIT_ASSERT_NOT_NULL_MSG(test, ring, "no room for ring %u", i);
		KUNIT_ASSERT_TRUE_MSG(test, ring->id && (!i || (s32)(ring->id - ids[i - 1]) > 0),
				      "id %u of ring %u", ring->id, i);
		ids[i] = ring->id;
		grtrace_ring_retire(&keys[i % 50]);
		/* the work item would do so, some time after half of the table is used */
		if (i % 1000 == 999) {
			grtrace_rings_reclaim();
			cond_resched();
		}
	}
	KUNIT_EXPECT_GE(test, stat_now(GRTRACE_STAT_NOTES) - notes, TEST_MANY);
	expect_stat(test, RINGS_FULL, 0);
	trial_stop(test, stream);

	for (i = 0; i < stream->n; i++) {
		const struct grtrace_rec_ring *rec = stream->record[i].raw;

		if (stream->record[i].type != GRTRACE_RING || sscanf(rec->name, "many%u", &n) != 1)
			continue;
		KUNIT_ASSERT_LT(test, n, TEST_MANY);
		KUNIT_ASSERT_EQ(test, le32_to_cpu(rec->ring), ids[n]);
		left++;
	}
	KUNIT_EXPECT_GT(test, left, 1000);
}

static struct kunit_case rings_hook_test_cases[] = {
	KUNIT_CASE(rings_reused_address),
	KUNIT_CASE(rings_class_learnt_later),
	KUNIT_CASE_SLOW(rings_of_a_full_table),
	KUNIT_CASE_SLOW(rings_of_a_long_session),
	{}
};

static struct kunit_suite rings_hook_test_suite = {
	.name = "grtrace_rings_hook",
	.init = trial_init,
	.test_cases = rings_hook_test_cases,
};

kunit_test_suite(rings_hook_test_suite);
