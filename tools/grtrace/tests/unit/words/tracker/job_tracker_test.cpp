// SPDX-License-Identifier: GPL-2.0
//
// Jobs from events, also from those of a capture that has half of them.
#include "unit/jobs_from_text.h"

#include <map>

namespace grtrace {

static constexpr uint64_t none = Job::none;

TEST(JobTracker, follows_a_job_that_tells_everything)
{
	auto r = read_jobs("cpu 0\n"
			   "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1100\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1200\n"
			   "start ctx=5 ring=1 seqno=1 ts=1300 flags=2\n"
			   "end ctx=5 ring=1 seqno=1 ts=1800\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1850\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	const Job &job = r->jobs[0];
	EXPECT_EQ(job.pid, 7u);
	EXPECT_EQ(job.submit_to_commit(), 200u);
	EXPECT_EQ(job.queue(), 300u);
	EXPECT_EQ(job.exec(), 500u);
	EXPECT_EQ(job.completion(), 50u);
	EXPECT_EQ(job.total(), 850u);
	EXPECT_EQ(job.gpu_wait(), none);
	EXPECT_FALSE(job.start_inferred);
	EXPECT_FALSE(job.time_inferred);
}

TEST(JobTracker, the_fence_of_commit_is_the_end)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1200\n"
			   "fence ctx=9 seqno=1 ts=1700\n"
			   "end ctx=5 ring=1 seqno=1 ts=1750\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1800\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].end_ts, 1700u);
}

TEST(JobTracker, a_fence_faster_than_the_commit_record_is_not_missed)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1100\n"
			   "fence ctx=9 seqno=1 ts=1150\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1200\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1250\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].end_ts, 1150u);
	// It cannot have begun after its end.
	EXPECT_EQ(r->jobs[0].start_ts, 1100u);
}

TEST(JobTracker, the_fence_of_submit_is_the_completion)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 fence=6:1 ts=1000\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "fence ctx=6 seqno=1 ts=1600\n"
			   "submit ctx=5 ring=1 seqno=2 fence=6:2 ts=2000\n"
			   "end ctx=5 ring=1 seqno=2 ts=2500\n"
			   "complete ctx=6 ring=1 seqno=2 ts=2700\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].complete_ts, 1600u);
	EXPECT_EQ(r->jobs[1].complete_ts, 2700u);
}

TEST(JobTracker, without_any_fence_the_end_is_all_there_is)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "submit ctx=5 ring=1 seqno=2 ts=900000000\n"
			   "end ctx=5 ring=1 seqno=2 ts=900000500\n"
			   "complete ctx=5 ring=1 seqno=2 ts=900000600\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_FALSE(r->jobs[0].complete());
	EXPECT_TRUE(r->jobs[0].over());
	EXPECT_EQ(r->jobs[1].total(), 600u);
	EXPECT_EQ(r->tracker.in_flight(), 0u);
}

// A command of virtio-gpu is its own hardware fence; it has no PICK.
TEST(JobTracker, a_doorbell_tells_when_the_host_could_begin)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 fence=6:1 ts=1000\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1100\n"
			   "commit ctx=5 ring=1 seqno=1 fence=5:1 ts=1200\n"
			   "commit ctx=5 ring=1 seqno=2 fence=5:2 ts=1210\n"
			   "irq ctx=5 ring=1 seqno=0 ts=1400 flags=9\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "fence ctx=6 seqno=1 ts=1510\n"
			   "end ctx=5 ring=1 seqno=2 ts=1600\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].submit_to_commit(), 200u);
	EXPECT_EQ(r->jobs[0].start_ts, 1200u);
	EXPECT_EQ(r->jobs[0].exec(), 300u);
	EXPECT_EQ(r->jobs[0].complete_ts, 1510u);
	EXPECT_EQ(r->jobs[1].submit_to_commit(), 110u);
	EXPECT_EQ(r->jobs[1].start_ts, 1500u);
	EXPECT_EQ(r->jobs[1].exec(), 100u);
	EXPECT_TRUE(r->jobs[1].start_inferred);
}

