// SPDX-License-Identifier: GPL-2.0
/* The events that pass, and the counters of those that do not. */
#include <kunit/test.h>
#include <linux/string.h>

#include "../filter.h"
#include "stream.h"

#define ALL		U64_MAX
#define PASS		GRTRACE_STAT_WRITTEN
#define LEVEL		GRTRACE_STAT_FILTERED_LEVEL
#define TYPE		GRTRACE_STAT_FILTERED_TYPE
#define ENGINE		GRTRACE_STAT_FILTERED_ENGINE
#define RING		GRTRACE_STAT_FILTERED_RING
#define DEVICE		GRTRACE_STAT_FILTERED_DEVICE

/* The rings of the table below. */
static const struct grtrace_ring
	/* the usual one */
	gfx = { .id = 3, .engine_class = GRTRACE_CLASS_RENDER, .device = "a" },
	copy = { .id = 4, .engine_class = GRTRACE_CLASS_COPY, .device = "b" },
	/* ids at the end of a mask, and behind it */
	id_63 = { .id = 63, .engine_class = GRTRACE_CLASS_RENDER, .device = "a" },
	id_64 = { .id = 64, .engine_class = GRTRACE_CLASS_RENDER, .device = "a" },
	id_max = { .id = U32_MAX, .engine_class = GRTRACE_CLASS_RENDER, .device = "a" },
	/* names that begin alike */
	device_aa = { .id = 5, .engine_class = GRTRACE_CLASS_RENDER, .device = "aa" },
	device_long = { .id = 6, .engine_class = GRTRACE_CLASS_RENDER,
			.device = "a-device-whose-name-fills-it-up" },
	other = { .id = 7, .engine_class = GRTRACE_CLASS_OTHER, .device = "a" };

struct filter_case {
	const char *name;
	struct filter_keys {
		u64 level_mask, type_mask, engine_mask, ring_mask;
		u32 ring_id;
		const char *devices[2];
	} keys;
	unsigned int type;
	const struct grtrace_ring *ring;
	enum grtrace_stat verdict;
};

/* A mask that is not given is all. */
#define CASE(_name, _verdict, _type, _ring, ...) \
	{ .name = _name, .verdict = _verdict, .type = GRTRACE_##_type, \
	  .ring = _ring, .keys = { __VA_ARGS__ } }
#define NOT(n) (~BIT_ULL(n))

static const struct filter_case filter_cases[] = {
	CASE("no filter", PASS, SUBMIT, &gfx),
	CASE("no filter, no ring", PASS, SUBMIT, NULL),
	CASE("no filter, a great id", PASS, SUBMIT, &id_max),

	CASE("level off", LEVEL, SUBMIT, &gfx, .level_mask = BIT_ULL(0)),
	CASE("level off, an error", LEVEL, ERROR, &gfx, .level_mask = BIT_ULL(0)),

	CASE("type set", PASS, SUBMIT, &gfx, .type_mask = BIT_ULL(GRTRACE_SUBMIT)),
	CASE("type not set", TYPE, PICK, &gfx, .type_mask = BIT_ULL(GRTRACE_SUBMIT)),
	CASE("the last bit", PASS, TYPE_LIMIT - 1, &gfx, .type_mask = BIT_ULL(63)),
	CASE("all but the last bit", TYPE, TYPE_LIMIT - 1, &gfx, .type_mask = NOT(63)),
	CASE("the last bit only", TYPE, SUBMIT, &gfx, .type_mask = BIT_ULL(63)),
	CASE("a fence is subject to types", TYPE, FENCE, NULL, .type_mask = NOT(GRTRACE_FENCE)),

	CASE("engine set", PASS, SUBMIT, &gfx, .engine_mask = BIT_ULL(GRTRACE_CLASS_RENDER)),
	CASE("engine not set", ENGINE, SUBMIT, &copy,
	     .engine_mask = BIT_ULL(GRTRACE_CLASS_RENDER)),
	CASE("the last engine", PASS, SUBMIT, &other, .engine_mask = BIT_ULL(GRTRACE_CLASS_OTHER)),
	CASE("bits of no engine", ENGINE, SUBMIT, &other,
	     .engine_mask = ~(u64)(BIT(GRTRACE_CLASS_COUNT) - 1)),
	CASE("no ring is of the unknown engine", PASS, SUBMIT, NULL,
	     .engine_mask = BIT_ULL(GRTRACE_CLASS_UNKNOWN)),
	CASE("no ring is of no other engine", ENGINE, SUBMIT, NULL,
	     .engine_mask = NOT(GRTRACE_CLASS_UNKNOWN)),

	CASE("ring id", PASS, SUBMIT, &gfx, .ring_id = 3),
	CASE("another ring id", RING, SUBMIT, &copy, .ring_id = 3),
	CASE("the greatest ring id", PASS, SUBMIT, &id_max, .ring_id = U32_MAX),
	CASE("not the greatest ring id", RING, SUBMIT, &gfx, .ring_id = U32_MAX),
	CASE("a ring id, but no ring", RING, SUBMIT, NULL, .ring_id = 3),
	CASE("ring mask", PASS, SUBMIT, &gfx, .ring_mask = BIT_ULL(3)),
	CASE("ring mask without", RING, SUBMIT, &gfx, .ring_mask = NOT(3)),
	CASE("ring 63", PASS, SUBMIT, &id_63, .ring_mask = BIT_ULL(63)),
	CASE("all but ring 63", RING, SUBMIT, &id_63, .ring_mask = NOT(63)),
	CASE("ring 64 is not ring 0", RING, SUBMIT, &id_64, .ring_mask = BIT_ULL(0)),
	CASE("ring 64 needs all bits", RING, SUBMIT, &id_64, .ring_mask = NOT(3)),
	CASE("the greatest needs all bits", RING, SUBMIT, &id_max, .ring_mask = NOT(3)),
	CASE("a ring mask, but no ring", RING, SUBMIT, NULL, .ring_mask = NOT(3)),
	CASE("ring mask and ring id", RING, SUBMIT, &gfx, .ring_mask = NOT(3), .ring_id = 3),

	CASE("device", PASS, SUBMIT, &gfx, .devices = { "a" }),
	CASE("another device", DEVICE, SUBMIT, &copy, .devices = { "a" }),
	CASE("the second of two devices", PASS, SUBMIT, &copy, .devices = { "a", "b" }),
	CASE("neither of two devices", DEVICE, SUBMIT, &device_aa, .devices = { "a", "b" }),
	CASE("the beginning of the name", DEVICE, SUBMIT, &gfx, .devices = { "aa" }),
	CASE("the longest name", PASS, SUBMIT, &device_long, .devices = { device_long.device }),
	CASE("all but its last letter", DEVICE, SUBMIT, &device_long,
	     .devices = { "a-device-whose-name-fills-it-u" }),
	CASE("a device, but no ring", DEVICE, SUBMIT, NULL, .devices = { "a" }),

	/* what concerns any ring passes whatever is asked for */
	CASE("a fence on any ring", PASS, FENCE, NULL, .ring_id = 3,
	     .engine_mask = BIT_ULL(GRTRACE_CLASS_COPY), .devices = { "b" }),
	CASE("a wait on any ring", PASS, SYNC_WAIT_ENTER, NULL, .ring_mask = BIT_ULL(9)),
	CASE("the end of a wait", PASS, SYNC_WAIT_EXIT, NULL, .devices = { "b" }),
	CASE("an error on no ring", RING, ERROR, NULL, .ring_id = 3),
	/* except for a source that knows the ring better */
	CASE("a fence whose ring is known", RING, FENCE, &copy, .ring_id = 3),
};

