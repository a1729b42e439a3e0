// SPDX-License-Identifier: GPL-2.0
#include <memory>

#include <gtest/gtest.h>

#include "words/findings/job_log.h"

namespace grtrace {

// Jobs of many contexts are numbered alike, like those of a game's rings.
TEST(JobLog, FindsJobsOfManyContexts)
{
	constexpr uint64_t contexts = 64, jobs = 128;
	auto log = std::make_unique<JobLog>();
	uint64_t found = 0;

	for (uint64_t seqno = 1; seqno <= jobs; seqno++)
		for (uint64_t ctx = 1; ctx <= contexts; ctx++) {
			Job job;

			job.ctx = ctx;
			job.seqno = seqno;
			job.ring = 1;
			log->add(job, 0);
		}
	for (uint64_t seqno = 1; seqno <= jobs; seqno++)
		for (uint64_t ctx = 1; ctx <= contexts; ctx++) {
			const WaitingJob *job = log->find(ctx, seqno);

			found += job && job->name == JobName{ctx, seqno, 1};
		}
	EXPECT_GT(found, contexts * jobs * 999 / 1000);
}

// The last one is there at once; the newer of two of a name is.
TEST(JobLog, FindsTheNewest)
{
	auto log = std::make_unique<JobLog>();
	Job job;

	job.ctx = job.seqno = job.ring = 1;
	EXPECT_EQ(log->find(1, 1), nullptr);
	for (const uint64_t complete : {10, 20}) {
		job.complete_ts = complete;
		log->add(job, 0);
		ASSERT_NE(log->find(1, 1), nullptr);
		EXPECT_EQ(log->find(1, 1)->complete, complete);
	}
}

} // namespace grtrace
