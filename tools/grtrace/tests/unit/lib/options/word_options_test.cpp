// SPDX-License-Identifier: GPL-2.0
#include "lib/options/word_options.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(WordOptions, a_number_has_its_bounds_in_the_sentence_if_it_has_any)
{
	uint64_t value = 0;

	EXPECT_TRUE(parse_number("top", "9", 1, 9, value).ok());
	EXPECT_EQ(value, 9u);
	for (const char *wrong : {"0", "10", "x", ""})
		EXPECT_EQ(parse_number("top", wrong, 1, 9, value).sentence(),
			  std::string("--top wants a number from 1 to 9, not \"") + wrong + '"');
	EXPECT_EQ(parse_number("ctx", "x", 0, UINT64_MAX, value).sentence(),
		  "--ctx wants a number, not \"x\"");
}

} // namespace grtrace
