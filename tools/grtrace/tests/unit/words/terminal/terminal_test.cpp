// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/terminal.h"

#include <gtest/gtest.h>

namespace grtrace {

static Terminal automatic(const TerminalFacts &facts)
{
	return Terminal(facts, ColourWhen::automatic, 0);
}

TEST(Terminal, takes_what_was_chosen_before_all_else)
{
	TerminalFacts facts;

	facts.columns = "60";
	facts.window = 132;
	EXPECT_EQ(Terminal(facts, ColourWhen::automatic, 99).width, 99u);
	EXPECT_EQ(automatic(facts).width, 60u);
	facts.columns = nullptr;
	facts.is_terminal = true;
	EXPECT_EQ(automatic(facts).width, 132u);
	EXPECT_TRUE(automatic(facts).has_width);
	EXPECT_TRUE(Terminal(facts, ColourWhen::automatic, 99).has_width);
	facts.window = 0;
	EXPECT_EQ(automatic(facts).width, 80u);
	EXPECT_FALSE(automatic(facts).has_width);
}

// COLUMNS is also exported where the output is a file, which wants whole rows.
TEST(Terminal, has_a_width_of_COLUMNS_only_on_a_terminal)
{
	TerminalFacts facts;

	facts.columns = "60";
	EXPECT_FALSE(automatic(facts).has_width);
	EXPECT_TRUE(Terminal(facts, ColourWhen::automatic, 99).has_width);
	facts.is_terminal = true;
	EXPECT_TRUE(automatic(facts).has_width);
	EXPECT_EQ(automatic(facts).width, 60u);
}

TEST(Terminal, takes_no_width_that_is_none)
{
	TerminalFacts facts;

	facts.window = 132;
	for (const char *columns : {"wide", "80x24", "-80", "0", ""}) {
		facts.columns = columns;
		EXPECT_EQ(automatic(facts).width, 132u) << columns;
	}
	facts.columns = "3";
	EXPECT_EQ(automatic(facts).width, Terminal::min_width);
	facts.columns = "4000000000";
	EXPECT_EQ(automatic(facts).width, Terminal::max_width);
}

TEST(Terminal, has_colours_only_on_a_terminal)
{
	TerminalFacts facts;

	facts.term = "xterm";
	EXPECT_FALSE(automatic(facts).colour);
	facts.is_terminal = true;
	EXPECT_TRUE(automatic(facts).colour);
	facts.term = "dumb";
	EXPECT_FALSE(automatic(facts).colour);
	facts.term = nullptr;
	EXPECT_FALSE(automatic(facts).colour);
}

TEST(Terminal, respects_no_color_unless_told_otherwise)
{
	TerminalFacts facts;

	facts.term = "xterm";
	facts.is_terminal = true;
	facts.no_color = "1";
	EXPECT_FALSE(automatic(facts).colour);
	EXPECT_TRUE(Terminal(facts, ColourWhen::always, 0).colour);
	facts.no_color = nullptr;
	EXPECT_FALSE(Terminal(facts, ColourWhen::never, 0).colour);
}

TEST(Terminal, knows_utf8_by_the_locale)
{
	TerminalFacts facts;

	EXPECT_FALSE(automatic(facts).utf8);
	for (const char *locale : {"C.UTF-8", "de_DE.utf8@euro", "en_US.UTF8"}) {
		facts.locale = locale;
		EXPECT_TRUE(automatic(facts).utf8) << locale;
	}
	for (const char *locale : {"C", "de_DE.ISO-8859-15", "POSIX"}) {
		facts.locale = locale;
		EXPECT_FALSE(automatic(facts).utf8) << locale;
	}
}

TEST(Terminal, refuses_options_that_mean_nothing)
{
	ColourWhen when = ColourWhen::automatic;
	unsigned int width = 0;

	EXPECT_TRUE(parse_colour("never", when).ok());
	EXPECT_EQ(when, ColourWhen::never);
	EXPECT_FALSE(parse_colour("red", when).ok());
	EXPECT_TRUE(parse_width("100", width).ok());
	EXPECT_EQ(width, 100u);
	for (const char *text : {"39", "1001", "100x", "", "-50"})
		EXPECT_FALSE(parse_width(text, width).ok()) << text;
}

} // namespace grtrace
