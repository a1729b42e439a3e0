// SPDX-License-Identifier: GPL-2.0
#include "words/translate/sched_jobs.h"

#include <gtest/gtest.h>

namespace grtrace {

static void submit(SchedJobs &jobs, uint32_t seqno, bool done)
{
	jobs.submit({100, seqno}, 7).done = done;
}

// A trace of gpu_scheduler's events alone has no event that ends a job.
TEST(SchedJobs, those_that_are_done_are_forgotten)
{
	SchedJobs jobs;

	for (uint32_t seqno = 1; seqno <= 1000; seqno++)
		submit(jobs, seqno, true);

	EXPECT_EQ(jobs.find({100, 1}), nullptr);
	EXPECT_EQ(jobs.find({100, 936}), nullptr);
	EXPECT_NE(jobs.find({100, 937}), nullptr);
	EXPECT_NE(jobs.find({100, 1000}), nullptr);
	EXPECT_EQ(jobs.ring_of({100, 1}), 7u);
}

TEST(SchedJobs, those_in_flight_are_kept)
{
	SchedJobs jobs;

	for (uint32_t seqno = 1; seqno <= 4096; seqno++)
		submit(jobs, seqno, seqno > 1);
	EXPECT_NE(jobs.find({100, 1}), nullptr);
	submit(jobs, 4097, true);
	EXPECT_EQ(jobs.find({100, 1}), nullptr);
}

} // namespace grtrace
