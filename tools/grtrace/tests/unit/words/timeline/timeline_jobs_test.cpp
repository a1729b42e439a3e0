// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_jobs.h"

#include <random>
#include <sstream>

#include "unit/from_text.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

namespace {

// The rows that are drawn; the bars are 40 columns wide when the names are as
// short as here.
struct Drawn {
	explicit Drawn(const std::string &jobs, TimelineChoice chosen = {}, size_t limit = 100)
		: choice(chosen), diagnostics([](const std::string &) {}), capture(diagnostics),
		  view(limit, terminal, choice, 0, capture), tracker(view, &view)
	{
		const Event *event;
		uint64_t last = 0;

		capture.open_memory(bytes_of("info start=1000\n"
					     "ring id=1 class=1 device=card0 driver=mock "
					     "name=gfx\n"
					     "cpu 0\n"
					     "task pid=7 tgid=7 comm=one ts=1000\n"
					     "task pid=8 tgid=8 comm=two ts=1000\n" +
						     jobs,
					     false),
				    true);
		while (capture.next(event) == Next::event) {
			if (event->is_event())
				last = std::max(last, event->ts);
			view.event(*event);
			tracker.feed(*event);
		}
		view.end(last);
		tracker.finish();
		fmt::memory_buffer out;
		view.print(out);
		text = fmt::to_string(out);
		std::istringstream in(text);
		for (std::string line; std::getline(in, line);)
			lines.push_back(line);
	}

	static Terminal wide() { return Terminal(TerminalFacts(), ColourWhen::never, 73); }

	Terminal terminal = wide();
	TimelineChoice choice;
	Diagnostics diagnostics;
	Capture capture;
	TimelineJobs view;
	JobTracker tracker;
	std::string text;
	Lines lines;
};

// 40 ns: one for each column.
const char three_jobs[] = "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			  "submit pid=8 ctx=6 ring=1 seqno=1 ts=1002\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=5:1 ts=1004\n"
			  "pick ctx=5 ring=1 seqno=1 ts=1005\n"
			  "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1007\n"
			  "start ctx=5 ring=1 seqno=1 ts=1010\n"
			  "end ctx=5 ring=1 seqno=1 ts=1020\n"
			  "pick ctx=6 ring=1 seqno=1 ts=1022\n"
			  "start ctx=6 ring=1 seqno=1 ts=1025\n"
			  "complete ctx=5 ring=1 seqno=1 ts=1025\n"
			  "submit pid=7 ctx=5 ring=1 seqno=2 ts=1030\n"
			  "end ctx=6 ring=1 seqno=1 ts=1035\n"
			  "complete ctx=6 ring=1 seqno=1 arg=-5 ts=1040\n";

} // namespace

TEST(TimelineJobs, draws_what_each_job_did_when)
{
	Drawn drawn(three_jobs);

	ASSERT_GE(drawn.lines.size(), 6u) << drawn.text;
	EXPECT_EQ(drawn.lines[0], "memory: 3 of 3 jobs, in ns since the start");
	EXPECT_EQ(drawn.lines[1], "CTX:SEQNO COMM RING       TOTAL  "
				  "0    5    10   15   20   25   30   35");
	EXPECT_EQ(drawn.lines[2], "                                 "
				  "|----|----|----|----|----|----|----|----");
	EXPECT_EQ(drawn.lines[3], "5:1       one  gfx        25 ns  "
				  "-----=====##########>>>>>");
	EXPECT_EQ(drawn.lines[4], "6:1       two  gfx        38 ns  "
				  "  --xxxxxxxxxxxxxxxxxx===##########>>>>!");
	// Queued at the end of the capture.
	EXPECT_EQ(drawn.lines[5], "5:2       one  gfx           NA  "
				  "                              ----------");
}

TEST(TimelineJobs, shows_the_first_of_those_that_are_chosen)
{
	TimelineChoice choice;

	EXPECT_EQ(Drawn(three_jobs, {}, 1).lines[0], "memory: 1 of 3 jobs, in ns since the start");
	EXPECT_EQ(Drawn(three_jobs, {}, 1).lines[3].substr(0, 3), "5:1");
	ASSERT_TRUE(choice.jobs.add_contexts("6").ok());
	Drawn drawn(three_jobs, choice);
	EXPECT_EQ(drawn.lines[0], "memory: 1 of 1 jobs, in ns since the start");
	EXPECT_EQ(drawn.lines[3].substr(0, 3), "6:1");
}

TEST(TimelineJobs, cuts_jobs_at_the_interval)
{
	TimelineChoice choice;

	// From 6 to 26 ns: of a job that began before and one that continues.
	ASSERT_TRUE(choice.time.set_interval("0.000000006:0.000000026").ok());
	Drawn drawn(three_jobs, choice);
	ASSERT_GE(drawn.lines.size(), 5u) << drawn.text;
	EXPECT_EQ(drawn.lines[0], "memory: 2 of 2 jobs, in ns since the start");
	// At least a nanosecond for each column.
	EXPECT_EQ(drawn.lines[3].substr(33), "====##########>>>>>");
}

TEST(TimelineJobs, does_not_know_what_a_loss_hid)
{
	Drawn drawn("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
		    "lost events=3 first=1010 last=1019\n"
		    "pick ctx=5 ring=1 seqno=1 ts=1020\n"
		    "submit pid=7 ctx=5 ring=1 seqno=2 ts=1039\n"
		    "complete ctx=5 ring=1 seqno=2 ts=1040\n");

	ASSERT_GE(drawn.lines.size(), 5u) << drawn.text;
	EXPECT_EQ(drawn.lines[3].substr(33), "--------------------????????????????????");
	EXPECT_EQ(drawn.lines[4].substr(33), "                                       -");
}

TEST(TimelineJobs, says_that_there_is_nothing)
{
	EXPECT_EQ(Drawn("message hello\n").text, "memory: no job in this interval\n");
}

// Each nanosecond has one sign, that of the last step before it.
TEST(TimelineJobs, has_a_stretch_from_each_step_to_the_next)
{
	std::mt19937 dice(5);

	for (int round = 0; round < 1000; round++) {
		Job job;
		uint64_t Job::*const times[] = {&Job::submit_ts, &Job::blocked_ts, &Job::pick_ts,
						&Job::commit_ts, &Job::start_ts,   &Job::end_ts};
		uint64_t now = 100;
		std::string truth, found;
		char sign = 0;

		for (size_t i = 0; i < std::size(times); i++) {
			uint64_t next = now + dice() % 4;

			if (dice() % 3 == 0)
				continue;
			if (sign)
				truth += std::string(next - now, sign);
			job.*times[i] = now = next;
			sign = "-x==#>"[i];
		}
		if (!sign)
			continue;
		uint64_t over = now + dice() % 4;
		job.complete_ts = over;
		truth += std::string(over - now, sign);

		uint64_t at = 0;
		for (const auto &stretch : TimelineJobs::stretches_of(job, 0)) {
			if (at) {
				EXPECT_EQ(stretch.from, at);
			}
			at = stretch.to;
			found += std::string(stretch.to - stretch.from, stretch.sign);
		}
		ASSERT_EQ(found, truth) << round;
	}
}

} // namespace grtrace
