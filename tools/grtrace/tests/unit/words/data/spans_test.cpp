// SPDX-License-Identifier: GPL-2.0
//
// The figures that a loss touches.
#include <gtest/gtest.h>

#include "words/data/spans.h"

namespace grtrace {

TEST(LossSpans, touch_what_they_overlap)
{
	LossSpans spans;

	EXPECT_FALSE(spans.touch(0, UINT64_MAX));
	spans.add(100, 200);
	spans.add(300, 400);
	EXPECT_TRUE(spans.touch(0, 100));
	EXPECT_TRUE(spans.touch(150, 160));
	EXPECT_TRUE(spans.touch(200, 250));
	EXPECT_FALSE(spans.touch(201, 299));
	EXPECT_FALSE(spans.touch(401, UINT64_MAX));
	spans.add(350, 150); // both, and what is between them
	EXPECT_TRUE(spans.touch(201, 299));
}

TEST(LossSpans, never_forget_one_when_there_are_too_many)
{
	LossSpans spans;
	constexpr uint64_t n = LossSpans::limit * 3;

	// From both ends to the middle.
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = (i % 2 ? n - i : i) * 10;

		spans.add(at, at + 1);
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = (i % 2 ? n - i : i) * 10;

		EXPECT_TRUE(spans.touch(at, at + 1)) << at;
	}
	EXPECT_FALSE(spans.touch(n * 10 + 2, UINT64_MAX));
}

} // namespace grtrace
