// SPDX-License-Identifier: GPL-2.0
#include "read/rows/row_printer.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "read/rows/event_columns.h"
#include "unit/from_text.h"

namespace grtrace {

static std::vector<std::string> rows_of(std::string_view text, RowPrinter::Form form)
{
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	const RowPrinter printer(form);
	const Event *event;
	std::vector<std::string> rows;

	capture.open_memory(bytes_of(text, false), true);
	while (capture.next(event) == Next::event) {
		fmt::memory_buffer out;

		printer.print(out, *event, capture.session(), "run");
		rows.push_back(fmt::to_string(out));
	}
	return rows;
}

static constexpr std::string_view notes =
	"cpu none\n"
	"info start=1000\n"
	"ring id=1 class=1 device=card0 driver=mock name=gfx\n"
	"cpu 0\n"
	"task pid=5 tgid=4 comm=load ts=2000\n"
	"lost events=3 notes=1 limited=1 pressure=2 first=2100 last=2900\n"
	"ring id=2 class=9 device=card1 driver=mock name=late\n"
	"message a,b\n"
	"sample n=4 previous=1 reason=1 fill=80\n"
	"unknown type=40 size=16\n";

TEST(RowPrinter, notes_as_csv)
{
	const std::string na = ",NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA";
	const std::vector<std::string> rows = rows_of(notes, RowPrinter::Form::csv);

	ASSERT_EQ(rows.size(), 6u);
	EXPECT_EQ(rows[0], "run,0,0,0,2000,task,mT,5,4,load,NA,NA" + na +
				   ",task 5 is load of process 4" +
				   ",NA,NA,NA,NA,NA,NA,1000,NA,NA,NA,NA,NA,NA"
				   ",NA,NA,NA,NA,NA,NA,NA\n");
	EXPECT_EQ(rows[1].substr(0, 35), "run,0,NA,1,2100,lost,mL,NA,NA,NA,NA");
	EXPECT_NE(rows[1].find(",3,1,2100,2900,1,2,1100,NA"), std::string::npos);
	EXPECT_NE(rows[2].find(",2,late,card1,-,"), std::string::npos);
	EXPECT_NE(rows[3].find(",\"a,b\","), std::string::npos);
	EXPECT_NE(rows[4].find(",NA,NA,4,1,NA,NA,NA,NA,NA,NA,NA,NA,NA\n"), std::string::npos);
	EXPECT_EQ(rows[5].substr(0, 21), "run,0,4,8,6000,40,NA,");
}

TEST(RowPrinter, has_all_columns_on_every_line)
{
	fmt::memory_buffer header;

	RowPrinter(RowPrinter::Form::csv).print_header(header);
	EXPECT_EQ(std::count(header.begin(), header.end(), ',') + 1,
		  static_cast<ptrdiff_t>(event_columns().size()));
	for (const std::string &row : rows_of(notes, RowPrinter::Form::json))
		for (const EventColumn &column : event_columns())
			EXPECT_NE(row.find(fmt::format("\"{}\":", column.name)), std::string::npos);
}

TEST(RowPrinter, a_clock_session_has_no_gseq)
{
	const std::vector<std::string> rows =
		rows_of("cpu none\ninfo start=0 features=0x10\ncpu 0\n"
			"submit ctx=5 ring=1 seqno=1 ts=10\n",
			RowPrinter::Form::csv);

	ASSERT_EQ(rows.size(), 1u);
	EXPECT_EQ(rows[0].substr(0, 22), "run,0,NA,0,10,submit,Q");
}

} // namespace grtrace
