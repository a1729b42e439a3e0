// SPDX-License-Identifier: GPL-2.0
#include "words/data/span_union.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(SpanUnion, counts_what_overlaps_once)
{
	SpanUnion spans;

	spans.add(10, 20);
	spans.add(30, 40);
	EXPECT_EQ(spans.sum(), 20u);
	// Within one, over the gap, touching, and empty.
	spans.add(12, 15);
	spans.add(15, 32);
	spans.add(40, 45);
	spans.add(50, 50);
	EXPECT_EQ(spans.sum(), 35u);
	EXPECT_EQ(spans.size(), 1u);
}

TEST(SpanUnion, takes_one_that_comes_late)
{
	SpanUnion spans;

	spans.add(30, 40);
	spans.add(10, 20);
	EXPECT_EQ(spans.sum(), 20u);
	EXPECT_EQ(spans.size(), 2u);
}

TEST(SpanUnion, keeps_the_sum_of_what_is_over)
{
	SpanUnion spans;

	spans.add(10, 20);
	spans.add(30, 40);
	spans.sum_up(35);
	EXPECT_EQ(spans.size(), 1u);
	EXPECT_EQ(spans.sum(), 20u);
	// Spans that are already in the sum also count once.
	spans.add(15, 25);
	EXPECT_EQ(spans.sum(), 25u);
}

} // namespace grtrace
