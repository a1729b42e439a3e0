// SPDX-License-Identifier: GPL-2.0
#include "grparse/summary.h"

#include "unit/from_text.h"

namespace grtrace {

static std::string summary_of(const char *text, const std::optional<JobTexts> &jobs = {})
{
	auto r = read_text(text);
	Summary summary(r->capture);
	fmt::memory_buffer out;

	for (const Event &event : r->events)
		summary.add(event);
	summary.print(out, jobs);
	return fmt::to_string(out);
}

// A line of a table.
static std::string row(const char *label, int value)
{
	return fmt::format(" {:<13}{:>16}", label, value);
}

static constexpr const char *two_jobs = "cpu none\ninfo start=1000\n"
					"ring id=1 class=1 device=card0 driver=mock name=gfx\n"
					"cpu 0\nsubmit ctx=1 ring=1 seqno=1 ts=1000000\n"
					"submit ctx=1 ring=7 seqno=2 ts=2000000\n"
					"cpu 3\ncomplete ctx=1 ring=1 seqno=1 arg=-5 ts=3000000\n";

TEST(Summary, has_a_table_for_each_that_has_events)
{
	const std::string text = summary_of(two_jobs);

	EXPECT_NE(text.find("CPU0 (memory):\n" + row("Queued:", 2)), std::string::npos) << text;
	EXPECT_EQ(text.find("CPU1"), std::string::npos);
	EXPECT_NE(text.find("Ring 1 gfx (card0, render):\n" + row("Queued:", 1)),
		  std::string::npos);
	EXPECT_NE(text.find("Ring 7 (not described):\n"), std::string::npos);
	EXPECT_NE(text.find("Total (memory):\n"), std::string::npos);
	EXPECT_NE(text.find(row("With error:", 1)), std::string::npos);
	EXPECT_EQ(text.find("Ioctls"), std::string::npos);
}

TEST(Summary, has_programs_first_and_jobs_behind_the_total)
{
	const std::string text =
		summary_of(two_jobs, JobTexts{"PROGRAM\n", "Jobs (memory): 1 completed\n"});

	EXPECT_EQ(text.find("\nPROGRAM\nCPU0"), 0u) << text;
	EXPECT_NE(text.find("\nJobs (memory): 1 completed\nEvents (memory): 3 entries\n"),
		  std::string::npos)
		<< text;
	EXPECT_EQ(text.find("not counted"), std::string::npos);
}

TEST(Summary, jobs_that_were_not_counted_are_not_none)
{
	EXPECT_NE(summary_of(two_jobs).find("\nJobs (memory): not counted without "
					    "grtrace-parse\nEvents (memory): 3 entries\n"),
		  std::string::npos);
}

TEST(Summary, an_event_stands_for_those_that_were_not_recorded)
{
	const std::string text = summary_of("cpu 0\nsampling 4\nsubmit ctx=1 ring=1 seqno=1\n"
					    "complete ctx=1 ring=1 seqno=1\n");

	EXPECT_EQ(text.find("\nSampled 1/4: totals are estimates\n"), 0u) << text;
	EXPECT_NE(text.find(row("Queued:", 4)), std::string::npos);
	EXPECT_NE(text.find("Events (memory): 2 entries"), std::string::npos);
}

} // namespace grtrace
