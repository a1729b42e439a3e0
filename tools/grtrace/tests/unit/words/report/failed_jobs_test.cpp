// SPDX-License-Identifier: GPL-2.0
#include "unit/from_text.h"

#include "words/data/spans.h"
#include "words/report/failed_jobs.h"

namespace grtrace {

namespace {

Job job_of(uint64_t ctx, uint32_t ring, uint64_t error_ts, uint64_t complete_ts)
{
	Job job;

	job.ctx = ctx;
	job.seqno = 1;
	job.ring = ring;
	job.submit_ts = 10;
	job.error_ts = error_ts;
	job.complete_ts = complete_ts;
	job.error = -5;
	return job;
}

const TaskTable nobody;

struct Setting {
	Setting()
		: reading(read_text("cpu none\ninfo start=0\n")),
		  findings(reading->capture, losses), text(findings, reading->capture)
	{
	}

	std::unique_ptr<Reading> reading;
	LossSpans losses;
	Findings findings;
	FindingText text;
};

Finding hang_of(uint64_t ctx, uint32_t ring)
{
	Finding finding;

	finding.kind = CauseKind::hang;
	finding.root = {ctx, 1, ring};
	return finding;
}

} // namespace

TEST(FailedJobs, the_first_one_is_that_with_the_first_error)
{
	FailedJobs failed;

	failed.add(job_of(5, 1, 500, Job::none), nobody);
	EXPECT_EQ(failed.first().ctx, 5u);
	failed.add(job_of(6, 1, Job::none, 100), nobody);
	EXPECT_EQ(failed.first().ctx, 6u);
	failed.add(job_of(7, 1, 90, 1000), nobody);
	EXPECT_EQ(failed.first().ctx, 7u);
	failed.add(job_of(8, 1, Job::none, 95), nobody);
	EXPECT_EQ(failed.first().ctx, 7u);
}

TEST(FailedJobs, the_first_one_names_who_is_to_blame)
{
	auto reading = read_text("cpu 0\ntask pid=8 comm=shell\n"
				 "error guilty=71 comm=game.exe\nerror guilty=8\n");
	const TaskTable &tasks = reading->capture.session().tasks;
	Job job = job_of(5, 1, 500, Job::none);

	job.error_kinds = 1 << GRTRACE_ERROR_TIMEOUT;
	EXPECT_EQ(failure_text(job, tasks), "timeout, -EIO");
	job.guilty_pid = 71;
	EXPECT_EQ(failure_text(job, tasks), "timeout, -EIO, by game.exe:71");
	job.guilty_pid = 8;
	EXPECT_EQ(failure_text(job, tasks), "timeout, -EIO, by shell:8");
	job.guilty_pid = 9;
	EXPECT_EQ(failure_text(job, tasks), "timeout, -EIO, by ?:9");
}

TEST(FailedJobs, count_each_ring_once)
{
	Setting setting;
	FailedJobs failed;

	for (const uint32_t ring : {GRTRACE_RING_NONE, 7u, 7u, UINT32_MAX})
		failed.add(job_of(5, ring, 1, 2), nobody);
	EXPECT_NE(failed.sentence(setting.text).find(" and "), std::string::npos);
	for (uint32_t ring = 1; ring <= 50000; ring++)
		failed.add(job_of(5, ring, 1, 2), nobody);
	EXPECT_TRUE(failed.sentence(setting.text)
			    .starts_with("50,004 jobs failed on 50001 rings, first 5:1 at "));
}

TEST(FailedJobs, are_hangs_if_each_is_in_a_finding)
{
	const Finding findings[] = {Finding(), hang_of(5, 1), hang_of(6, 2)};
	FailedJobs failed;

	failed.add(job_of(6, 2, 1, 2), nobody);
	EXPECT_TRUE(failed.are_hangs_of(findings));
	EXPECT_FALSE(failed.are_hangs_of({findings, 2}));
	failed.add(job_of(5, 1, 1, 2), nobody);
	EXPECT_TRUE(failed.are_hangs_of(findings));
	failed.add(job_of(5, 2, 1, 2), nobody);
	EXPECT_FALSE(failed.are_hangs_of(findings));
}

TEST(FailedJobs, are_too_many_to_be_in_findings)
{
	const Finding findings[] = {hang_of(5, 1)};
	FailedJobs failed;

	for (int i = 0; i < 64; i++)
		failed.add(job_of(5, 1, 1, 2), nobody);
	EXPECT_TRUE(failed.are_hangs_of(findings));
	failed.add(job_of(5, 1, 1, 2), nobody);
	EXPECT_FALSE(failed.are_hangs_of(findings));
}

} // namespace grtrace
