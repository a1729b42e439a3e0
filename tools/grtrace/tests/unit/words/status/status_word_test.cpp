// SPDX-License-Identifier: GPL-2.0
#include "words/status/status_word.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

std::string shown(const std::string &name, const std::string &csv)
{
	CsvTable table;
	Status status = parse_csv(csv, &table);

	EXPECT_TRUE(status.ok()) << status.sentence();
	return view_text(name, table);
}

} // namespace

TEST(Overview, BoundsAreBars)
{
	EXPECT_EQ(shown("latency_hist", "lt_64,lt_128,lt_256,ge_256\n"
					"0,80,1,20\n"),
		  "hooks, by the time they took\n"
		  "    < 64 ns   0\n"
		  "   < 128 ns  80  ########################################\n"
		  "   < 256 ns   1  #\n"
		  "  >= 256 ns  20  ##########\n");
}

TEST(Overview, OutcomesAreBars)
{
	EXPECT_EQ(shown("result_hist", "result,events\nwritten,4\nfiltered,2\n"),
		  "events offered, by their outcome\n"
		  "   written  4  ########################################\n"
		  "  filtered  2  ####################\n");
}

TEST(Overview, AnEmptyHistogramSaysWhy)
{
	EXPECT_NE(shown("latency_hist", "lt_64,ge_64\n0,0\n").find("grtrace config profile=1"),
		  std::string::npos);
}

TEST(Overview, OtherViewsAreColumns)
{
	EXPECT_EQ(shown("pc_cseq", "cpu,cseq\n0,1234567\n"), "cpu  cseq\n0    1234567\n");
}

TEST(Overview, AlignedColumns)
{
	CsvTable table;

	ASSERT_TRUE(parse_csv("id,name\n1,long name\n100,x\n", &table).ok());
	EXPECT_EQ(view_text("rings", table), "id   name\n"
					     "1    long name\n"
					     "100  x\n");
}

} // namespace grtrace
