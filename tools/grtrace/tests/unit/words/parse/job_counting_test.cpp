// SPDX-License-Identifier: GPL-2.0
#include "words/parse/job_counting.h"

#include "unit/from_text.h"

namespace grtrace {

// Counts a capture's jobs; events of this type are not shown.
static JobTexts texts_of(const char *text, const ProgramStyle &style = {}, int hidden = -1)
{
	auto r = read_text(text);
	JobCounting counting(style, {});

	counting.add(r->capture);
	for (const Event &event : r->events) {
		counting.feed(event, true);
		if (event.type != hidden)
			counting.show(event);
		EXPECT_EQ(counting.elapsed(0), no_time);
	}
	return counting.texts(0);
}

static constexpr const char *two_jobs = "cpu 0\nsubmit ctx=1 ring=1 seqno=1 ts=1000000\n"
					"submit ctx=1 ring=7 seqno=2 ts=2000000\n"
					"complete ctx=1 ring=1 seqno=1 arg=-5 ts=3000000\n";

TEST(JobCounting, counts_jobs_and_says_how_fast_they_were_done)
{
	const JobTexts texts = texts_of(two_jobs);

	EXPECT_EQ(texts.totals, "\nThroughput: 500.0 jobs/s\n"
				"Jobs (memory): 1 completed, 1 incomplete\n");
	EXPECT_EQ(texts.programs, "");
	EXPECT_EQ(texts_of("cpu 0\nsubmit ctx=1 seqno=1\n").totals.find("\nThroughput: - jobs/s\n"),
		  0u);
	// The time is of what is shown.
	EXPECT_EQ(
		texts_of(two_jobs, {}, GRTRACE_COMPLETE).totals.find("\nThroughput: 1000.0 jobs/s"),
		0u);
}

TEST(JobCounting, a_job_stands_for_those_that_were_not_recorded)
{
	const JobTexts texts = texts_of("cpu 0\nsubmit ctx=1 ring=1 seqno=9\nsampling 4\n"
					"sample n=4 previous=1 reason=1 fill=80\n"
					"submit ctx=1 ring=1 seqno=1\n"
					"complete ctx=1 ring=1 seqno=1\n");

	EXPECT_NE(
		texts.totals.find("): 4 completed, 0 incomplete, 1 cut by a change of sampling\n"),
		std::string::npos)
		<< texts.totals;
}

// A program's events are those that are shown, its jobs are all.
TEST(JobCounting, programs_where_they_are_wanted)
{
	const std::string all = texts_of(two_jobs, {.shown = true}).programs;
	const std::string hidden = texts_of(two_jobs, {.shown = true}, GRTRACE_SUBMIT).programs;
	const std::string row = fmt::format("\n{:<16} {:>7} {:>12} {:>12}", "?", 0, 2, 1);

	EXPECT_EQ(all.find("PROGRAM "), 0u);
	EXPECT_NE(all.find(row), std::string::npos) << all;
	EXPECT_EQ(hidden.find(row), std::string::npos) << hidden;
}

TEST(JobCounting, a_step_takes_time)
{
	auto r = read_text(two_jobs);
	JobCounting counting({}, {.shown = true});

	counting.add(r->capture);
	counting.feed(r->events[0], true);
	EXPECT_EQ(counting.elapsed(0), no_time);
	Event pick = r->events[0];
	pick.type = GRTRACE_PICK;
	pick.ts += 300;
	counting.feed(pick, true);
	EXPECT_EQ(counting.elapsed(0), 300u);
}

// Steps before an interval count for times, but not for sums.
TEST(JobCounting, times_are_of_all_events_and_sums_of_those_that_count)
{
	auto r = read_text(two_jobs);
	JobCounting counting({}, {.shown = true, .apart = true});

	counting.add(r->capture);
	counting.feed(r->events[0], false);
	counting.feed(r->events[1], true);
	Event pick = r->events[0];
	pick.type = GRTRACE_PICK;
	pick.ts += 300;
	counting.feed(pick, false);
	EXPECT_EQ(counting.elapsed(0), 300u);
	EXPECT_NE(counting.texts(0).totals.find("): 0 completed, 1 incomplete\n"),
		  std::string::npos);
}

// Returns the time of the END, on a ring that reports a START, which may be lost.
static uint64_t end_after(const std::vector<Gap> &gaps)
{
	auto r = read_text(
		"cpu 0\nstart ctx=1 ring=1 seqno=1 ts=1000\n"
		"end ctx=1 ring=1 seqno=1 ts=1100\n"
		"commit ctx=1 ring=1 seqno=2 ts=1200\nend ctx=1 ring=1 seqno=2 ts=1900\n");
	JobCounting counting({}, {.shown = true});

	counting.add(r->capture);
	for (const Event &event : r->events) {
		if (event.type == GRTRACE_END && event.seqno == 2)
			counting.lose(0, gaps);
		counting.feed(event, true);
	}
	return counting.elapsed(0);
}

TEST(JobCounting, after_a_loss_a_step_is_not_assumed)
{
	EXPECT_EQ(end_after({}), 700u);
	EXPECT_EQ(end_after({{1300, 1400, 0, 1}}), no_time);
}

} // namespace grtrace