TEST(JobTracker, a_doorbell_for_a_job_that_is_over_is_no_other_job)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 fence=6:1 ts=1000\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "fence ctx=6 seqno=1 ts=1510\n"
			   "commit ctx=5 ring=1 seqno=1 fence=5:1 ts=1520\n"
			   // no fence: it lingers, but the time is not usable
			   "submit ctx=5 ring=1 seqno=2 ts=1600\n"
			   "end ctx=5 ring=1 seqno=2 ts=1700\n"
			   "commit ctx=5 ring=1 seqno=2 fence=5:2 ts=1710\n"
			   // from before the capture
			   "commit ctx=5 ring=1 seqno=3 fence=5:3 ts=1800\n");

	ASSERT_EQ(r->jobs.size(), 3u);
	EXPECT_EQ(r->jobs[0].seqno, 1u);
	EXPECT_EQ(r->jobs[0].commit_ts, none);
	EXPECT_EQ(r->jobs[1].seqno, 2u);
	EXPECT_EQ(r->jobs[1].end_ts, 1700u);
	EXPECT_EQ(r->jobs[1].exec(), none);
	EXPECT_EQ(r->jobs[2].seqno, 3u);
	EXPECT_FALSE(r->jobs[2].over());
}

// The host answers a command with a fence when the GPU is done with it, those
// behind it at once.
TEST(JobTracker, a_job_that_was_overtaken_began_with_its_commit)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=5:1 ts=1100\n"
			   "commit ctx=5 ring=1 seqno=2 fence=5:2 ts=1100\n"
			   "end ctx=5 ring=1 seqno=2 ts=1200\n"
			   "end ctx=5 ring=1 seqno=1 ts=1900\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].seqno, 2u);
	EXPECT_EQ(r->jobs[0].exec(), 100u);
	EXPECT_EQ(r->jobs[1].seqno, 1u);
	EXPECT_EQ(r->jobs[1].exec(), 800u);
}

TEST(JobTracker, whoever_ended_last_a_job_was_overtaken)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=5:1 ts=1100\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1150\n"
			   "commit ctx=5 ring=1 seqno=2 fence=5:2 ts=1200\n"
			   "submit ctx=6 ring=1 seqno=1 ts=1250\n"
			   "commit ctx=6 ring=1 seqno=1 fence=6:1 ts=1300\n"
			   "end ctx=5 ring=1 seqno=2 ts=1400\n"
			   "end ctx=6 ring=1 seqno=1 ts=1500\n"
			   "end ctx=5 ring=1 seqno=1 ts=1900\n");

	ASSERT_EQ(r->jobs.size(), 3u);
	EXPECT_EQ(r->jobs[1].ctx, 6u);
	EXPECT_EQ(r->jobs[1].start_ts, 1400u);
	EXPECT_EQ(r->jobs[2].ctx, 5u);
	EXPECT_EQ(r->jobs[2].seqno, 1u);
	EXPECT_EQ(r->jobs[2].start_ts, 1100u);
	EXPECT_TRUE(r->jobs[2].overtaken);
	EXPECT_FALSE(r->jobs[0].overtaken || r->jobs[1].overtaken);
}

// A context whose id was used before: what ended then was not behind the job.
TEST(JobTracker, a_job_that_came_after_a_greater_seqno_ended_was_not_overtaken)
{
	auto r = read_jobs("cpu 0\n"
			   "commit ctx=5 ring=1 seqno=9 fence=5:9 ts=1000\n"
			   "end ctx=5 ring=1 seqno=9 ts=1100\n"
			   "commit ctx=6 ring=1 seqno=1 fence=6:1 ts=1150\n"
			   "commit ctx=5 ring=1 seqno=1 fence=5:1 ts=1200\n"
			   "end ctx=6 ring=1 seqno=1 ts=1500\n"
			   "end ctx=5 ring=1 seqno=1 ts=1900\n");

	ASSERT_EQ(r->jobs.size(), 3u);
	EXPECT_EQ(r->jobs[2].ctx, 5u);
	EXPECT_EQ(r->jobs[2].start_ts, 1500u);
}

