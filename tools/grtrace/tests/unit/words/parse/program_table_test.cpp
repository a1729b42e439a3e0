// SPDX-License-Identifier: GPL-2.0
#include "words/parse/program_table.h"

#include <sstream>

#include "unit/jobs_from_text.h"

namespace grtrace {

// The rows of a capture's table, each as its words.
static std::vector<std::vector<std::string>> rows_of(const ProgramStyle &style,
						     const std::string &more = "")
{
	auto r = read_jobs("cpu none\ninfo start=0\n"
			   "cpu 0\ntask pid=10 tgid=10 comm=game\ntask pid=11 tgid=10 comm=thread\n"
			   "task pid=20 tgid=20 comm=browser\ntask pid=30 tgid=30 comm=game\n"
			   "submit pid=11 ctx=1 ring=1 seqno=1 ts=1000\n"
			   "submit pid=20 ctx=2 ring=1 seqno=1 ts=2000\n"
			   "submit pid=30 ctx=3 ring=1 seqno=1 ts=3000\n"
			   "commit ctx=1 ring=1 seqno=1 fence=8:1 ts=4000 flags=8\n"
			   "start ctx=1 ring=1 seqno=1 ts=5000 flags=8\n"
			   "wait_enter pid=20 ctx=2 seqno=1 ts=6000\n"
			   "end ctx=1 ring=1 seqno=1 ts=12000 flags=8\n"
			   "complete ctx=1 ring=1 seqno=1 ts=14000 flags=8\n"
			   "wait_exit pid=20 ctx=2 seqno=1 ts=16000\n" +
			   more);
	std::vector<std::vector<std::string>> rows;
	ProgramTable table;
	fmt::memory_buffer out;

	for (const Event &event : r->events)
		table.add(event, r->capture.session());
	for (const Job &job : r->jobs)
		table.add(job, r->capture.session());
	table.print(out, style);
	std::istringstream lines(fmt::to_string(out));
	std::string line, word;
	getline(lines, line); // of titles
	while (getline(lines, line) && !line.empty()) {
		std::istringstream words(line);

		for (rows.emplace_back(); words >> word;)
			rows.back().push_back(word);
	}
	return rows;
}

static std::string order_of(const ProgramStyle &style)
{
	std::string order;

	for (const auto &row : rows_of(style))
		order += row[0] + row[1] + " ";
	return order;
}

TEST(ProgramTable, a_thread_counts_for_its_process)
{
	const auto rows = rows_of({});

	ASSERT_EQ(rows.size(), 3u);
	// Queued, completed, waits, failed; executed, waited and queued us.
	EXPECT_EQ(rows[0],
		  (std::vector<std::string>{"game", "10", "1", "1", "0", "0", "7", "0", "4"}));
	EXPECT_EQ(rows[1], (std::vector<std::string>{"browser", "20", "1", "0", "1", "0", "NA",
						     "10", "NA"}));
}

TEST(ProgramTable, sorts_names_up_and_numbers_down)
{
	ProgramStyle style;

	EXPECT_EQ(order_of(style), "game10 browser20 game30 ");
	ASSERT_TRUE(style.set_sort("N").ok());
	EXPECT_TRUE(style.shown);
	EXPECT_EQ(order_of(style), "browser20 game10 game30 ");
	ASSERT_TRUE(style.set_sort("W").ok());
	EXPECT_EQ(order_of(style), "browser20 game10 game30 ");
	ASSERT_TRUE(style.set_sort("c").ok());
	EXPECT_EQ(order_of(style), "game10 browser20 game30 ");
	EXPECT_FALSE(style.set_sort("qQ").ok());
	EXPECT_FALSE(style.set_sort("").ok());
}

TEST(ProgramTable, programs_of_one_name_can_be_one)
{
	const auto rows = rows_of({.by_name = true});

	ASSERT_EQ(rows.size(), 2u);
	EXPECT_EQ(rows[0],
		  (std::vector<std::string>{"game", "-", "2", "1", "0", "0", "7", "0", "4"}));
}

// The second of the same name was longer until D, the first from there on.
TEST(ProgramTable, of_programs_of_one_name_the_longest_step_counts)
{
	const auto rows = rows_of({.by_name = true, .steps = true},
				  "commit ctx=3 ring=1 seqno=1 fence=9:1 ts=20000 flags=8\n"
				  "complete ctx=3 ring=1 seqno=1 ts=24000 flags=8\n");

	ASSERT_EQ(rows[0].size(), 13u);
	// Q2D and D2C, average and longest, us.
	EXPECT_EQ(rows[0][9] + " " + rows[0][10], "10 17");
	EXPECT_EQ(rows[0][11] + " " + rows[0][12], "7 10");
}

TEST(ProgramTable, steps_are_said_where_they_are_known)
{
	const auto rows = rows_of({.steps = true});

	ASSERT_EQ(rows[0].size(), 13u);
	// Q2D and D2C, average and longest, us.
	EXPECT_EQ(rows[0][9] + " " + rows[0][11], "3 10");
	EXPECT_EQ(rows[2][9] + rows[2][12], "NANA");
}

} // namespace grtrace
