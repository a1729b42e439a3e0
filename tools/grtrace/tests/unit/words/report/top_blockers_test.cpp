// SPDX-License-Identifier: GPL-2.0
#include "unit/from_text.h"

#include <random>
#include <sstream>

#include "words/report/top_blockers.h"

namespace grtrace {

namespace {

Job job_of(uint64_t seqno)
{
	Job job;

	job.ctx = 5;
	job.seqno = seqno;
	job.ring = 1;
	job.submit_ts = 1000;
	return job;
}

struct Setting {
	explicit Setting(size_t limit, std::string_view text = "")
		: reading(read_text(text)), top(limit, reading->capture, losses)
	{
	}

	Lines print()
	{
		fmt::memory_buffer out;
		Lines lines;

		top.print(out);
		std::istringstream text(fmt::to_string(out));
		for (std::string line; std::getline(text, line);)
			lines.push_back(line);
		return lines;
	}

	std::unique_ptr<Reading> reading;
	LossSpans losses;
	TopBlockers top;
};

} // namespace

TEST(TopBlockers, blames_the_part_that_the_label_is_about)
{
	Job job = job_of(1);

	job.blocked_ts = 1100;
	job.pick_ts = 1300;
	job.commit_ts = 1310;
	job.start_ts = 1400;
	job.end_ts = 1450;
	job.complete_ts = 1455;
	EXPECT_EQ(blame_of(job, JobLabel::blocked).ns, 200u);
	EXPECT_EQ(blame_of(job, JobLabel::long_queue).ns, 400u);
	EXPECT_EQ(blame_of(job, JobLabel::slow_execution).ns, 50u);
	EXPECT_EQ(blame_of(job, JobLabel::preempted).ns, 50u);
	EXPECT_EQ(blame_of(job, JobLabel::host_bound).ns, 15u);
	EXPECT_STREQ(blame_of(job, JobLabel::failed).part, "queue");
	EXPECT_EQ(blame_of(job, JobLabel::failed).ns, 400u);
	EXPECT_EQ(blame_of(job_of(1), JobLabel::failed).ns, Job::none);
	job.commit_ts = Job::none;
	EXPECT_EQ(blame_of(job, JobLabel::host_bound).ns, 5u);
}

TEST(TopBlockers, tells_who_held_a_job_and_for_which_share)
{
	Setting setting(3, "info start=500\n"
			   "ring id=1 class=1 device=card0 driver=mock "
			   "name=gfx\n"
			   "cpu 0\n"
			   "task pid=7 tgid=7 comm=one\n"
			   "task pid=8 tgid=8 comm=two\n"
			   "message hello\n");
	Job job = job_of(1);

	job.pid = 7;
	job.blocked_ts = 1000;
	job.pick_ts = 1600;
	job.complete_ts = 1800;
	job.blocker_ctx = 4;
	job.blocker_seqno = 9;
	job.blocker_pid = 8;
	setting.top.job(job, JobLabel::blocked);

	Lines lines = setting.print();
	ASSERT_EQ(lines.size(), 6u);
	EXPECT_EQ(lines[3], "blocked by a dependency: 1 job, 75.0 % of their "
			    "time");
	EXPECT_EQ(lines[4], "     600 ns blocked  75.0      800 ns      500 ns "
			    " gfx          one              5:1             "
			    "by 4:9 of two");
	EXPECT_EQ(lines[5], "no job: long queue, slow execution, host-bound, "
			    "preempted, failed");
}

TEST(TopBlockers, tells_how_a_job_failed)
{
	Setting setting(3);
	Job job = job_of(1);

	job.failed = true;
	job.error = -110;
	job.error_kinds = 1 << GRTRACE_ERROR_TIMEOUT;
	setting.top.job(job, JobLabel::failed);
	Lines lines = setting.print();
	EXPECT_EQ(lines[3], "failed: 1 job, NA % of their time");
	EXPECT_EQ(lines[4].substr(0, 37), "         NA -          NA          NA");
	EXPECT_TRUE(lines[4].ends_with("timeout, -ETIMEDOUT")) << lines[4];
}

TEST(TopBlockers, leaves_alone_what_nothing_held)
{
	Setting setting(3);

	setting.top.job(job_of(1), JobLabel::ok);
	setting.top.job(job_of(2), JobLabel::incomplete);
	EXPECT_EQ(setting.print().size(), 4u);
}

// Against all jobs, sorted.
TEST(TopBlockers, keeps_the_worst_of_each_class)
{
	const size_t limit = 7;
	Setting setting(limit);
	std::mt19937 dice(11);
	std::vector<Job> jobs;

	for (uint64_t i = 0; i < 500; i++) {
		Job job = job_of(i);

		// Some take equally long, others unknown times.
		job.start_ts = 1000 + dice() % 200;
		if (dice() % 10)
			job.end_ts = job.start_ts + dice() % 300;
		job.complete_ts = 2000;
		jobs.push_back(job);
		setting.top.job(job, i % 2 ? JobLabel::long_queue : JobLabel::slow_execution);
	}

	Lines truth;
	for (bool queue : {true, false}) {
		std::vector<std::pair<uint64_t, uint64_t>> order;

		for (const Job &job : jobs)
			if ((job.seqno % 2 != 0) == queue)
				order.emplace_back(~(queue ? job.queue() : job.exec() + 1),
						   job.seqno);
		std::sort(order.begin(), order.end());
		for (size_t i = 0; i < limit; i++)
			truth.push_back(fmt::format("5:{}", order[i].second));
	}
	Lines found;
	for (const std::string &line : setting.print())
		if (size_t at = line.find(" 5:"); at != line.npos)
			found.push_back(line.substr(at + 1, line.find(' ', at + 1) - at - 1));
	EXPECT_EQ(found, truth);
}

} // namespace grtrace
