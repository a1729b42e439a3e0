// SPDX-License-Identifier: GPL-2.0
#include "words/parse/step_times.h"

#include "unit/from_text.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

namespace {

struct Nobody : JobSink {
	void job(const Job &) override {}
};

// ns that each event's step took, "-" where it is not known.
std::string times_of(const char *text)
{
	auto r = read_text(text);
	Nobody nobody;
	StepTimes steps;
	JobTracker tracker(nobody, &steps);
	std::string times;

	for (const Event &event : r->events) {
		steps.expect(event);
		tracker.feed(event);
		times += steps.elapsed() == Job::none ? "- " : fmt::format("{} ", steps.elapsed());
	}
	return times;
}

} // namespace

TEST(StepTimes, each_step_is_since_the_one_that_it_waited_for)
{
	EXPECT_EQ(times_of("cpu 0\nsubmit ctx=1 ring=1 seqno=1 ts=1000\n"
			   "blocked ctx=1 ring=1 seqno=1 fence=9:1 ts=1100\n"
			   "pick ctx=1 ring=1 seqno=1 ts=1300\n"
			   "commit ctx=1 ring=1 seqno=1 fence=8:1 ts=1350\n"
			   "start ctx=1 ring=1 seqno=1 ts=1360\n"
			   "end ctx=1 ring=1 seqno=1 ts=1900\n"
			   "complete ctx=1 ring=1 seqno=1 ts=2350\n"),
		  "- 100 300 50 10 540 1000 ");
}

TEST(StepTimes, without_a_start_the_ring_had_it_since_it_was_handed_over)
{
	EXPECT_EQ(times_of("cpu 0\nsubmit ctx=1 ring=1 seqno=1 ts=1000\n"
			   "commit ctx=1 ring=1 seqno=1 fence=8:1 ts=1200\n"
			   "fence ctx=8 seqno=1 ts=1900\n"),
		  "- 200 700 ");
}

TEST(StepTimes, a_wait_is_since_its_own_begin)
{
	EXPECT_EQ(times_of("cpu 0\nwait_enter pid=7 ctx=1 seqno=1 ts=1000\n"
			   "wait_enter pid=8 ctx=1 seqno=1 ts=1100\n"
			   "wait_exit pid=7 ctx=1 seqno=1 ts=1900\n"
			   "wait_exit pid=9 ctx=1 seqno=1 ts=1900\n"),
		  "- - 900 - ");
}

TEST(StepTimes, what_is_missing_has_no_time)
{
	EXPECT_EQ(times_of("cpu 0\ncomplete ctx=1 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=1 ring=1 seqno=2 ts=1100\n"),
		  "- - ");
}

} // namespace grtrace