KUNIT_ARRAY_PARAM_DESC(filter_case, filter_cases, name);

static void filter_verdict(struct kunit *test)
{
	const struct filter_case *c = test->param_value;
	const struct filter_keys *keys = &c->keys;
	struct grtrace_filter *filter = test_zalloc(test, sizeof(*filter));

	filter->level_mask = keys->level_mask ?: ALL;
	filter->type_mask = keys->type_mask ?: ALL;
	filter->engine_mask = keys->engine_mask ?: ALL;
	filter->ring_mask = keys->ring_mask ?: ALL;
	filter->ring_id = keys->ring_id;
	while (filter->n_devices < 2 && keys->devices[filter->n_devices]) {
		strscpy_pad(filter->devices[filter->n_devices], keys->devices[filter->n_devices]);
		filter->n_devices++;
	}
	grtrace_filter_prepare(filter);
	KUNIT_EXPECT_STREQ(test, grtrace_stat_name(grtrace_filter(filter, c->type, c->ring)),
			   grtrace_stat_name(c->verdict));
}

/* A filter of nothing: each type is refused, by the first key that does. */
static void filter_of_nothing(struct kunit *test)
{
	static const enum grtrace_stat by[] = { LEVEL, TYPE, ENGINE, RING, DEVICE, PASS };
	struct grtrace_filter *filter = test_zalloc(test, sizeof(*filter));
	u64 *masks[] = {
		&filter->level_mask, &filter->type_mask, &filter->engine_mask,
		&filter->ring_mask,
	};
	unsigned int i, type;

	filter->n_devices = 1;
	for (i = 0; i < ARRAY_SIZE(by); i++) {
		grtrace_filter_prepare(filter);
		for (type = 0; type < GRTRACE_TYPE_LIMIT; type++)
			KUNIT_EXPECT_EQ(test, grtrace_filter(filter, type, &gfx), by[i]);
		if (i < ARRAY_SIZE(masks))
			*masks[i] = ALL;
		else
			filter->n_devices = 0;
	}
}

static struct kunit_case filter_test_cases[] = {
	KUNIT_CASE_PARAM(filter_verdict, filter_case_gen_params),
	KUNIT_CASE(filter_of_nothing),
	{}
};

static struct kunit_suite filter_test_suite = {
	.name = "grtrace_filter",
	.test_cases = filter_test_cases,
};

kunit_test_suite(filter_test_suite);
