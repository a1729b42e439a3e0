// SPDX-License-Identifier: GPL-2.0
//
// Jobs whose records are missing, come in another order or stand for another
// job than it seems.
#include "unit/jobs_from_text.h"

#include <algorithm>
#include <map>

namespace grtrace {

static constexpr uint64_t none = Job::none;

TEST(OddJobs, two_gpus_of_one_model_are_two)
{
	auto r = read_jobs("ring id=1 class=1 device=card0 driver=m name=gfx\n"
			   "ring id=2 class=1 device=card1 driver=m name=gfx\n"
			   "cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit ctx=5 ring=2 seqno=1 ts=1100\n"
			   "commit ctx=5 ring=1 seqno=1 fence=8:1 ts=1200\n"
			   "commit ctx=5 ring=2 seqno=1 fence=9:1 ts=1210\n"
			   "fence ctx=9 seqno=1 ts=1300\n"
			   "complete ctx=5 ring=2 seqno=1 ts=1310\n"
			   "fence ctx=8 seqno=1 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1510\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].ring, 2u);
	EXPECT_EQ(r->jobs[0].exec(), 90u);
	EXPECT_EQ(r->jobs[1].ring, 1u);
	// The other card's END is not what this one waited for.
	EXPECT_EQ(r->jobs[1].exec(), 300u);
}

TEST(OddJobs, a_context_goes_to_another_ring)
{
	auto r = read_jobs("cpu 0\n"
			   "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "end ctx=5 ring=1 seqno=1 ts=1100\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1200\n"
			   "submit pid=8 ctx=5 ring=2 seqno=1 ts=2000\n"
			   "end ctx=5 ring=2 seqno=1 ts=2300\n"
			   "complete ctx=5 ring=2 seqno=1 ts=2400\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].pid, 7u);
	EXPECT_EQ(r->jobs[1].pid, 8u);
	EXPECT_EQ(r->jobs[1].total(), 400u);
	EXPECT_EQ(r->jobs[1].seqno, 1u);
}

// It starts at 1 again: that is not a wrap, and each job has its own records.
TEST(OddJobs, a_key_is_used_again_after_completion)
{
	auto r = read_jobs("cpu 0\n"
			   "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1010\n"
			   "fence ctx=9 seqno=1 ts=1100\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1200\n"
			   "submit pid=8 ctx=5 ring=1 seqno=1 ts=2000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:2 ts=2010\n"
			   "fence ctx=9 seqno=2 ts=2300\n"
			   "complete ctx=5 ring=1 seqno=1 ts=2400\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	for (const Job &job : r->jobs)
		EXPECT_EQ(job.seqno, 1u);
	EXPECT_EQ(r->jobs[0].exec(), 90u);
	EXPECT_EQ(r->jobs[1].exec(), 290u);
}

TEST(OddJobs, a_seqno_wraps_several_times)
{
	std::string text = "cpu 0\n";
	std::map<uint64_t, uint64_t> submitted;

	// Steps of 2^30 + 1: three wraps in twelve.
	for (uint64_t i = 1; i <= 12; i++) {
		uint64_t wide = i * 0x40000001;

		text += fmt::format("submit ctx=5 ring=1 seqno={0}\n"
				    "end ctx=5 ring=1 seqno={0}\n"
				    "complete ctx=5 ring=1 seqno={0}\n",
				    static_cast<uint32_t>(wide));
		submitted[wide]++;
	}
	auto r = read_jobs(text);
	std::map<uint64_t, uint64_t> found;
	for (const Job &job : r->jobs) {
		found[job.seqno]++;
		EXPECT_EQ(job.total(), 2000u);
	}
	EXPECT_EQ(found, submitted);
}

// Those in flight over the wrap keep their numbers, in any order.
TEST(OddJobs, a_seqno_wraps_while_records_are_lost)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=0xfffffffe\n"
			   "submit ctx=5 ring=1 seqno=0xffffffff\n"
			   "lost events=6 first=2500 last=2600\n"
			   "end ctx=5 ring=1 seqno=2\n"
			   "complete ctx=5 ring=1 seqno=2\n"
			   "end ctx=5 ring=1 seqno=0xffffffff\n"
			   "complete ctx=5 ring=1 seqno=0xffffffff\n"
			   "complete ctx=5 ring=1 seqno=0\n");
	std::map<uint64_t, bool> begun;

	for (const Job &job : r->jobs)
		begun[job.seqno] = job.submit_ts != none;
	EXPECT_EQ(begun, (std::map<uint64_t, bool>{{0xfffffffe, true},
						   {0xffffffff, true},
						   {0x100000000, false},
						   {0x100000002, false}}));
}

TEST(OddJobs, a_job_that_never_ends_holds_up_no_other)
{
	std::string text = "cpu 0\nsubmit ctx=5 ring=1 seqno=1\n"
			   "pick ctx=5 ring=1 seqno=1\n"
			   "start ctx=5 ring=1 seqno=1\n";

	for (int i = 2; i < 100; i++)
		text += fmt::format("submit ctx=5 ring=1 seqno={0}\n"
				    "end ctx=5 ring=1 seqno={0}\n"
				    "complete ctx=5 ring=1 seqno={0}\n",
				    i);
	auto r = read_jobs(text);

	ASSERT_EQ(r->jobs.size(), 99u);
	const auto endless = std::ranges::find(r->jobs, 1u, &Job::seqno);
	ASSERT_NE(endless, r->jobs.end());
	EXPECT_FALSE(endless->over());
	EXPECT_NE(endless->passed_ts, none);
	EXPECT_EQ(endless->exec(), none);
}

TEST(OddJobs, complete_without_its_lost_end)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1100\n"
			   "lost events=1 first=1200 last=1200\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1300\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_TRUE(r->jobs[0].complete());
	EXPECT_TRUE(r->jobs[0].touched);
	// Not guessed.
	EXPECT_EQ(r->jobs[0].exec(), none);
	EXPECT_EQ(r->jobs[0].total(), 300u);
}

TEST(OddJobs, a_start_told_after_the_end_still_counts)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
			   "fence ctx=9 seqno=1 ts=1500\n"
			   "start ctx=5 ring=1 seqno=1 ts=1400\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1600\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].exec(), 100u);
	EXPECT_FALSE(r->jobs[0].start_inferred);
}

