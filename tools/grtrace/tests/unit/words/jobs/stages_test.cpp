// SPDX-License-Identifier: GPL-2.0
#include "words/jobs/stages.h"

#include <gtest/gtest.h>

namespace grtrace {

static Job job_from(uint64_t submit_ts)
{
	Job job;

	job.submit_ts = submit_ts;
	job.pick_ts = submit_ts + 1;
	job.commit_ts = submit_ts + 3;
	job.last_commit_ts = submit_ts + 7;
	job.hand_overs = 2;
	job.ring_tells_commit = true;
	job.start_ts = submit_ts + 10;
	job.end_ts = submit_ts + 15;
	job.complete_ts = submit_ts + 21;
	return job;
}

TEST(Stages, are_from_one_step_to_the_next)
{
	const uint64_t expected[] = {1, 2, 4, 3, 5, 6, 21};
	Stages stages;

	stages.add(job_from(100));
	for (size_t i = 0; i < Stages::c2w; i++) {
		EXPECT_EQ(stages.stage(Stages::Stage(i)).count(), 1u);
		EXPECT_EQ(stages.stage(Stages::Stage(i)).min(), expected[i]);
	}
	EXPECT_EQ(stages.stage(Stages::c2w).count(), 0u);
}

// Jobs wait in lots, and the last lot is never full.
TEST(Stages, count_each_job_at_any_time)
{
	Stages stages;

	for (uint64_t jobs = 1; jobs <= 100; jobs++) {
		Job job = job_from(jobs);

		job.end_ts = job.start_ts + jobs;
		job.complete_ts = job.end_ts;
		job.weight = 2;
		stages.add(job);
		if (jobs % 7)
			continue;
		EXPECT_EQ(stages.stage(Stages::b2e).count(), 2 * jobs);
		EXPECT_EQ(stages.stage(Stages::b2e).max(), jobs);
	}
	EXPECT_EQ(stages.stage(Stages::b2e).count(), 200u);
	EXPECT_EQ(stages.stage(Stages::b2e).average(), 51u);
	EXPECT_EQ(stages.stage(Stages::b2e).min(), 1u);
}

TEST(Stages, leave_out_what_is_not_known_or_goes_back)
{
	Stages stages;
	Job job = job_from(100);

	job.commit_ts = Job::none;
	job.ring_tells_commit = false;
	job.end_ts = job.start_ts - 1;
	stages.add(job);
	EXPECT_EQ(stages.stage(Stages::q2i).count(), 1u);
	EXPECT_EQ(stages.stage(Stages::i2d).count(), 0u);
	// From PICK, where COMMIT is not recorded.
	EXPECT_EQ(stages.stage(Stages::d2b).min(), 9u);
	EXPECT_EQ(stages.stage(Stages::b2e).count(), 0u);
	EXPECT_EQ(stages.stage(Stages::q2c).count(), 1u);
}

TEST(Stages, waking_is_counted_by_waits)
{
	Stages stages;

	stages.add_wake(8, 3);
	stages.add_wake(Job::none, 3);
	EXPECT_EQ(stages.stage(Stages::c2w).count(), 3u);
	EXPECT_EQ(stages.stage(Stages::c2w).max(), 8u);
}

} // namespace grtrace
