// SPDX-License-Identifier: GPL-2.0
#include "lib/text/diagnostics.h"

#include <vector>

#include <gtest/gtest.h>

namespace grtrace {

TEST(Diagnostics, shows_a_screenful_of_each_kind_and_counts_the_rest)
{
	std::vector<std::string> shown;
	Diagnostics diagnostics([&](const std::string &sentence) { shown.push_back(sentence); });

	for (unsigned int i = 0; i < Diagnostics::limit + 2; i++)
		diagnostics.error("broken");
	diagnostics.warn("odd");
	EXPECT_EQ(shown.size(), Diagnostics::limit + 1);
	EXPECT_EQ(shown.back(), "odd");
	diagnostics.finish();
	EXPECT_EQ(shown.back(), "2 more errors were not shown");
	EXPECT_EQ(diagnostics.errors(), Diagnostics::limit + 2);
	EXPECT_EQ(diagnostics.warnings(), 1u);
}

TEST(Diagnostics, counts_what_nobody_sees)
{
	Diagnostics diagnostics(nullptr);

	for (unsigned int i = 0; i <= Diagnostics::limit; i++)
		diagnostics.warn("odd");
	diagnostics.finish();
	EXPECT_EQ(diagnostics.warnings(), Diagnostics::limit + 1);
	EXPECT_EQ(diagnostics.errors(), 0u);
}

} // namespace grtrace
