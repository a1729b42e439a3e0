// SPDX-License-Identifier: GPL-2.0
#include "drive/control/views.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(Views, NumberFillsTheWholeText)
{
	uint64_t number = 0;

	EXPECT_TRUE(parse_number("18446744073709551615", &number));
	EXPECT_EQ(number, UINT64_MAX);
	EXPECT_FALSE(parse_number("18446744073709551616", &number));
	EXPECT_FALSE(parse_number("", &number));
	EXPECT_FALSE(parse_number("-1", &number));
	EXPECT_FALSE(parse_number("+1", &number));
	EXPECT_FALSE(parse_number("1 ", &number));
	EXPECT_FALSE(parse_number("0x1", &number));
}

TEST(Views, NamedValues)
{
	const std::vector<NamedText> named =
		parse_named("offered 12\nwritten 10\nbad\nname a b\n", ' ');

	ASSERT_EQ(named.size(), 3u);
	EXPECT_EQ(named_number(named, "offered"), 12u);
	EXPECT_EQ(named_number(named, "absent"), 0u);
	EXPECT_EQ(named_number(named, "name"), 0u);
	EXPECT_EQ(*find_named(named, "name"), "a b");
	EXPECT_EQ(find_named(named, "bad"), nullptr);
}

TEST(Views, CsvKeepsEmptyFields)
{
	CsvTable table;

	ASSERT_TRUE(parse_csv("a,b,c\n1,,3\n\n4,5,\n", &table).ok());
	ASSERT_EQ(table.rows.size(), 2u);
	EXPECT_EQ(table.rows[0], (std::vector<std::string>{"1", "", "3"}));
	EXPECT_EQ(table.rows[1], (std::vector<std::string>{"4", "5", ""}));
}

TEST(Views, CsvNamesTheLineThatIsNotAsWide)
{
	CsvTable table;
	Status status = parse_csv("a,b\n1,2\n1,2,3\n", &table);

	ASSERT_FALSE(status.ok());
	EXPECT_EQ(status.sentence(), "line 3 has 3 fields, the header has 2");
	EXPECT_FALSE(parse_csv("", &table).ok());
}

TEST(Views, CpuStatsByTheNamesOfTheHeader)
{
	std::vector<CpuCounts> counts;
	Status status = parse_cpu_stats("cpu,new,bytes,lost_notes,lost,notes,written,offered\n"
					"3,99,6,5,4,3,2,1\n",
					&counts);

	ASSERT_TRUE(status.ok()) << status.sentence();
	ASSERT_EQ(counts.size(), 1u);
	EXPECT_EQ(counts[0].cpu, 3u);
	EXPECT_EQ(counts[0].offered, 1u);
	EXPECT_EQ(counts[0].written, 2u);
	EXPECT_EQ(counts[0].notes, 3u);
	EXPECT_EQ(counts[0].lost, 4u);
	EXPECT_EQ(counts[0].lost_notes, 5u);
	EXPECT_EQ(counts[0].bytes, 6u);
}

TEST(Views, CpuStatsThatAreMissingAreNotZero)
{
	std::vector<CpuCounts> counts;
	Status status = parse_cpu_stats("cpu,offered\n0,1\n", &counts);

	ASSERT_FALSE(status.ok());
	EXPECT_EQ(status.sentence(), "no column written");
	status = parse_cpu_stats("cpu,offered,written,notes,lost,lost_notes,"
				 "bytes\n0,1,x,0,0,0,0\n",
				 &counts);
	ASSERT_FALSE(status.ok());
	EXPECT_EQ(status.sentence(), "column written: 'x' is not a number");
}

} // namespace grtrace
