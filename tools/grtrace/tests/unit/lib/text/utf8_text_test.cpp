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

} // namespace
} // namespace grtrace
