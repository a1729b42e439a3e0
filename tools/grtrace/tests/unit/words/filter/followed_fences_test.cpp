// SPDX-License-Identifier: GPL-2.0
#include "words/filter/followed_fences.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(FollowedFences, remembers_what_was_added)
{
	FollowedFences fences;

	EXPECT_FALSE(fences.has(5, 1));
	fences.add(5, 1);
	fences.add(5, 1);
	EXPECT_TRUE(fences.has(5, 1));
	EXPECT_FALSE(fences.has(5, 2));
	EXPECT_FALSE(fences.has(6, 1));
}

TEST(FollowedFences, forgets_the_oldest_when_it_is_full)
{
	FollowedFences fences;
	const uint32_t last = FollowedFences::capacity + 10;

	for (uint32_t seqno = 1; seqno <= last; seqno++)
		fences.add(5, seqno);
	EXPECT_FALSE(fences.has(5, 10));
	EXPECT_TRUE(fences.has(5, 11));
	EXPECT_TRUE(fences.has(5, last));
}

} // namespace grtrace
