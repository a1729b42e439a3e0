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

TEST(CsvLine, numbers_of_every_length)
{
	fmt::memory_buffer out;
	CsvLine line(out);
	std::string want;
	uint64_t number = 1;

	for (int digits = 1; digits <= 20; digits++, number *= 10) {
		for (const uint64_t one : {number - 1, number, number + 10203}) {
			line.number(one);
			want += std::to_string(one) + ",";
		}
	}
	for (const int64_t one : {INT64_MIN, INT64_MIN + 1, int64_t(-10), int64_t(-9), INT64_MAX}) {
		line.number(one);
		want += std::to_string(one) + ",";
	}
	line.number(UINT64_MAX);
	EXPECT_EQ(fmt::to_string(out), want + "18446744073709551615");
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
