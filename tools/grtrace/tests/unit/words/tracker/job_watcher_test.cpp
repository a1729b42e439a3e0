// SPDX-License-Identifier: GPL-2.0
//
// The calls that a watcher gets while jobs are in flight.
#include "unit/jobs_from_text.h"

namespace grtrace {

// Keeps all calls as lines.
struct Steps : JobWatcher, JobSink {
	Lines lines;

	template <typename... Args> void say(fmt::format_string<Args...> format, Args &&...args)
	{
		lines.push_back(fmt::format(format, std::forward<Args>(args)...));
	}
	void job(const Job &job) override
	{
		say("job {}{}", job.seqno, job.touched ? " touched" : "");
	}
	void moved(const Job &job, JobPhase from, uint64_t ts) override
	{
		say("{} {}>{} at {}", job.seqno, int(from), int(job.phase), ts);
	}
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override
	{
		say("{} depends on {}:{} of {}", job.seqno, ctx, seqno, on ? on->pid : 0);
	}
	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		say("{} blocked by {}:{} of {}, {} to {}", job.seqno, job.blocker_ctx,
		    job.blocker_seqno, job.blocker_pid, from, to);
	}
	void executed(const Job &job) override
	{
		say("{} executed {} to {}", job.seqno, int64_t(job.start_ts), int64_t(job.end_ts));
	}
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override
	{
		say("{} waited for by {}, {} to {}", job.seqno, pid, from, to);
	}
	void lost(uint64_t from, uint64_t to) override { say("lost {} to {}", from, to); }
};

static Lines steps_of(std::string_view text)
{
	Reading reading(bytes_of(text, false));
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	Steps steps;
	JobTracker tracker(steps, &steps);
	const Event *event;

	capture.open_memory(reading.bytes, true);
	while (capture.next(event) == Next::event) {
		tracker.lose(capture.take_gaps());
		tracker.feed(*event);
	}
	tracker.finish();
	return steps.lines;
}

TEST(JobWatcher, hears_of_each_step_once)
{
	EXPECT_EQ(steps_of("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1100\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1101\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1200\n"
			   "start ctx=5 ring=1 seqno=1 ts=1300\n"
			   "fence ctx=9 seqno=1 ts=1800\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1850\n"),
		  (Lines{"1 0>1 at 1000", "1 1>3 at 1100", "1 3>4 at 1200", "1 4>5 at 1300",
			 "1 5>6 at 1800", "1 6>7 at 1850", "1 executed 1300 to 1800", "job 1"}));
}

// After a reset: what had ended was not it.
TEST(JobWatcher, hears_of_a_job_that_goes_back_to_the_hardware)
{
	EXPECT_EQ(steps_of("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1200\n"
			   "fence ctx=9 seqno=1 ts=1300\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:2 ts=1400\n"
			   "fence ctx=9 seqno=2 ts=1800\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1850\n"),
		  (Lines{"1 0>1 at 1000", "1 1>4 at 1200", "1 4>6 at 1300", "1 6>4 at 1400",
			 "1 4>6 at 1800", "1 6>7 at 1850", "1 executed 1400 to 1800", "job 1"}));
}

TEST(JobWatcher, hears_of_a_job_that_goes_back_after_a_loss)
{
	EXPECT_EQ(steps_of("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1200\n"
			   "fence ctx=9 seqno=1 ts=1300\n"
			   "lost events=3 first=1310 last=1320\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:2 ts=1400\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1850\n"),
		  (Lines{"1 0>1 at 1000", "1 1>4 at 1200", "1 4>6 at 1300", "lost 1310 to 1320",
			 "1 0>4 at 1400", "1 4>7 at 1850", "1 executed 1400 to -1",
			 "job 1 touched"}));
}

TEST(JobWatcher, names_what_blocks_and_for_how_long)
{
	EXPECT_EQ(steps_of("cpu 0\n"
			   "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit pid=8 ctx=6 ring=1 seqno=2 ts=1001\n"
			   "dep ctx=6 ring=1 seqno=2 fence=5:1 ts=1002\n"
			   "blocked ctx=6 ring=1 seqno=2 fence=5:1 ts=1003\n"
			   "blocked ctx=6 ring=1 seqno=2 fence=4:4 ts=1010\n"
			   "pick ctx=6 ring=1 seqno=2 ts=1020\n"),
		  (Lines{"1 0>1 at 1000", "2 0>1 at 1001", "2 depends on 5:1 of 7", "2 1>2 at 1003",
			 "2 blocked by 5:1 of 7, 1003 to 1010", "2 2>2 at 1010",
			 "2 blocked by 4:4 of 0, 1010 to 1020", "2 2>3 at 1020", "1 1>7 at 1020",
			 "1 executed -1 to -1", "job 1", "2 3>7 at 1020", "2 executed -1 to -1",
			 "job 2"}));
}

TEST(JobWatcher, knows_nothing_of_jobs_in_flight_after_a_loss)
{
	EXPECT_EQ(steps_of("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "lost events=3 first=1100 last=1200\n"
			   "end ctx=5 ring=1 seqno=1 ts=1300\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1400\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=2 ts=1600\n"),
		  (Lines{"1 0>1 at 1000", "lost 1100 to 1200", "1 0>6 at 1300",
			 "1 executed -1 to 1300", "1 6>7 at 1400", "2 0>1 at 1500", "2 1>7 at 1600",
			 "job 1 touched", "2 executed -1 to -1", "job 2"}));
}

