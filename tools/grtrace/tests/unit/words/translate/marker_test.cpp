// SPDX-License-Identifier: GPL-2.0
#include "words/translate/marker.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(Marker, TheGrammarOfAtrace)
{
	EXPECT_EQ(marker_message("B|123|draw all"), "mark kind=begin pid=123 name=draw all");
	EXPECT_EQ(marker_message("B|123|a|b"), "mark kind=begin pid=123 name=a|b");
	EXPECT_EQ(marker_message("E|123"), "mark kind=end pid=123");
	EXPECT_EQ(marker_message("E"), "mark kind=end");
	EXPECT_EQ(marker_message("C|123|fps|60"), "mark kind=counter pid=123 value=60 name=fps");
	EXPECT_EQ(marker_message("S|123|draw|7\n"),
		  "mark kind=async_begin pid=123 cookie=7 name=draw");
	EXPECT_EQ(marker_message("F|123|draw|7"), "mark kind=async_end pid=123 cookie=7 name=draw");
	EXPECT_EQ(marker_message("I|123|now"), "mark kind=instant pid=123 name=now");
}

TEST(Marker, TheGrammarOfGpuvis)
{
	EXPECT_EQ(marker_message("WaitGetPoses (lduration=-33)"),
		  "mark kind=span duration=-33 name=WaitGetPoses");
	EXPECT_EQ(marker_message("present (begin_ctx=7)"),
		  "mark kind=async_begin cookie=7 name=present");
	EXPECT_EQ(marker_message("present (end_ctx=7)"),
		  "mark kind=async_end cookie=7 name=present");
}

TEST(Marker, AnythingElseIsText)
{
	EXPECT_EQ(marker_message("B|x|draw"), "mark kind=text name=B|x|draw");
	EXPECT_EQ(marker_message("C|1|fps"), "mark kind=text name=C|1|fps");
	EXPECT_EQ(marker_message("frame 7"), "mark kind=text name=frame 7");
	EXPECT_EQ(marker_message(""), "mark kind=text name=");
	EXPECT_EQ(marker_message("x (duration=y)"), "mark kind=text name=x (duration=y)");
}

TEST(Marker, ItsPlaceInTheKernelIsNoPartOfIt)
{
	EXPECT_EQ(marker_line("tracing_mark_write: B|1|x"), "B|1|x");
	EXPECT_EQ(marker_line("B|1|x"), "B|1|x");
	EXPECT_TRUE(is_marker("print"));
	EXPECT_TRUE(is_marker("tracing_mark_write"));
	EXPECT_FALSE(is_marker("drm_run_job"));
}

} // namespace grtrace
