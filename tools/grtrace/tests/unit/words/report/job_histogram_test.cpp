// SPDX-License-Identifier: GPL-2.0
#include "unit/jobs_from_text.h"

#include <random>
#include <sstream>

#include "words/report/job_histogram.h"

namespace grtrace {

namespace {

Terminal plain()
{
	return Terminal(TerminalFacts(), ColourWhen::never, 60);
}

// The lines under the heading.
Lines rows_of(ReportSection &section)
{
	fmt::memory_buffer out;
	Lines lines;

	section.print(out);
	std::istringstream text(fmt::to_string(out));
	for (std::string line; std::getline(text, line);)
		lines.push_back(line);
	lines.erase(lines.begin(), lines.begin() + 3);
	return lines;
}

struct Setting {
	explicit Setting(const char *word, std::string_view text = "")
		: reading(read_jobs(text)), terminal(plain()),
		  histogram(*find_histogram(word), reading->capture, terminal, losses)
	{
	}

	std::unique_ptr<JobReading> reading;
	Terminal terminal;
	LossSpans losses;
	JobHistogram histogram;
};

Job job_of(uint64_t total, uint32_t weight = 1)
{
	Job job;

	job.submit_ts = 5;
	job.complete_ts = total == Job::none ? total : 5 + total;
	job.weight = weight;
	return job;
}

} // namespace

TEST(JobHistogram, has_a_row_for_each_power_of_two)
{
	Setting setting("lat");

	for (uint64_t total : {0, 999, 1000, 1999, 2000, 3999, 4000})
		setting.histogram.job(job_of(total), JobLabel::ok);
	Lines rows = rows_of(setting.histogram);
	ASSERT_EQ(rows.size(), 12u);
	EXPECT_EQ(rows[0], "           0            1          2  28.6  "
			   "################");
	EXPECT_EQ(rows[1], "           1            2          2  28.6  "
			   "################");
	EXPECT_EQ(rows[3], "           4            8          1  14.3  "
			   "########");
	EXPECT_EQ(rows[4], "           8           16          0   0.0");
	EXPECT_EQ(rows[11], "        1024         2048          0   0.0");
}

TEST(JobHistogram, leaves_out_empty_rows_of_more_than_twelve)
{
	Setting setting("lat");

	setting.histogram.job(job_of(70000000), JobLabel::ok);
	Lines rows = rows_of(setting.histogram);
	ASSERT_EQ(rows.size(), 12u);
	EXPECT_EQ(rows[11].substr(0, 25), "       65536       131072");
	setting.histogram.job(job_of(1500), JobLabel::ok);
	EXPECT_EQ(rows_of(setting.histogram).size(), 17u);
}

TEST(JobHistogram, takes_any_time)
{
	Setting setting("lat");

	setting.histogram.job(job_of(UINT64_MAX - 6), JobLabel::ok);
	EXPECT_EQ(rows_of(setting.histogram).back().substr(0, 40),
		  "18014398509481984 36028797018963968     ");
}

TEST(JobHistogram, tells_of_jobs_that_it_knows_nothing_of)
{
	Setting setting("lat");

	setting.histogram.job(job_of(Job::none, 3), JobLabel::incomplete);
	setting.histogram.job(job_of(10, 4), JobLabel::ok);
	Lines rows = rows_of(setting.histogram);
	EXPECT_EQ(rows[0].substr(0, 42), "           0            1          4 100.0");
	EXPECT_EQ(rows.back(), "          NA           NA          3");
}

TEST(JobHistogram, counts_the_credits_of_pick)
{
	const char *text = "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
			   "ring id=2 class=1 device=v driver=virtio_gpu name=controlq\n"
			   "cpu 0\n"
			   "submit ctx=5 ring=1 seqno=1 arg=7\n"
			   "pick ctx=5 ring=1 seqno=1 arg=6\n"
			   "pick ctx=5 ring=1 seqno=2 arg=300\n"
			   "submit ctx=6 ring=2 seqno=1 command=519 arg=2\n"
			   "complete ctx=7 ring=1 seqno=1\n";
	Setting setting("size", text);

	for (const Job &job : setting.reading->jobs)
		setting.histogram.job(job, JobLabel::ok);
	Lines rows = rows_of(setting.histogram);
	EXPECT_EQ(rows[3].substr(0, 36), "           4            8          1");
	EXPECT_EQ(rows[9].substr(0, 36), "         256          512          1");
	// The command, and the job without a PICK.
	EXPECT_EQ(rows.back(), "          NA           NA          2");
}

// Against a count of each bound.
TEST(JobHistogram, is_right_for_random_jobs)
{
	Setting setting("exec");
	std::mt19937_64 dice(3);
	std::vector<Job> jobs;

	for (int i = 0; i < 3000; i++) {
		Job job;

		job.start_ts = dice() % 1000;
		job.end_ts = job.start_ts + (dice() >> (24 + dice() % 40));
		job.weight = 1 + dice() % 3;
		jobs.push_back(job);
		setting.histogram.job(job, JobLabel::ok);
	}
	Lines rows = rows_of(setting.histogram);
	uint64_t all = 0;
	for (const std::string &row : rows) {
		uint64_t from, below, count, truth = 0;

		std::istringstream(row) >> from >> below >> count;
		for (const Job &job : jobs)
			if (job.end_ts - job.start_ts >= from * 1000 &&
			    job.end_ts - job.start_ts < below * 1000)
				truth += job.weight;
		EXPECT_EQ(count, truth) << row;
		all += count;
	}
	for (const Job &job : jobs)
		all -= job.weight;
	EXPECT_EQ(all, 0u);
}

} // namespace grtrace
