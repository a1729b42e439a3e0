// SPDX-License-Identifier: GPL-2.0
#include "words/rows/event_columns.h"

#include <algorithm>
#include <set>

#include "unit/from_text.h"

namespace grtrace {

namespace {

// The last event of a capture, by the names of its columns.
std::map<std::string, std::string> row_of(const char *text, uint64_t elapsed = no_time)
{
	auto bytes = bytes_of(text, false);
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	std::map<std::string, std::string> row;
	const Event *event;

	capture.open_memory(bytes, true);
	while (capture.next(event) == Next::event) {
		EventRow of(*event, capture.session(), capture.name(), elapsed);

		for (const EventColumn &column : event_columns()) {
			fmt::memory_buffer out;

			print_csv(out, {&column, 1}, of);
			row[column.name] = fmt::to_string(out).substr(0, out.size() - 1);
		}
	}
	return row;
}

} // namespace

TEST(EventColumns, each_name_is_there_once_and_in_the_help)
{
	std::set<std::string> names;
	const std::string help = describe_event_columns();

	for (const EventColumn &column : event_columns()) {
		EXPECT_TRUE(names.insert(column.name).second) << column.name;
		EXPECT_NE(help.find(column.name), std::string::npos) << column.name;
	}
}

TEST(EventColumns, of_a_job)
{
	auto row = row_of("cpu none\ninfo start=1000\n"
			  "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
			  "cpu 2\ntask pid=7 tgid=6 comm=game\n"
			  "commit pid=7 ctx=5 ring=1 seqno=9 fence=8:1 ts=3000\n",
			  250);

	EXPECT_EQ(row["type"], "commit");
	EXPECT_EQ(row["letter"], "D");
	EXPECT_EQ(row["cpu"], "2");
	EXPECT_EQ(row["time"], "2000");
	EXPECT_EQ(row["comm"], "game");
	EXPECT_EQ(row["tgid"], "6");
	EXPECT_EQ(row["engine"], "render");
	EXPECT_EQ(row["fence_ctx"], "8");
	EXPECT_EQ(row["code"], "NA");
	EXPECT_EQ(row["elapsed"], "250");
	EXPECT_EQ(row["cmd"], "NA");
}

TEST(EventColumns, of_a_client)
{
	auto row = row_of("cpu 2\nsubmit ctx=5 seqno=1 client=18446744073709551615 arg=3\n");

	EXPECT_EQ(row["client"], "18446744073709551615");
	EXPECT_EQ(row["priority"], "2");
	EXPECT_EQ(row["command"], "NA");
	row = row_of("cpu 0\nsubmit ctx=5 seqno=1\n");
	EXPECT_EQ(row["client"], "NA");
	EXPECT_EQ(row["priority"], "NA");
}

TEST(EventColumns, of_a_command)
{
	auto row = row_of("cpu 0\nsubmit ctx=5 seqno=1 command=519 fence=6:7\n");

	EXPECT_EQ(row["command"], "519");
	EXPECT_EQ(row["fence_ctx"], "6");
	EXPECT_EQ(row["fence_seqno"], "7");
	EXPECT_EQ(row_of("cpu 0\nsubmit ctx=5 seqno=1 command=519\n")["fence_ctx"], "NA");
	row = row_of("cpu 0\nend ctx=5 seqno=1 response=2147483649\n");
	EXPECT_EQ(row["command"], "2147483649");
	EXPECT_EQ(row["fence_ctx"], "NA");
	EXPECT_EQ(row_of("cpu 0\nend ctx=5 seqno=1\n")["command"], "NA");
}

TEST(EventColumns, of_a_queue)
{
	auto row = row_of("cpu 2\nqueue_state pid=7 ctx=5 state=1 reason=10 client=12\n");

	EXPECT_EQ(row["type"], "queue_state");
	EXPECT_EQ(row["letter"], "QS");
	EXPECT_EQ(row["ctx"], "5");
	EXPECT_EQ(row["state"], "on");
	EXPECT_EQ(row["reason"], "isolated");
	EXPECT_EQ(row["client"], "12");
	EXPECT_EQ(row["fence_ctx"], "NA");
	row = row_of("cpu 2\nqueue_state ctx=5\n");
	EXPECT_EQ(row["state"], "off");
	EXPECT_EQ(row["reason"], "unknown");
	EXPECT_EQ(row["client"], "NA");
	EXPECT_EQ(row_of("cpu 0\nsubmit ctx=1 seqno=1\n")["state"], "NA");
	EXPECT_EQ(row_of("cpu 0\nsubmit ctx=1 seqno=1\n")["reason"], "NA");
}

TEST(EventColumns, of_a_name_of_fences)
{
	auto row =
		row_of("cpu 2\nfence_name pid=7 ctx=0x300000009 driver=nvidia timeline=prime:1\n");

	EXPECT_EQ(row["type"], "fence_name");
	EXPECT_EQ(row["letter"], "FN");
	EXPECT_EQ(row["ctx"], "12884901897");
	EXPECT_EQ(row["driver"], "nvidia");
	EXPECT_EQ(row["timeline"], "prime:1");
	EXPECT_EQ(row["text"], "context 12884901897 has fences of nvidia (prime:1)");
	EXPECT_EQ(row_of("cpu 0\nsubmit ctx=1 seqno=1\n")["timeline"], "NA");
	row = row_of("cpu 2\nfence_name ctx=9 driver=a\x1b[2J timeline=b\x1b[2J\n");
	EXPECT_EQ(row["driver"], "a?[2J");
	EXPECT_EQ(row["timeline"], "b?[2J");
}

TEST(EventColumns, of_an_error)
{
	auto row = row_of("cpu 2\nerror ctx=5 ring=1 seqno=1 kind=1 code=-110 guilty=1234 "
			  "comm=game.exe text=gfx_timeout\n");

	EXPECT_EQ(row["code"], "-110");
	EXPECT_EQ(row["guilty_pid"], "1234");
	EXPECT_EQ(row["guilty_comm"], "game.exe");
	EXPECT_EQ(row["error_text"], "gfx_timeout");
	EXPECT_EQ(row["text"], "NA");
	row = row_of("cpu 2\nerror comm=a\x1b[2J text=b\x1b[2J\n");
	EXPECT_EQ(row["guilty_pid"], "NA");
	EXPECT_EQ(row["guilty_comm"], "a?[2J");
	EXPECT_EQ(row["error_text"], "b?[2J");
	row = row_of("cpu 2\nerror code=-5\n");
	EXPECT_EQ(row["guilty_comm"], "NA");
	EXPECT_EQ(row["error_text"], "NA");
}

TEST(EventColumns, of_the_end_of_a_wait)
{
	EXPECT_EQ(row_of("cpu 0\nwait_exit ctx=5 seqno=1 arg=-62\n")["code"], "-62");
	EXPECT_EQ(row_of("cpu 0\nwait_exit ctx=5 seqno=1\n")["code"], "NA");
	EXPECT_EQ(row_of("cpu 0\nwait_enter ctx=5 seqno=1 arg=-62\n")["code"], "NA");
}

TEST(EventColumns, of_a_cgroup)
{
	EXPECT_EQ(row_of("cpu 0\ntask pid=7 comm=game cgroup=77\n")["cgroup"], "77");
	EXPECT_EQ(row_of("cpu 0\ntask pid=7 comm=game\n")["cgroup"], "NA");
	EXPECT_EQ(row_of("cpu 0\nerror guilty=7\n")["cgroup"], "NA");
}

TEST(EventColumns, of_a_loss)
{
	auto row = row_of("cpu 0\nsubmit ctx=1 seqno=1\n"
			  "lost events=3 notes=2 limited=1 first=10 last=20\n");

	EXPECT_EQ(row["type"], "lost");
	EXPECT_EQ(row["gseq"], "NA");
	EXPECT_EQ(row["events"], "3");
	EXPECT_EQ(row["notes"], "2");
	EXPECT_EQ(row["limited"], "1");
	EXPECT_EQ(row["ctx"], "NA");
	EXPECT_EQ(row["pid"], "NA");
}

TEST(EventColumns, of_a_type_that_nobody_knows)
{
	EXPECT_EQ(row_of("cpu 0\nunknown type=20 size=48\n")["type"], "20");
	EXPECT_EQ(
		row_of("cpu none\nmeta event 20 warp W\ncpu 0\nunknown type=20 size=48\n")["type"],
		"warp");
}

static std::vector<std::string> rows_of(std::string_view text, RowForm form)
{
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	const Event *event;
	std::vector<std::string> rows;

	capture.open_memory(bytes_of(text, false), true);
	while (capture.next(event) == Next::event) {
		fmt::memory_buffer out;

		EventRow row(*event, capture.session(), "run", no_time);
		if (form == RowForm::csv)
			print_csv(out, event_columns(), row);
		else
			print_json(out, event_columns(), row);
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

TEST(EventColumns, notes_as_csv)
{
	const std::string na = ",NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA";
	const std::vector<std::string> rows = rows_of(notes, RowForm::csv);

	ASSERT_EQ(rows.size(), 6u);
	EXPECT_EQ(rows[0], "run,0,0,0,2000,task,mT,5,4,load,NA,NA" + na +
				   ",task 5 is load of process 4" +
				   ",NA,NA,NA,NA,NA,NA,1000,NA,NA,NA,NA,NA,NA"
				   ",NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA\n");
	EXPECT_EQ(rows[1].substr(0, 35), "run,0,NA,1,2100,lost,mL,NA,NA,NA,NA");
	EXPECT_NE(rows[1].find(",3,1,2100,2900,1,2,1100,NA"), std::string::npos);
	EXPECT_NE(rows[2].find(",2,late,card1,-,"), std::string::npos);
	EXPECT_NE(rows[3].find(",\"a,b\","), std::string::npos);
	EXPECT_NE(rows[4].find(",NA,NA,4,1" + na + ",NA,NA,NA,NA,NA,NA\n"), std::string::npos);
	EXPECT_EQ(rows[5].substr(0, 21), "run,0,4,8,6000,40,NA,");
}

TEST(EventColumns, has_all_columns_on_every_line)
{
	fmt::memory_buffer header;

	print_csv_header(header, event_columns());
	EXPECT_EQ(std::count(header.begin(), header.end(), ',') + 1,
		  static_cast<ptrdiff_t>(event_columns().size()));
	for (const std::string &row : rows_of(notes, RowForm::json))
		for (const EventColumn &column : event_columns())
			EXPECT_NE(row.find(fmt::format("\"{}\":", column.name)), std::string::npos);
}

} // namespace grtrace
