// SPDX-License-Identifier: GPL-2.0
#include "unit/jobs_from_text.h"

#include "words/report/result_histogram.h"

namespace grtrace {

static std::string histogram_of(std::string_view text)
{
	Terminal terminal(TerminalFacts(), ColourWhen::never, 60);
	LossSpans losses;
	ResultHistogram histogram(terminal, losses);
	fmt::memory_buffer out;

	std::unique_ptr<JobReading> reading = read_jobs(text);
	for (const Job &job : reading->jobs)
		histogram.job(job, JobLabel::ok);
	histogram.print(out);
	return fmt::to_string(out);
}

TEST(ResultHistogram, counts_each_job_once_by_its_completion)
{
	EXPECT_EQ(histogram_of("cpu 0\n"
			       "complete ctx=5 ring=1 seqno=1\n"
			       "complete ctx=5 ring=1 seqno=2 arg=-5\n"
			       "complete ctx=5 ring=1 seqno=3\n"
			       "complete ctx=5 ring=1 seqno=4 arg=-125\n"
			       "complete ctx=5 ring=1 seqno=5 arg=-125\n"
			       "complete ctx=5 ring=1 seqno=6 arg=-999\n"
			       "submit ctx=5 ring=1 seqno=7\n"
			       "complete ctx=5 ring=1 seqno=8\n"),
		  "\nHistogram: how jobs ended\n"
		  "COMPLETE with                   jobs     %\n"
		  "ok                                 3  37.5  "
		  "################\n"
		  "-ECANCELED                         2  25.0  "
		  "###########\n"
		  "-999                               1  12.5  #####\n"
		  "-EIO                               1  12.5  #####\n"
		  "no COMPLETE recorded               1  12.5  #####\n");
}

TEST(ResultHistogram, counts_jobs_by_the_errors_they_had)
{
	std::string text = histogram_of("cpu 0\n"
					"submit ctx=5 ring=1 seqno=1\n"
					"error ctx=5 ring=1 seqno=1 kind=1 code=-110\n"
					"error ctx=5 ring=1 seqno=1 kind=1 code=-110\n"
					"error ctx=5 ring=1 seqno=1 kind=4 code=0\n"
					"complete ctx=5 ring=1 seqno=1 arg=-62\n"
					"submit ctx=5 ring=1 seqno=2\n"
					"error ctx=5 ring=1 seqno=2 kind=1 code=-110\n"
					"error ctx=5 ring=1 seqno=2 kind=77 code=1\n"
					"complete ctx=5 ring=1 seqno=2\n"
					"error ring=1 kind=3 code=0\n");

	EXPECT_NE(text.find("ok                                 1  50.0"), text.npos);
	EXPECT_NE(text.find("-ETIME                             1  50.0"), text.npos);
	EXPECT_NE(text.find("with an ERROR, or several\n"
			    "timeout                            2 100.0  "
			    "################\n"
			    "kill                               1  50.0  "
			    "################\n"
			    "?                                  1  50.0"),
		  text.npos)
		<< text;
	EXPECT_EQ(text.find("reset"), text.npos);
}

} // namespace grtrace
