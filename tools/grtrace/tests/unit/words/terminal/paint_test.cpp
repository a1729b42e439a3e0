// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/paint.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(Paint, leaves_out_spaces_at_the_end_of_a_line)
{
	fmt::memory_buffer out;
	Paint paint(out, false);

	paint.put("a  ");
	paint.put(" b ", Colour::red);
	paint.put("  ");
	paint.end_line();
	paint.put("   ");
	paint.end_line();
	EXPECT_EQ(fmt::to_string(out), "a   b\n\n");
}

TEST(Paint, writes_a_colour_where_it_changes)
{
	fmt::memory_buffer out;
	Paint paint(out, true);

	paint.put("a", Colour::red);
	paint.put("b ", Colour::red);
	paint.put("c");
	paint.put("d", Colour::bold);
	paint.end_line();
	EXPECT_EQ(fmt::to_string(out), "\033[0;31mab \033[mc\033[0;1md\033[m\n");
}

TEST(Paint, fits_a_text_into_columns)
{
	EXPECT_EQ(fit("abc", 5), "abc  ");
	EXPECT_EQ(fit("abc", 2), "ab");
	EXPECT_EQ(fit("", 2), "  ");
	// Two bytes, one column.
	EXPECT_EQ(fit("bär", 2), "bä");
	EXPECT_EQ(fit("bär", 4), "bär ");
	// No text at all, but bytes.
	EXPECT_EQ(fit("\xff\x80\x80", 2), "\xff\x80\x80 ");
}

TEST(Paint, wraps_phrases)
{
	EXPECT_EQ(wrap({"one", "two", "three"}, 9),
		  (std::vector<std::string>{"one, two,", "three"}));
	EXPECT_EQ(wrap({"longer than that"}, 6), (std::vector<std::string>{"longer"}));
}

TEST(Paint, fits_whole_parts)
{
	const std::string text = "  12 jobs, depth to 11.5, 2 failed  A 1 %";

	EXPECT_EQ(fit_parts(text, 100), text);
	EXPECT_EQ(fit_parts(text, text.size()), text);
	EXPECT_EQ(fit_parts(text, text.size() - 1), "  12 jobs, depth to 11.5, 2 failed");
	EXPECT_EQ(fit_parts(text, 33), "  12 jobs, depth to 11.5");
	EXPECT_EQ(fit_parts(text, 9), "  12 jobs");
	EXPECT_EQ(fit_parts(text, 8), "");
	EXPECT_EQ(fit_parts(text, 0), "");
}

TEST(Paint, draws_a_bar_of_the_parts_length)
{
	EXPECT_EQ(bar(0, 8, false), "");
	EXPECT_EQ(bar(0.5, 8, false), "####");
	EXPECT_EQ(bar(1, 8, false), "########");
	EXPECT_EQ(bar(7, 8, false), "########");
	EXPECT_EQ(bar(0.5, 1, true), "▌");
	EXPECT_EQ(bar(0.75, 2, true), "█▌");
	// Existing characters show.
	EXPECT_EQ(bar(0.0001, 8, false), "#");
	EXPECT_EQ(bar(0.0001, 8, true), "▏");
}

} // namespace grtrace
