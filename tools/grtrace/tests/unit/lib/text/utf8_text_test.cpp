// SPDX-License-Identifier: GPL-2.0
#include "lib/text/utf8_text.h"

#include <gtest/gtest.h>

namespace grtrace {
namespace {

TEST(Utf8Text, LeavesWhatIsRight)
{
	EXPECT_EQ(utf8_text(""), "");
	EXPECT_EQ(utf8_text("a\x01 \x7f"), "a\x01 \x7f");
	EXPECT_EQ(utf8_text("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(Utf8Text, ReplacesEachByteOfWhatIsNot)
{
	EXPECT_EQ(utf8_text("a\xff"), "a\xef\xbf\xbd");
	// Cut, too long, half of a surrogate pair, beyond the last character.
	EXPECT_EQ(utf8_text("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
	EXPECT_EQ(utf8_text("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd");
	EXPECT_EQ(utf8_text("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	EXPECT_EQ(utf8_length("\xf4\x90\x80\x80"), 0u);
}

TEST(Utf8Text, NothingSteersATerminal)
{
	EXPECT_EQ(printable("gl\xc3\xa4ser \xe2\x82\xac \xf0\x9f\x98\x80"),
		  "gl\xc3\xa4ser \xe2\x82\xac \xf0\x9f\x98\x80");
	EXPECT_EQ(printable("a\033[31m\r\n\t\x7f"), "a?[31m????");
	// C1: the first and the last, and the character after them.
	EXPECT_EQ(printable("\xc2\x80\xc2\x9b\xc2\x9d\xc2\x9f\xc2\xa0"), "????\xc2\xa0");
	// Marks that turn the direction of writing, and separators of lines.
	for (const char *mark :
	     {"\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9",
	      "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9"})
		EXPECT_EQ(printable(mark), "?");
	for (const char *other : {"\xe2\x80\x90", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa"})
		EXPECT_EQ(printable(other), other);
}

TEST(Utf8Text, LinesOfOursKeepTheirForm)
{
	EXPECT_EQ(printable_lines("a\tb\n\nc", false), "a\tb\n\nc");
	EXPECT_EQ(printable_lines("\033[1;31mred\033[m\n", true), "\033[1;31mred\033[m\n");
	EXPECT_EQ(printable_lines("\033[1;31mred\n", false), "?[1;31mred\n");
	// A movement, a title and a colour that is cut are not colours.
	EXPECT_EQ(printable_lines("\033[2Jx\033]2;t\007\033[3", true), "?[2Jx?]2;t??[3");
	EXPECT_EQ(printable_lines("x\xc2\x9b"
				  "1m\r\033",
				  true),
		  "x?1m??");
}

} // namespace
} // namespace grtrace