// The capture began after the wrap, with jobs from before it in flight.
TEST(JobTracker, a_job_from_before_a_wrap_is_the_older_one)
{
	auto r = read_jobs("cpu 0\n"
			   "commit ctx=5 ring=1 seqno=2 fence=5:2 ts=1100\n"
			   "commit ctx=5 ring=1 seqno=0xffffffff "
			   "fence=5:0xffffffff ts=1100\n"
			   "end ctx=5 ring=1 seqno=2 ts=1200\n"
			   "end ctx=5 ring=1 seqno=0xffffffff ts=1900\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].seqno, 2u);
	EXPECT_EQ(r->jobs[1].seqno, 0xffffffffu);
	EXPECT_EQ(r->jobs[1].start_ts, 1100u);
	EXPECT_EQ(r->jobs[1].exec(), 800u);
}

TEST(JobTracker, infers_the_start_on_a_ring_in_order)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1200\n"
			   "commit ctx=5 ring=1 seqno=2 fence=9:2 ts=1300\n"
			   "fence ctx=9 seqno=1 ts=2000\n"
			   "complete ctx=5 ring=1 seqno=1 ts=2010\n"
			   "fence ctx=9 seqno=2 ts=2600\n"
			   "complete ctx=5 ring=1 seqno=2 ts=2610\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].start_ts, 1100u);
	EXPECT_EQ(r->jobs[1].start_ts, 2000u);
	EXPECT_TRUE(r->jobs[1].start_inferred);
}

// It hung, and was given up.
TEST(JobTracker, a_job_without_an_end_began_after_the_one_before_it)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit ctx=6 ring=1 seqno=1 ts=1010\n"
			   "submit ctx=7 ring=1 seqno=1 ts=1020\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
			   "commit ctx=6 ring=1 seqno=1 fence=9:2 ts=1200\n"
			   "commit ctx=7 ring=1 seqno=1 fence=9:3 ts=1300\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1510\n"
			   "complete ctx=6 ring=1 seqno=1 ts=2000\n"
			   "end ctx=7 ring=1 seqno=1 ts=2500\n"
			   "complete ctx=7 ring=1 seqno=1 ts=2510\n");

	ASSERT_EQ(r->jobs.size(), 3u);
	EXPECT_EQ(r->jobs[1].ctx, 6u);
	EXPECT_EQ(r->jobs[1].start_ts, 1500u);
	EXPECT_TRUE(r->jobs[1].start_inferred);
	EXPECT_EQ(r->jobs[2].start_ts, 2000u);
}

// Its END was lost, but not that of the one behind it.
TEST(JobTracker, a_job_without_an_end_did_not_begin_after_a_newer_one)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1200\n"
			   "commit ctx=5 ring=1 seqno=2 fence=9:2 ts=1300\n"
			   "end ctx=5 ring=1 seqno=2 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1510\n"
			   "complete ctx=5 ring=1 seqno=2 ts=1520\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].seqno, 1u);
	EXPECT_EQ(r->jobs[0].start_ts, 1100u);
}

TEST(JobTracker, without_commit_the_pick_is_the_start)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1100\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1510\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].start_ts, 1100u);
	EXPECT_EQ(r->jobs[0].submit_to_commit(), none);
}

TEST(JobTracker, a_job_from_before_the_capture_has_no_submit)
{
	auto r = read_jobs("cpu 0\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1510\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].submit_ts, none);
	EXPECT_EQ(r->jobs[0].start_ts, none);
	EXPECT_EQ(r->jobs[0].completion(), 10u);
}

TEST(JobTracker, a_job_that_never_ended_is_incomplete)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1100\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_FALSE(r->jobs[0].complete());
	EXPECT_FALSE(r->jobs[0].start_inferred);
}

TEST(JobTracker, jobs_complete_in_any_order)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1100\n"
			   "submit ctx=5 ring=2 seqno=1 ts=1200\n"
			   "end ctx=5 ring=1 seqno=2 ts=1300\n"
			   "complete ctx=5 ring=1 seqno=2 ts=1400\n"
			   "end ctx=5 ring=2 seqno=1 ts=1500\n"
			   "complete ctx=5 ring=2 seqno=1 ts=1600\n"
			   "end ctx=5 ring=1 seqno=1 ts=1700\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1800\n");

	ASSERT_EQ(r->jobs.size(), 3u);
	EXPECT_EQ(r->jobs[0].total(), 300u);
	EXPECT_EQ(r->jobs[1].total(), 400u);
	EXPECT_EQ(r->jobs[2].total(), 800u);
}

TEST(JobTracker, an_end_after_the_completion_still_counts)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1500\n"
			   "end ctx=5 ring=1 seqno=1 ts=1490\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].end_ts, 1490u);
}

