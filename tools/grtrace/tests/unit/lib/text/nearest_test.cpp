// SPDX-License-Identifier: GPL-2.0
#include "lib/text/nearest.h"

#include <string>

#include <gtest/gtest.h>

namespace grtrace {

static std::string meant(std::string_view typed)
{
	static constexpr std::string_view names[] = {"",         "report", "record", "diff",
						     "timeline", "verify", "msg"};

	return did_you_mean(typed, names);
}

TEST(Nearest, one_letter)
{
	EXPECT_EQ(meant("rport"), " (did you mean report?)"); // left out
	EXPECT_EQ(meant("reeport"), " (did you mean report?)"); // put in
	EXPECT_EQ(meant("vexify"), " (did you mean verify?)"); // replaced
	EXPECT_EQ(meant("dfif"), " (did you mean diff?)"); // swapped
	EXPECT_EQ(meant("mgs"), " (did you mean msg?)");
}

TEST(Nearest, the_nearest_of_two)
{
	EXPECT_EQ(meant("recodr"), " (did you mean record?)");
	EXPECT_EQ(meant("recport"), " (did you mean report?)");
}

TEST(Nearest, nothing_like_it)
{
	EXPECT_EQ(meant("frobnicate"), "");
	EXPECT_EQ(meant("x"), "");
	EXPECT_EQ(meant(""), "");
	EXPECT_EQ(meant(std::string(100000, 'r')), "");
}

} // namespace grtrace
