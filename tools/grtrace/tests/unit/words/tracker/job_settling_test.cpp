// SPDX-License-Identifier: GPL-2.0
//
// When a job left its ring, and since when the ring had it.
#include <map>

#include "unit/jobs_from_text.h"

namespace grtrace {

static constexpr uint64_t none = Job::none;

// By ctx * 10 + seqno.
static std::map<uint64_t, Job> jobs_of(std::string_view text)
{
	const auto reading = read_jobs(text);
	std::map<uint64_t, Job> jobs;

	for (const Job &job : reading->jobs)
		jobs[job.ctx * 10 + job.seqno] = job;
	return jobs;
}

static constexpr std::string_view first_job = "cpu 0\n"
					      "submit ctx=5 ring=1 seqno=1 ts=1000\n"
					      "pick ctx=5 ring=1 seqno=1 ts=1050\n"
					      "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
					      "fence ctx=9 seqno=1 ts=1500\n"
					      "complete ctx=5 ring=1 seqno=1 ts=1510\n";

// Its COMPLETE came while the ring executed nothing, and moves no START.
TEST(JobSettling, a_job_that_was_killed_in_the_queue_never_left_the_ring)
{
	for (const char *pick : {"", "pick ctx=6 ring=1 seqno=1 ts=1600\n"}) {
		auto jobs = jobs_of(std::string(first_job) +
				    "submit ctx=6 ring=1 seqno=1 ts=1550\n" + pick +
				    "commit ctx=7 ring=1 seqno=1 fence=9:2 "
				    "ts=1700\n"
				    "complete ctx=6 ring=1 seqno=1 arg=-125 "
				    "ts=1900\n"
				    "fence ctx=9 seqno=2 ts=2500\n"
				    "complete ctx=7 ring=1 seqno=1 ts=2510\n");

		EXPECT_FALSE(jobs[61].handed_over);
		EXPECT_EQ(jobs[61].left_ts(), none);
		EXPECT_EQ(jobs[61].gone_ts(), 1900u);
		EXPECT_EQ(jobs[61].start_ts, none);
		EXPECT_EQ(jobs[61].dispatch(), none);
		EXPECT_EQ(jobs[71].start_ts, 1700u);
	}
}

// Fences of a context are signalled in order.
TEST(JobSettling, a_job_without_an_end_is_over_when_a_later_one_of_its_context_is)
{
	auto jobs = jobs_of("cpu 0\n"
			    "start ctx=5 ring=1 seqno=1 ts=1000\n"
			    "start ctx=6 ring=1 seqno=1 ts=1100\n"
			    "start ctx=5 ring=1 seqno=2 ts=1200\n"
			    "end ctx=5 ring=1 seqno=2 ts=2000\n"
			    "complete ctx=5 ring=1 seqno=2 ts=2010\n"
			    "start ctx=5 ring=1 seqno=3 ts=2100\n"
			    "end ctx=5 ring=1 seqno=3 ts=2200\n"
			    "complete ctx=5 ring=1 seqno=3 ts=2210\n");

	EXPECT_EQ(jobs[51].passed_ts, 2010u);
	EXPECT_EQ(jobs[51].over_by(), 2010u);
	EXPECT_EQ(jobs[51].gone_ts(), none);
	EXPECT_FALSE(jobs[51].at_end);
	// Another context has an order of its own.
	EXPECT_EQ(jobs[61].passed_ts, none);
	EXPECT_TRUE(jobs[61].at_end);
	EXPECT_EQ(jobs[61].has_ring_since, 1100u);
}

// Its own END may only be recorded late.
TEST(JobSettling, a_job_that_was_passed_may_still_end)
{
	auto jobs = jobs_of("cpu 0\n"
			    "start ctx=5 ring=1 seqno=1 ts=1000\n"
			    "start ctx=5 ring=1 seqno=2 ts=1200\n"
			    "end ctx=5 ring=1 seqno=2 ts=2000\n"
			    "complete ctx=5 ring=1 seqno=2 ts=2010\n"
			    "end ctx=5 ring=1 seqno=1 ts=3000\n"
			    "complete ctx=5 ring=1 seqno=1 ts=3010\n");

	EXPECT_EQ(jobs[51].left_ts(), 3000u);
	EXPECT_EQ(jobs[51].over_by(), 3000u);
}

TEST(JobSettling, the_first_that_an_in_order_ring_got_has_it_at_the_end)
{
	auto jobs =
		jobs_of(std::string(first_job) + "commit ctx=6 ring=1 seqno=1 fence=9:2 ts=1400\n"
						 "commit ctx=7 ring=1 seqno=1 fence=9:3 ts=1450\n"
						 "submit ctx=7 ring=1 seqno=2 ts=1600\n");

	EXPECT_EQ(jobs[61].has_ring_since, 1500u);
	EXPECT_EQ(jobs[71].has_ring_since, none);
	EXPECT_EQ(jobs[72].has_ring_since, none);
	EXPECT_TRUE(jobs[72].at_end);
}

TEST(JobSettling, a_job_that_hung_before_the_capture_had_the_ring_since_its_beginning)
{
	auto jobs = jobs_of("cpu 0\n"
			    "submit ctx=6 ring=1 seqno=1 ts=1000\n"
			    "error ctx=5 ring=1 seqno=1 kind=1 code=-62 ts=9000\n"
			    "complete ctx=5 ring=1 seqno=1 arg=-62 ts=9100\n");

	EXPECT_EQ(jobs[51].start_ts, 1000u);
	EXPECT_TRUE(jobs[51].start_inferred);
	EXPECT_EQ(jobs[51].left_ts(), 9100u);
}

TEST(JobSettling, complete_stands_for_an_end_that_no_record_has)
{
	auto jobs = jobs_of("cpu 0\n"
			    "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1000\n"
			    "commit ctx=6 ring=1 seqno=1 fence=9:2 ts=1100\n"
			    "commit ctx=5 ring=1 seqno=2 fence=9:3 ts=1200\n"
			    "complete ctx=5 ring=1 seqno=1 ts=2000\n"
			    "complete ctx=6 ring=1 seqno=1 ts=3000\n"
			    "complete ctx=5 ring=1 seqno=2 ts=4000\n");

	EXPECT_EQ(jobs[51].start_ts, 1000u);
	EXPECT_EQ(jobs[61].start_ts, 2000u);
	EXPECT_EQ(jobs[52].start_ts, 3000u);
	// It is not an END for all that.
	EXPECT_EQ(jobs[52].end_ts, none);
	EXPECT_EQ(jobs[52].exec(), none);
	EXPECT_EQ(jobs[52].left_ts(), 4000u);
}

// Until an END is recorded after all.
TEST(JobSettling, an_end_may_come_after_the_completion)
{
	auto jobs = jobs_of("cpu 0\n"
			    "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1000\n"
			    "commit ctx=6 ring=1 seqno=1 fence=9:2 ts=1100\n"
			    "complete ctx=5 ring=1 seqno=1 ts=2000\n"
			    "fence ctx=9 seqno=1 ts=2100\n"
			    "fence ctx=9 seqno=2 ts=2500\n"
			    "complete ctx=6 ring=1 seqno=1 ts=2510\n");

	EXPECT_EQ(jobs[51].end_ts, 2100u);
	EXPECT_EQ(jobs[61].start_ts, 2100u);
}

TEST(JobSettling, a_lost_end_holds_up_only_until_the_completion)
{
	auto jobs =
		jobs_of(std::string(first_job) + "commit ctx=6 ring=1 seqno=1 fence=9:2 ts=1600\n"
						 "commit ctx=7 ring=1 seqno=1 fence=9:3 ts=1700\n"
						 "complete ctx=6 ring=1 seqno=1 ts=5000\n"
						 "fence ctx=9 seqno=3 ts=5400\n"
						 "complete ctx=7 ring=1 seqno=1 ts=5410\n");

	EXPECT_EQ(jobs[61].start_ts, 1600u);
	EXPECT_EQ(jobs[71].start_ts, 5000u);
	EXPECT_EQ(jobs[71].exec(), 400u);
}

static std::string handed_over_twice(std::string_view between, std::string_view after)
{
	return "cpu 0\n"
	       "submit ctx=5 ring=1 seqno=1 ts=1000\n"
	       "pick ctx=5 ring=1 seqno=1 ts=1050\n"
	       "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n" +
	       std::string(between) + "commit ctx=5 ring=1 seqno=1 fence=9:2 ts=7000\n" +
	       std::string(after) +
	       "fence ctx=9 seqno=2 ts=8000\n"
	       "complete ctx=5 ring=1 seqno=1 ts=8010\n";
}

// A reset signals the fence of what hung, and the job is handed over again.
TEST(JobSettling, the_end_is_that_of_the_last_hand_over)
{
	for (const char *between : {"", "fence ctx=9 seqno=1 ts=6500\n"}) {
		auto jobs = jobs_of(handed_over_twice(between, ""));
		const Job &job = jobs[51];

		EXPECT_EQ(job.hand_overs, 2u);
		EXPECT_EQ(job.commit_ts, 1100u);
		EXPECT_EQ(job.reset(), 5900u);
		EXPECT_EQ(job.start_ts, 7000u);
		EXPECT_TRUE(job.start_inferred);
		EXPECT_EQ(job.end_ts, 8000u);
		EXPECT_EQ(job.dispatch(), 0u);
	}
}

TEST(JobSettling, the_start_is_that_of_the_last_hand_over)
{
	auto jobs = jobs_of(handed_over_twice("start ctx=5 ring=1 seqno=1 ts=1200\n",
					      "start ctx=5 ring=1 seqno=1 ts=7200\n"));

	EXPECT_EQ(jobs[51].start_ts, 7200u);
	EXPECT_FALSE(jobs[51].start_inferred);
	EXPECT_EQ(jobs[51].dispatch(), 200u);
}

TEST(JobSettling, a_reset_that_went_well_clears_no_error)
{
	auto jobs = jobs_of("cpu 0\n"
			    "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1000\n"
			    "error ctx=5 ring=1 seqno=1 kind=1 code=-62 "
			    "ts=2000\n"
			    "complete ctx=5 ring=1 seqno=1 arg=-125 ts=2100\n"
			    "error ctx=5 ring=1 seqno=1 kind=2 code=0 "
			    "ts=2200\n");

	EXPECT_TRUE(jobs[51].failed);
	EXPECT_EQ(jobs[51].error, -62);
	EXPECT_EQ(jobs[51].complete_error, -125);
}

TEST(JobSettling, a_second_complete_is_of_the_same_job)
{
	auto r = read_jobs(std::string(first_job) +
			   "complete ctx=5 ring=1 seqno=1 arg=-5 ts=1600\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].completes, 2u);
	EXPECT_EQ(r->jobs[0].complete_ts, 1510u);
	// Its verdict was decided with the first one.
	EXPECT_EQ(r->jobs[0].error, 0);
	EXPECT_FALSE(r->jobs[0].failed);
}

TEST(JobSettling, a_wait_that_begins_after_the_completion_counts)
{
	auto jobs = jobs_of(std::string(first_job) + "wait_enter pid=7 ctx=5 seqno=1 ts=1600\n"
						     "wait_exit pid=7 ctx=5 seqno=1 ts=1630\n");

	EXPECT_EQ(jobs[51].waits, 1u);
	EXPECT_EQ(jobs[51].wait_ns, 30u);
}

// For 100 ms; then it is a wait for something that is not remembered.
TEST(JobSettling, a_job_is_remembered_for_a_while)
{
	auto jobs =
		jobs_of(std::string(first_job) + "wait_enter pid=7 ctx=5 seqno=1 ts=1600\n"
						 "wait_exit pid=7 ctx=5 seqno=1 ts=100001510\n");

	EXPECT_EQ(jobs[51].waits, 0u);
}

// The ring is known to record START.
TEST(JobSettling, a_start_that_may_be_lost_is_not_inferred)
{
	const std::string text = "start ctx=5 ring=1 seqno=1 ts=1200\n"
				 "end ctx=5 ring=1 seqno=1 ts=1300\n"
				 "complete ctx=5 ring=1 seqno=1 ts=1310\n"
				 "submit ctx=5 ring=1 seqno=2 ts=1400\n"
				 "pick ctx=5 ring=1 seqno=2 ts=1500\n";
	const std::string end = "end ctx=5 ring=1 seqno=2 ts=1900\n"
				"complete ctx=5 ring=1 seqno=2 ts=1910\n";

	auto lost = jobs_of("cpu 0\n" + text + "lost events=2 first=1550 last=1600\n" + end);
	EXPECT_EQ(lost[52].start_ts, none);
	auto whole = jobs_of("cpu 0\n" + text + end);
	EXPECT_EQ(whole[52].start_ts, 1500u);
}

} // namespace grtrace
