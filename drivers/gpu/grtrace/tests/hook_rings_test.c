// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks that intern a ring, while a session runs: what becomes of rings that
 * nobody owns, and what of them is in the stream.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/string.h>

#include "../rings.h"
#include "../stats.h"
#include "trial.h"

/* Nobody owns the ring: that it is another one shows in what is submitted. */
static void hook_rings_reused_address(struct kunit *test)
{
	struct grtrace_ring_desc desc = { .driver = "kunit", .name = "old" };
	struct stream *stream = trial_start(test, "");
	struct grtrace_ring *ring, *other;
	static char key;

	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&key));
	ring = grtrace_ring_submit(&key, 5, &desc);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_find(&key), ring);
	/* an older context proves nothing, a newer one asks for the name */
	desc.name = "new";
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_submit(&key, 5, &desc), ring);
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_submit(&key, 4, &desc), ring);
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
	grtrace_ring_retire(other);
	KUNIT_EXPECT_NULL(test, grtrace_ring_find(&key));
	grtrace_ring_retire(NULL);
}

/* Nobody told that the one before is gone: whoever owns this one knows better. */
static void hook_rings_owner_takes_address(struct kunit *test)
{
	const struct grtrace_ring_desc bare = { .driver = "kunit", .name = "dead" };
	const struct grtrace_ring_desc owned = {
		.driver = "kunit",
		.name = "alive",
		.owned = true,
	};
	struct stream *stream = trial_start(test, "");
	struct grtrace_ring *dead, *ring;
	static char key;

	dead = grtrace_ring_submit(&key, 5, &bare);
	KUNIT_ASSERT_NOT_NULL(test, dead);
	trial_stop(test, stream);

	ring = grtrace_ring_intern(&key, &owned);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_EXPECT_PTR_NE(test, ring, dead);
	KUNIT_EXPECT_TRUE(test, ring->owned);
	KUNIT_EXPECT_STREQ(test, ring->name, "alive");
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_intern(&key, &owned), ring);

	/* a start forgets the dead, not what somebody holds */
	stream = trial_start(test, "");
	KUNIT_EXPECT_PTR_EQ(test, grtrace_ring_find(&key), ring);
	trial_stop(test, stream);
	grtrace_ring_retire(ring);
}

/* The ring is told again, with what one source knew and the other did not. */
static void hook_rings_class_learnt_later(struct kunit *test)
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
	grtrace_ring_classify(ring, GRTRACE_CLASS_COPY);
	grtrace_ring_classify(ring, GRTRACE_CLASS_RENDER);
	grtrace_ring_classify(NULL, GRTRACE_CLASS_RENDER);
	trial_stop(test, stream);

	for (i = 0; i < stream->n; i++) {
		const struct grtrace_rec_ring *rec = stream->record[i].raw;

		if (stream->record[i].type != GRTRACE_RING ||
		    le32_to_cpu(rec->ring) != ring->id)
			continue;
		KUNIT_EXPECT_STREQ(test, rec->name, "late");
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(classes));
		classes[n++] = le32_to_cpu(rec->engine_class);
	}
	KUNIT_EXPECT_EQ(test, n, 2);
	KUNIT_EXPECT_EQ(test, classes[0], GRTRACE_CLASS_UNKNOWN);
	KUNIT_EXPECT_EQ(test, classes[1], GRTRACE_CLASS_COPY);
	grtrace_ring_retire(ring);
}

/*
 * Each ring that finds no room is none in the records, which are written all the
 * same, and all of these are counted.
 */
static void hook_rings_of_a_full_table(struct kunit *test)
{
	struct grtrace_ring_desc desc = { .driver = "kunit", .name = "many" };
	u32 *ids = test_zalloc(test, GRTRACE_RINGS_MAX * sizeof(*ids));
	char *keys = test_zalloc(test, GRTRACE_RINGS_MAX + 8);
	struct stream *stream;
	u32 i, n = 0, told = 0, none = 0, of_a_ring = 0;
	struct grtrace_ring *ring;

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
	for (i = 0; i < n; i++)
		grtrace_ring_retire(grtrace_ring_find(&keys[i]));
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
			KUNIT_ASSERT_EQ(test, le32_to_cpu(job->ring),
					ids[of_a_ring++]);
		KUNIT_ASSERT_LE(test, of_a_ring, told);
	}
	KUNIT_EXPECT_EQ(test, told, n);
	KUNIT_EXPECT_EQ(test, of_a_ring, n);
	KUNIT_EXPECT_EQ(test, none, GRTRACE_RINGS_MAX + 8 - n);
}

static struct kunit_case hook_rings_test_cases[] = {
	KUNIT_CASE(hook_rings_reused_address),
	KUNIT_CASE(hook_rings_owner_takes_address),
	KUNIT_CASE(hook_rings_class_learnt_later),
	KUNIT_CASE_SLOW(hook_rings_of_a_full_table),
	{}
};

static struct kunit_suite hook_rings_test_suite = {
	.name = "grtrace_hook_rings",
	.init = trial_init,
	.test_cases = hook_rings_test_cases,
};

kunit_test_suite(hook_rings_test_suite);