// A hung job holds its ring until the reset; the next began after that.
TEST(OddJobs, a_reset_ring_begins_again)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
			   "fence ctx=9 seqno=1 ts=1200\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1210\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1300\n"
			   "commit ctx=5 ring=1 seqno=2 fence=9:2 ts=1400\n"
			   "submit ctx=6 ring=1 seqno=1 ts=1500\n"
			   "commit ctx=6 ring=1 seqno=1 fence=9:3 ts=1600\n"
			   "error ctx=5 ring=1 seqno=2 kind=1 code=-110 ts=7000\n"
			   "complete ctx=5 ring=1 seqno=2 arg=-125 ts=8000\n"
			   "fence ctx=9 seqno=3 ts=8500\n"
			   "complete ctx=6 ring=1 seqno=1 ts=8510\n");
	std::map<uint64_t, Job> jobs;

	for (const Job &job : r->jobs)
		jobs[job.ctx * 10 + job.seqno] = job;
	ASSERT_EQ(jobs.size(), 3u);
	EXPECT_TRUE(jobs[52].failed);
	EXPECT_EQ(jobs[52].start_ts, 1400u);
	EXPECT_EQ(jobs[61].start_ts, 8000u);
	EXPECT_EQ(jobs[61].exec(), 500u);
}

// Its fence's COMMIT was before the capture: only COMPLETE says that it left.
TEST(OddJobs, behind_a_job_from_before_the_capture)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=6 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=6 ring=1 seqno=1 fence=9:3 ts=1100\n"
			   "fence ctx=9 seqno=2 ts=1990\n"
			   "complete ctx=5 ring=1 seqno=8 ts=2000\n"
			   "fence ctx=9 seqno=3 ts=2500\n"
			   "complete ctx=6 ring=1 seqno=1 ts=2510\n");

	std::map<uint64_t, Job> jobs;

	for (const Job &job : r->jobs)
		jobs[job.ctx] = job;
	ASSERT_EQ(jobs.size(), 2u);
	EXPECT_EQ(jobs[5].submit_ts, none);
	EXPECT_EQ(jobs[6].exec(), 500u);
}

// From START to END, whatever the ring did in between.
TEST(OddJobs, time_away_is_execution)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1100\n"
			   "ctx_switch ctx=6 ring=1 seqno=0 fence=5:1 ts=1200\n"
			   "ctx_switch ctx=5 ring=1 seqno=1 fence=6:0 ts=1700\n"
			   "end ctx=5 ring=1 seqno=1 ts=1800\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1810\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_TRUE(r->jobs[0].preempted);
	EXPECT_EQ(r->jobs[0].exec(), 700u);
}

TEST(OddJobs, an_ioctl_is_nobodys_job)
{
	auto r = read_jobs("cpu 0\nsubmit pid=7 ctx=0x100000000 seqno=1 ring=1 ts=1000\n"
			   "ioctl pid=7 cmd=0x6400\n"
			   "complete ctx=0x100000000 seqno=1 ring=1\n");

	ASSERT_EQ(r->events.size(), 3u);
	EXPECT_EQ(r->events[1].ctx, 0u);
	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].seqno, 1u);
}

} // namespace grtrace