TEST(JobWatcher, takes_a_gap_in_the_file_for_a_loss)
{
	Lines lines = steps_of("cpu 0\n"
			       "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			       "overwritten 10\n"
			       "end ctx=5 ring=1 seqno=1 ts=1300\n"
			       "complete ctx=5 ring=1 seqno=1 ts=1400\n");

	EXPECT_EQ(lines, (Lines{"1 0>1 at 1000", "lost 1001 to 1300", "1 0>6 at 1300",
				"1 executed -1 to 1300", "1 6>7 at 1400", "job 1 touched"}));
}

// A job of another CPU that is over before the gap is.
TEST(JobWatcher, hears_of_a_gap_before_it_is_over)
{
	Lines lines = steps_of("cpu 0\n"
			       "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			       "cpu 1\n"
			       "submit ctx=6 ring=1 seqno=1 ts=1100\n"
			       "end ctx=6 ring=1 seqno=1 ts=1150\n"
			       "complete ctx=6 ring=1 seqno=1 ts=1200\n"
			       "cpu 0\n"
			       "overwritten 10\n"
			       "end ctx=5 ring=1 seqno=1 ts=1300\n"
			       "complete ctx=5 ring=1 seqno=1 ts=1400\n");

	EXPECT_EQ(lines, (Lines{"1 0>1 at 1000", "lost 1001 to 1300", "1 0>1 at 1100",
				"1 1>6 at 1150", "1 executed -1 to 1150", "1 6>7 at 1200",
				"lost 1300 to 1300", "1 0>6 at 1300", "1 executed -1 to 1300",
				"1 6>7 at 1400", "job 1 touched", "job 1 touched"}));
}

// It did not see all events in between.
TEST(JobWatcher, knows_nothing_either_when_a_loss_ends)
{
	EXPECT_EQ(steps_of("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "lost events=3 first=1100 last=1300\n"
			   "cpu 1\n"
			   "submit ctx=6 ring=1 seqno=1 ts=1200\n"
			   "end ctx=6 ring=1 seqno=1 ts=1400\n"),
		  (Lines{"1 0>1 at 1000", "lost 1100 to 1300", "1 0>1 at 1200", "lost 1300 to 1300",
			 "1 0>6 at 1400", "1 executed -1 to 1400", "1 6>7 at 1400", "job 1 touched",
			 "1 0>7 at 1400", "1 executed -1 to -1", "job 1 touched"}));
}

TEST(JobWatcher, hears_of_waits)
{
	Lines lines = steps_of("cpu 0\n"
			       "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			       "wait_enter pid=9 ctx=5 seqno=1 ts=1100\n"
			       "end ctx=5 ring=1 seqno=1 ts=1300\n"
			       "complete ctx=5 ring=1 seqno=1 ts=1400\n"
			       "wait_exit pid=9 ctx=5 seqno=1 ts=1500\n");

	ASSERT_GE(lines.size(), 2u);
	EXPECT_EQ(lines[lines.size() - 2], "1 waited for by 9, 1100 to 1500");
}

// Keeps the first record of jobs that were not passed on when it last heard a time.
struct Forgetful : JobWatcher, JobSink {
	std::vector<uint64_t> heard;
	uint64_t forgotten = 0;
	uint64_t too_early = 0;

	void job(const Job &job) override { too_early += job.first_ts() < forgotten; }
	void moved(const Job &, JobPhase, uint64_t) override {}
	void forget_before(uint64_t ts) override
	{
		forgotten = ts;
		heard.push_back(ts);
	}
};

// Three jobs in flight at a time, and one that takes as long as half of them all.
TEST(JobWatcher, hears_what_it_may_forget)
{
	constexpr uint32_t jobs = 4 * JobTracker::forget_every;
	constexpr uint64_t apart = 1000 * 1000;
	Forgetful watcher;
	JobTracker tracker(watcher, &watcher);
	Event event = {};
	auto feed = [&](uint16_t type, uint64_t ctx, uint32_t seqno, uint64_t ts) {
		event.type = type;
		event.ctx = ctx;
		event.seqno = seqno;
		event.ring = 1;
		event.ts = ts;
		tracker.feed(event);
	};

	feed(GRTRACE_SUBMIT, 6, 1, 1);
	for (uint32_t i = 1; i <= jobs; i++) {
		if (i == jobs / 2)
			feed(GRTRACE_COMPLETE, 6, 1, i * apart);
		feed(GRTRACE_SUBMIT, 5, i, i * apart);
		if (i > 3)
			feed(GRTRACE_COMPLETE, 5, i - 3, i * apart);
	}
	ASSERT_GE(watcher.heard.size(), 3u);
	EXPECT_EQ(watcher.heard.front(), 1u);
	EXPECT_GT(watcher.heard.back(), jobs / 2 * apart);
	EXPECT_LT(watcher.heard.back(), jobs * apart);
	tracker.finish();
	EXPECT_EQ(watcher.too_early, 0u);
}

} // namespace grtrace