TEST(JobTracker, waits_count_also_when_the_waiter_wakes_late)
{
	auto r = read_jobs("cpu 0\n"
			   "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1050\n"
			   "wait_enter pid=7 ctx=5 seqno=1 ts=1100\n"
			   "wait_enter pid=8 ctx=9 seqno=1 ts=1200\n"
			   "fence ctx=9 seqno=1 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1510\n"
			   "wait_exit pid=7 ctx=5 seqno=1 ts=1600\n"
			   "wait_exit pid=8 ctx=9 seqno=1 ts=1700\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].wait_ns, 500u + 500u);
	EXPECT_EQ(r->jobs[0].waits, 2u);
}

// Its SYNC_WAIT_EXIT was lost: the wait ends nowhere, but fences and places for
// waits are used again.
TEST(JobTracker, a_wait_without_an_end_does_not_stand_in_the_way)
{
	std::string text = "cpu 0\n";

	for (int i = 1; i <= 9; i++)
		text += fmt::format("wait_enter pid=7 ctx=8 seqno={} ts={}\n", i, 100 + i);
	text += "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
		"wait_enter pid=7 ctx=5 seqno=1 ts=1100\n"
		"wait_enter pid=7 ctx=5 seqno=1 ts=1200\n"
		"complete ctx=5 ring=1 seqno=1 ts=1500\n"
		"wait_exit pid=7 ctx=5 seqno=1 ts=1600\n";
	auto r = read_jobs(text);

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].wait_ns, 400u);
	EXPECT_EQ(r->jobs[0].waits, 1u);
}

TEST(JobTracker, blocked_time_is_waiting_too)
{
	auto r = read_jobs("cpu 0\n"
			   "dep ctx=5 ring=1 seqno=1 fence=4:1 ts=900\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "blocked ctx=5 ring=1 seqno=1 fence=4:1 ts=1100\n"
			   "blocked ctx=5 ring=1 seqno=1 fence=4:2 ts=1150\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1400\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1500\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_EQ(r->jobs[0].blocked(), 300u);
	EXPECT_EQ(r->jobs[0].gpu_wait(), 300u);
	EXPECT_EQ(r->jobs[0].dependencies, 1u);
}

TEST(JobTracker, failures)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1000\n"
			   "error ctx=5 ring=1 seqno=1 kind=1 code=-110\n"
			   "complete ctx=5 ring=1 seqno=1 arg=-125 ts=1500\n"
			   "complete ctx=5 ring=1 seqno=2 arg=-125 ts=1500\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_TRUE(r->jobs[0].failed);
	EXPECT_EQ(r->jobs[0].error, -110);
	EXPECT_EQ(r->jobs[1].error, -125);
}

TEST(JobTracker, a_switch_away_from_a_running_job_preempts_it)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1100\n"
			   "ctx_switch ctx=6 ring=1 seqno=1 fence=5:1 ts=1200\n"
			   "start ctx=5 ring=1 seqno=1 ts=1400\n"
			   "end ctx=5 ring=1 seqno=1 ts=1500\n"
			   "ctx_switch ctx=6 ring=1 seqno=1 fence=5:1 ts=1600\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1700\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_TRUE(r->jobs[0].preempted);
	EXPECT_EQ(r->jobs[0].start_ts, 1100u);
}

// i915 signals a fence when it retires the request, long after its end.
TEST(JobTracker, a_switch_that_says_done_does_not_preempt)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1100\n"
			   "ctx_switch ctx=6 ring=1 seqno=1 fence=5:1 arg=2 ts=1200\n"
			   "complete ctx=5 ring=1 seqno=1 ts=9000\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_FALSE(r->jobs[0].preempted);
	EXPECT_TRUE(r->jobs[0].ring_tells_preempted);
}

// Its START is that of the request before it, which went to the port with it.
TEST(JobTracker, a_switch_that_says_preempted_needs_no_start)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=2 ts=1000\n"
			   "ctx_switch ctx=6 ring=1 seqno=1 fence=5:2 arg=1 ts=1200\n"
			   "complete ctx=5 ring=1 seqno=2 ts=9000\n"
			   "ctx_switch ctx=6 ring=1 seqno=1 fence=5:2 arg=1 ts=9100\n"
			   "submit ctx=7 ring=2 seqno=1 ts=9200\n"
			   "ctx_switch ctx=7 ring=2 seqno=1 fence=6:1 ts=9300\n"
			   "complete ctx=7 ring=2 seqno=1 ts=9400\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_TRUE(r->jobs[0].preempted);
	// amdgpu's switches are in the order of what was written to the ring.
	EXPECT_FALSE(r->jobs[1].ring_tells_preempted);
}

