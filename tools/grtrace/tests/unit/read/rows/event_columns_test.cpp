// SPDX-License-Identifier: GPL-2.0
#include "read/rows/event_columns.h"

#include <set>

#include "unit/from_text.h"

namespace grtrace {

namespace {

// The last event of a capture, by the names of its columns.
std::map<std::string, std::string> row_of(const char *text, uint64_t elapsed = Job::none)
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

} // namespace grtrace
