// SPDX-License-Identifier: GPL-2.0
#include "words/columns/json_line.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace grtrace {

static std::string text_of(std::string_view text)
{
	fmt::memory_buffer out;
	JsonLine line(out);

	line.text("k", text);
	line.end();

	const std::string got = fmt::to_string(out);
	EXPECT_EQ(got.substr(0, 6), "{\"k\":\"");
	EXPECT_EQ(got.substr(got.size() - 3), "\"}\n");
	return got.substr(6, got.size() - 9);
}

TEST(JsonLine, an_object_a_line)
{
	fmt::memory_buffer out;
	JsonLine line(out);

	line.number("a", UINT64_MAX);
	line.number("b", INT64_MIN);
	line.null("c");
	line.text("d", "");
	line.end();
	EXPECT_EQ(fmt::to_string(out), "{\"a\":18446744073709551615,\"b\":-9223372036854775808,"
				       "\"c\":null,\"d\":\"\"}\n");
}

TEST(JsonLine, escapes_what_json_has_no_byte_for)
{
	EXPECT_EQ(text_of("a\"b\\c/"), "a\\\"b\\\\c/");
	EXPECT_EQ(text_of("\b\f\n\r\t"), "\\b\\f\\n\\r\\t");
	EXPECT_EQ(text_of(std::string_view("\0\x1f\x7f", 3)), "\\u0000\\u001f\x7f");
}

TEST(JsonLine, keeps_utf8)
{
	for (const char *text :
	     {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
	      "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
	      "a\xe2\x82\xac"
	      "b"})
		EXPECT_EQ(text_of(text), text);
}

TEST(JsonLine, each_byte_that_is_no_utf8_is_replaced)
{
	const std::string bad = "\\ufffd";

	EXPECT_EQ(text_of("a\xff"
			  "b"),
		  "a" + bad + "b");
	EXPECT_EQ(text_of("\x80"), bad);
	// Cut by the end, and by what follows.
	EXPECT_EQ(text_of("\xe2\x82"), bad + bad);
	EXPECT_EQ(text_of("\xe2\x82"
			  "x"),
		  bad + bad + "x");
	// Longer than necessary, a surrogate, beyond the last character.
	EXPECT_EQ(text_of("\xc0\x80"), bad + bad);
	EXPECT_EQ(text_of("\xe0\x9f\xbf"), bad + bad + bad);
	EXPECT_EQ(text_of("\xed\xa0\x80"), bad + bad + bad);
	EXPECT_EQ(text_of("\xf4\x90\x80\x80"), bad + bad + bad + bad);
	EXPECT_EQ(text_of("\xf5\x80"), bad + bad);
}

} // namespace grtrace
