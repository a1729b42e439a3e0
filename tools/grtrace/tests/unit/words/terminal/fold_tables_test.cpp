// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/fold_tables.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(FoldTables, leaves_what_fits)
{
	const char *text = "\nNAME    SUM\ngfx       1\n\n";

	EXPECT_EQ(fold_tables(text, 40), text);
	EXPECT_EQ(fold_tables("", 40), "");
}

TEST(FoldTables, removes_spaces_that_all_lines_have)
{
	EXPECT_EQ(fold_tables("  NAME     FIRST    SECOND\n"
			      "  gfx   1.000 ms  2.000 us\n"
			      "  copy  1.000 ms        NA\n",
			      25),
		  "NAME     FIRST    SECOND\n"
		  "gfx   1.000 ms  2.000 us\n"
		  "copy  1.000 ms        NA\n");
	EXPECT_EQ(fold_tables("NAME     FIRST    SECOND\n"
			      "gfx   1.000 ms  2.000 us\n",
			      22),
		  "NAME    FIRST   SECOND\n"
		  "gfx  1.000 ms 2.000 us\n");
}

TEST(FoldTables, cuts_all_lines_between_the_same_columns)
{
	EXPECT_EQ(fold_tables("Title of a table that is long\n"
			      "NAME        FIRST      SECOND     LAST\n"
			      "gfx      1.000 ms    2.000 us  3.000 s\n"
			      "copy     1.000 ms          NA        -\n",
			      24),
		  "Title of a table that is\n"
		  "    long\n"
		  "NAME     FIRST    SECOND\n"
		  "       LAST\n"
		  "gfx   1.000 ms  2.000 us\n"
		  "    3.000 s\n"
		  "copy  1.000 ms        NA\n"
		  "          -\n");
}

TEST(FoldTables, keeps_a_number_with_its_unit_and_a_drawing_whole)
{
	EXPECT_EQ(fold_tables("it ran for 12.5 ms\n", 16), "it ran for\n    12.5 ms\n");
	EXPECT_EQ(fold_tables("gfx      7  | .  :  # |\n", 16), "gfx  7\n    | .  :  # |\n");
}

TEST(FoldTables, counts_characters)
{
	EXPECT_EQ(fold_tables("gf\xc3\xa4  \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4  end\n", 9),
		  "gf\xc3\xa4  \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n    end\n");
}

// A bar in the name of a process is not a drawing.
TEST(FoldTables, cuts_beside_a_name_with_bars)
{
	EXPECT_EQ(fold_tables("NAME     FIRST    SECOND   THIRD\n"
			      "p0|x  1.000 us  7.470 us  a | b\n"
			      "|     1.000 us  7.470 us      |\n",
			      20),
		  "NAME     FIRST\n"
		  "      SECOND   THIRD\n"
		  "p0|x  1.000 us\n"
		  "    7.470 us  a | b\n"
		  "|     1.000 us\n"
		  "    7.470 us      |\n");
	EXPECT_EQ(fold_tables("gfx      7  | .  :  # | *\n", 17), "gfx  7\n    | .  :  # | *\n");
}

TEST(FoldTables, never_cuts_a_word)
{
	EXPECT_EQ(fold_tables("abcdefghijkl\n", 10), "abcdefghijkl\n");
	EXPECT_EQ(fold_tables("abcdefghijkl mn 12.5 ms\n", 10),
		  "abcdefghijkl\n    mn\n    12.5 ms\n");
	EXPECT_EQ(fold_tables("a bcdefghijkl\n", 10), "a\n    bcdefghijkl\n");
}

// A heading may be empty where the rows begin.
TEST(FoldTables, puts_no_empty_line)
{
	EXPECT_EQ(fold_tables("                   SECOND     LAST\n"
			      "gfx      1.000 ms  2.000 us  3.000 s\n",
			      16),
		  "    SECOND\n"
		  "     LAST\n"
		  "gfx  1.000 ms\n"
		  "    2.000 us\n"
		  "    3.000 s\n");
}

TEST(FoldTables, keeps_the_indent_of_other_lines)
{
	EXPECT_EQ(fold_tables("                    ONE\n\n", 24), "                    ONE\n\n");
	EXPECT_EQ(fold_tables("  a sentence of several words\n"
			      "  NAME  FIRST    SECOND\n"
			      "  gfx       1         2\n",
			      17),
		  "  a sentence of\n"
		  "      several\n"
		  "      words\n"
		  "NAME FIRST SECOND\n"
		  "gfx      1      2\n");
}

} // namespace grtrace
