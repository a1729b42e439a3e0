// SPDX-License-Identifier: GPL-2.0
#include "words/export/chosen_jobs.h"

#include "unit/from_text.h"

namespace grtrace {
namespace {

// Counts the jobs between SUBMIT and END as exports do, only from moves between these.
struct Depths : CaptureExport {
	void moved(const Job &job, JobPhase from, uint64_t) override
	{
		depth += is_there(job.phase) - is_there(from);
		text += fmt::format(" {}", depth);
	}
	static bool is_there(JobPhase phase)
	{
		return phase > JobPhase::unseen && phase < JobPhase::ended;
	}

	int depth = 0;
	std::string text;
};

std::string depths_of(const std::string &pid, const std::string &text)
{
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	ExportOptions options;
	Depths depths;
	const Event *event;

	capture.open_memory(bytes_of(text, false), true);
	if (!pid.empty()) {
		EXPECT_TRUE(options.jobs.add_pids(pid).ok());
	}
	ChosenJobs chosen(options, 0, capture.session(), depths);
	JobTracker tracker(chosen, &chosen);
	while (capture.next(event) == Next::event)
		chosen.feed(tracker, *event, true);
	tracker.finish();
	return depths.text;
}

// The CPU of the PICK got its number first.
const char picked_first[] = "cpu 0\n"
			    "task pid=7 tgid=7 comm=one ts=1000\n"
			    "task pid=8 tgid=8 comm=two\n"
			    "submit pid=7 ctx=5 ring=1 seqno=1 ts=2000\n"
			    "pick pid=9 ctx=5 ring=1 seqno=2 ts=3000\n"
			    "submit pid=7 ctx=5 ring=1 seqno=2 ts=2999\n"
			    "commit ctx=5 ring=1 seqno=2 ts=4000\n"
			    "end ctx=5 ring=1 seqno=2 ts=5000\n"
			    "complete ctx=5 ring=1 seqno=2 ts=5001\n"
			    "end ctx=5 ring=1 seqno=1 ts=6000\n"
			    "complete ctx=5 ring=1 seqno=1 ts=6001\n";

TEST(ChosenJobs, CountsAJobWhoseSubmitComesLate)
{
	EXPECT_EQ(depths_of("", picked_first), " 1 2 2 1 1 0 0");
	EXPECT_EQ(depths_of("7", picked_first), " 1 2 2 1 1 0 0");
	EXPECT_EQ(depths_of("8", picked_first), "");
}

TEST(ChosenJobs, CountsTheNextJobInTheSamePlace)
{
	const std::string again =
		picked_first + std::string("pick pid=9 ctx=6 ring=1 seqno=1 ts=200007000\n"
					   "submit pid=7 ctx=6 ring=1 seqno=1 ts=200006999\n"
					   "end ctx=6 ring=1 seqno=1 ts=200008000\n");

	EXPECT_EQ(depths_of("", again), depths_of("7", again));
}

} // namespace
} // namespace grtrace
