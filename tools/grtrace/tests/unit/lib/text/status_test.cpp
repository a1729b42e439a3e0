// SPDX-License-Identifier: GPL-2.0
#include "lib/text/status.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(Status, failures_are_joined_each_once)
{
	const Status a = Status::error("a"), b = Status::error("b");

	EXPECT_TRUE(join(Status(), Status()).ok());
	EXPECT_EQ(join(a, Status()).sentence(), "a");
	EXPECT_EQ(join(Status(), b).sentence(), "b");
	EXPECT_EQ(join(a, b).sentence(), "a\nb");
	EXPECT_EQ(join(a, a).sentence(), "a");
	EXPECT_EQ(join(join(a, b), a).sentence(), "a\nb");
	EXPECT_EQ(join(join(a, b), b).sentence(), "a\nb");
}

} // namespace grtrace
