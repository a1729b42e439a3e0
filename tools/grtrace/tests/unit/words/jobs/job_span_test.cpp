// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/job_span.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(JobSpan, steps_in_the_wrong_order_count)
{
	Job job;

	job.submit_ts = 50;
	job.start_ts = 20;
	job.end_ts = 40;
	EXPECT_EQ(JobSpan(job).first, 20u);
	EXPECT_EQ(JobSpan(job).last, 50u);
}

TEST(JobSpan, job_without_steps_has_none)
{
	EXPECT_EQ(JobSpan(Job()).first, Job::none);
	EXPECT_EQ(JobSpan(Job()).last, 0u);
}

} // namespace grtrace