TEST(JobTracker, counts_the_wraps_of_a_context)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=0xffffffff ts=1000\n"
			   "complete ctx=5 ring=1 seqno=0xffffffff ts=1100\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1200\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1300\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[1].seqno, 0x100000001u);
}

TEST(JobTracker, the_same_key_again_is_another_job)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit ctx=5 ring=1 seqno=1 ts=2000\n"
			   "complete ctx=5 ring=1 seqno=1 ts=2100\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_FALSE(r->jobs[0].complete());
	EXPECT_EQ(r->jobs[1].total(), 100u);
}

TEST(JobTracker, an_inferred_time_in_a_record_is_remembered)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n"
			   "end ctx=5 ring=1 seqno=1 ts=1050 flags=3\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1100\n");

	ASSERT_EQ(r->jobs.size(), 1u);
	EXPECT_TRUE(r->jobs[0].time_inferred);
}

// A source without completions: the oldest jobs are given up.
TEST(JobTracker, keeps_no_more_jobs_than_its_limit)
{
	struct Counter : JobSink {
		void job(const Job &) override { count++; }
		uint64_t count = 0;
	} counter;
	JobTracker tracker(counter);
	Event event = {};

	event.type = GRTRACE_SUBMIT;
	event.ctx = 5;
	event.ring = 1;
	for (uint32_t i = 0; i < JobTracker::in_flight_max + 10; i++) {
		event.seqno = i;
		tracker.feed(event);
	}
	EXPECT_EQ(tracker.in_flight(), JobTracker::in_flight_max);
	EXPECT_EQ(counter.count, 10u);
	tracker.finish();
	EXPECT_EQ(counter.count, JobTracker::in_flight_max + 10u);
}

TEST(JobTracker, a_job_weighs_what_its_first_record_does)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1\n"
			   "sampling 4\n"
			   "end ctx=5 ring=1 seqno=1\n"
			   "complete ctx=5 ring=1 seqno=1\n"
			   "submit ctx=5 ring=1 seqno=4\n"
			   "end ctx=5 ring=1 seqno=4\n"
			   "complete ctx=5 ring=1 seqno=4\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_EQ(r->jobs[0].weight, 1u);
	EXPECT_EQ(r->jobs[1].weight, 4u);
}

TEST(JobTracker, a_change_of_sampling_cuts_jobs)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1\n"
			   "start ctx=5 ring=1 seqno=2\n"
			   "submit ctx=5 ring=1 seqno=3\n"
			   "sample n=1 previous=4\n"
			   "end ctx=5 ring=1 seqno=3\n"
			   "complete ctx=5 ring=1 seqno=3\n"
			   "start ctx=5 ring=1 seqno=4\n"
			   "submit ctx=5 ring=1 seqno=5\n");
	std::map<uint64_t, bool> cut;

	for (const Job &job : r->jobs)
		cut[job.seqno] = job.cut;
	// Its end may not have been recorded, nor may 4's beginning have been.
	EXPECT_TRUE(cut[1]);
	EXPECT_TRUE(cut[4]);
	// One began before the capture, one is whole, one continues.
	EXPECT_FALSE(cut[3]);
	EXPECT_FALSE(cut[5]);
}

TEST(JobTracker, slow_marks_reach_the_job)
{
	auto r = read_jobs("cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1\n"
			   "commit ctx=5 ring=1 seqno=1 fence=7:1 flags=0x10\n"
			   "fence ctx=7 seqno=1 flags=0x20\n"
			   "complete ctx=5 ring=1 seqno=1\n"
			   "submit ctx=5 ring=1 seqno=2\n"
			   "end ctx=5 ring=1 seqno=2\n"
			   "complete ctx=5 ring=1 seqno=2\n");

	ASSERT_EQ(r->jobs.size(), 2u);
	EXPECT_TRUE(r->jobs[0].slow_queue);
	EXPECT_TRUE(r->jobs[0].slow_exec);
	EXPECT_FALSE(r->jobs[1].slow_queue);
	EXPECT_FALSE(r->jobs[1].slow_exec);
}

} // namespace grtrace
