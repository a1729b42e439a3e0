// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_label.h"

#include <gtest/gtest.h>

namespace grtrace {

// A job of 10 ms in which nothing stands out; tests change one thing.
static Job plain_job()
{
	Job job;

	job.submit_ts = 0;
	job.pick_ts = 100000;
	job.commit_ts = 200000;
	job.start_ts = 300000;
	job.end_ts = 9900000;
	job.complete_ts = 10000000;
	return job;
}

static JobLabel label(const Job &job, uint64_t exec_p90 = 0)
{
	return label_of(job, JobThresholds(), exec_p90);
}

TEST(JobLabel, ok)
{
	EXPECT_EQ(label(plain_job()), JobLabel::ok);
}

TEST(JobLabel, failed_before_all_others)
{
	Job job = plain_job();

	job.failed = true;
	job.preempted = true;
	EXPECT_EQ(label(job), JobLabel::failed);
}

TEST(JobLabel, incomplete)
{
	Job job;

	job.submit_ts = 5;
	EXPECT_EQ(label(job), JobLabel::incomplete);
}

TEST(JobLabel, blocked_by_a_dependency)
{
	Job job = plain_job();

	job.blocked_ts = 100000;
	job.pick_ts = 6000000;
	job.commit_ts = job.start_ts = 6100000;
	EXPECT_EQ(label(job), JobLabel::blocked);
}

TEST(JobLabel, the_share_is_exact)
{
	JobThresholds thresholds;
	Job job;

	thresholds.long_queue_ns = 0;
	thresholds.share_percent = 90;
	job.submit_ts = 0;
	job.complete_ts = 199;
	job.end_ts = 199;
	job.start_ts = 179;
	EXPECT_EQ(label_of(job, thresholds, 0), JobLabel::ok);
	job.start_ts = 180;
	EXPECT_EQ(label_of(job, thresholds, 0), JobLabel::long_queue);
}

TEST(JobLabel, preempted)
{
	Job job = plain_job();

	job.preempted = true;
	EXPECT_EQ(label(job), JobLabel::preempted);
}

TEST(JobLabel, slow_execution_by_the_rings_own_measure)
{
	EXPECT_EQ(label(plain_job(), 5000000), JobLabel::slow_execution);
	EXPECT_EQ(label(plain_job(), 9000000), JobLabel::ok);
}

TEST(JobLabel, slow_execution_by_a_given_time)
{
	JobThresholds thresholds;

	thresholds.slow_exec_ns = 5000000;
	EXPECT_EQ(label_of(plain_job(), thresholds, 0), JobLabel::slow_execution);
}

// The host was at work on it, twice, and never longer than it took.
TEST(JobLabel, the_time_of_the_host)
{
	Job job;

	EXPECT_EQ(host_ns(job), Job::none);
	job.submit_ts = 1000;
	job.pick_ts = 1100;
	job.commit_ts = 1150;
	EXPECT_EQ(host_ns(job), 50u);
	job.end_ts = 1500;
	job.complete_ts = 1520;
	EXPECT_EQ(host_ns(job), 70u);
	job.end_ts = 1120; // before its COMMIT was written down
	EXPECT_EQ(host_ns(job), 420u);
	job.commit_ts = 1900; // after its COMPLETE was
	EXPECT_EQ(host_ns(job), 420u);
	EXPECT_LE(host_ns(job), job.total());
}

TEST(JobLabel, host_bound)
{
	Job job = plain_job();

	job.end_ts = 1000000;
	EXPECT_EQ(label(job), JobLabel::host_bound);
}

TEST(JobLabel, long_queue)
{
	Job job = plain_job();

	job.start_ts = 6000000;
	EXPECT_EQ(label(job), JobLabel::long_queue);
	// The same share of a short job is nothing.
	job.complete_ts = job.end_ts = 400000;
	job.start_ts = 390000;
	EXPECT_EQ(label(job), JobLabel::ok);
}

} // namespace grtrace
