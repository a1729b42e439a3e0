// SPDX-License-Identifier: GPL-2.0
//
// The output of a monitor for people and for programs, with more than one table.
#include "words/monitor/monitor_output.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

const std::vector<MonitorTable> tables = {
	{"rings", {"ring", "jobs", "wait_us"}, {{"gfx", 12u, 1.25}}},
	{"processes", {"pid", "comm"}, {{7u, "game"}}},
};

// Two intervals and the summary.
std::string written(MonitorForm form, std::vector<MonitorTable> shown, bool only_summary = false)
{
	MonitorOptions options;

	options.kind = find_monitor("sched");
	options.form = form;
	options.plain = true;
	options.only_summary = only_summary;
	testing::internal::CaptureStdout();

	MonitorOutput output(options);
	output.begin();
	if (!only_summary) {
		output.interval(shown, 1.5, 0);
		output.interval(shown, 2.5, 3);
	}
	output.summary(shown, 2.75, 3);
	EXPECT_TRUE(output.close().ok());
	return testing::internal::GetCapturedStdout();
}

} // namespace

TEST(MonitorOutput, csv_names_the_columns_of_each_of_two_tables)
{
	const std::string once = "time,table,ring,jobs,wait_us\n{0},rings,gfx,12,1.250\n"
				 "time,table,pid,comm\n{0},processes,7,game\n";

	EXPECT_EQ(written(MonitorForm::csv, tables),
		  fmt::format(fmt::runtime(once), "1.500000") +
			  fmt::format(fmt::runtime(once), "2.500000"));
}

TEST(MonitorOutput, csv_names_the_columns_of_one_table_once)
{
	EXPECT_EQ(written(MonitorForm::csv, {tables[0]}), "time,table,ring,jobs,wait_us\n"
							  "1.500000,rings,gfx,12,1.250\n"
							  "2.500000,rings,gfx,12,1.250\n");
}

// The kernel says whatever a program or a driver calls itself.
TEST(MonitorOutput, no_name_in_a_line_can_drive_the_terminal)
{
	const std::string name = "a\x1b[2J\xff";
	const ProbeSpec spec = {"drm", "drm_event", {}, ""};
	MonitorOptions options;
	MonitorEvent event;

	options.kind = find_monitor("sched");
	options.events = options.plain = true;
	event.ts = 2500000000;
	event.cpu = 3;
	event.pid = 7;
	for (const auto &[form, line] : std::vector<std::pair<MonitorForm, std::string>>{
		     {MonitorForm::text, "   1.500000000   3 drm_event                          7 "
					 "a?[2J\xef\xbf\xbd           ring=a?[2J\xef\xbf\xbd\n"},
		     {MonitorForm::json,
		      "{\"ts\":2500000000,\"cpu\":3,\"event\":\"drm_event\",\"pid\":7,\"comm\":"
		      "\"a\\u001b[2J\\ufffd\",\"ring\":\"a\\u001b[2J\\ufffd\"}\n"}}) {
		options.form = form;
		testing::internal::CaptureStdout();
		MonitorOutput output(options);
		output.event(event, 1000000000, spec, name, {{"ring", name}});
		EXPECT_TRUE(output.close().ok());
		EXPECT_EQ(testing::internal::GetCapturedStdout(), line);
	}
}

TEST(MonitorOutput, nor_in_a_table)
{
	const std::string text =
		written(MonitorForm::text, {{"processes", {"pid", "comm"}, {{7u, "a\x1b[2J"}}}});

	EXPECT_EQ(text.find('\x1b'), text.npos);
	EXPECT_NE(text.find("  a?[2J\n"), text.npos) << text;
}

TEST(MonitorOutput, json_has_a_line_for_each_row)
{
	EXPECT_EQ(written(MonitorForm::json, tables, true),
		  "{\"time\":2.750,\"table\":\"rings\",\"ring\":\"gfx\",\"jobs\":12,\"wait_us\":1."
		  "250}\n"
		  "{\"time\":2.750,\"table\":\"processes\",\"pid\":7,\"comm\":\"game\"}\n");
}

TEST(MonitorOutput, text_has_times_and_losses)
{
	const std::string text = written(MonitorForm::text, tables);

	for (const char *part :
	     {"sched  1.5 s  0 lost\n", "sched  2.5 s  3 lost\n",
	      "Summary of sched, 2.8 s, 3 events lost\n", "ring  jobs  wait_us\n", "pid  comm\n"})
		EXPECT_NE(text.find(part), text.npos) << part << " is not in\n" << text;
}

} // namespace grtrace
