// SPDX-License-Identifier: GPL-2.0
#include "words/columns/csv_line.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace grtrace {

static std::string line_of(std::string_view text)
{
	fmt::memory_buffer out;
	CsvLine line(out);

	line.text(text);
	line.end();
	return fmt::to_string(out);
}

TEST(CsvLine, commas_stand_between_values)
{
	fmt::memory_buffer out;
	CsvLine line(out);

	line.text("a");
	line.number(UINT64_MAX);
	line.number(INT32_MIN);
	line.na();
	line.text("");
	line.end();
	EXPECT_EQ(fmt::to_string(out), "a,18446744073709551615,-2147483648,NA,\n");
}

TEST(CsvLine, quotes_what_would_break_the_line)
{
	EXPECT_EQ(line_of("a b;c"), "a b;c\n");
	EXPECT_EQ(line_of("a,b"), "\"a,b\"\n");
	EXPECT_EQ(line_of("say \"x\""), "\"say \"\"x\"\"\"\n");
	EXPECT_EQ(line_of("a\nb"), "\"a\nb\"\n");
	EXPECT_EQ(line_of("a\rb"), "\"a\rb\"\n");
	EXPECT_EQ(line_of("\xff\x01"), "\xff\x01\n");
}

TEST(CsvLine, a_text_is_told_from_a_missing_value)
{
	EXPECT_EQ(line_of("NA"), "\"NA\"\n");
	EXPECT_EQ(line_of("NAN"), "NAN\n");
}

} // namespace grtrace
