// SPDX-License-Identifier: GPL-2.0
//
// A LOST comes out at its own time.
#include "unit/from_text.h"

namespace grtrace {

namespace {

// CPU 1 wrote one record, was quiet for long, lost three and wrote again.
const char *const quiet_cpu = "cpu 1\n"
			      "submit ctx=1 seqno=1 gseq=0 ts=100\n"
			      "cpu 0\n"
			      "submit ctx=1 seqno=2 gseq=1 ts=200\n"
			      "submit ctx=1 seqno=3 gseq=2 ts=300\n"
			      "submit ctx=1 seqno=4 gseq=3 ts=500\n"
			      "cpu 1\n"
			      "packet\n"
			      "lost events=3 first=400 last=550\n"
			      "submit ctx=1 seqno=5 gseq=4 ts=600\n";

const Lines in_time = {"Q 1", "Q 2", "Q 3", "mL 0", "Q 4", "Q 5"};

} // namespace

TEST(LossQueue, a_loss_on_a_quiet_cpu_waits_for_its_time)
{
	EXPECT_EQ(read_text(quiet_cpu, "%a %S")->lines, in_time);
}

// A stream holds nothing back that is due: the LOST comes when its CPU
// writes again.
TEST(LossQueue, in_a_stream_as_early_as_can_be)
{
	EXPECT_EQ(read_stream(quiet_cpu, "%a %S")->lines,
		  (Lines{"Q 1", "Q 2", "Q 3", "Q 4", "mL 0", "Q 5"}));
}

TEST(LossQueue, comes_before_an_event_of_the_same_time)
{
	const char *const text = "cpu 0\n"
				 "submit ctx=1 seqno=1 gseq=0 ts=100\n"
				 "submit ctx=1 seqno=2 gseq=1 ts=200\n"
				 "cpu 1\n"
				 "lost events=1 first=200 last=200\n"
				 "submit ctx=1 seqno=3 gseq=2 ts=300\n";

	EXPECT_EQ(read_text(text, "%a %S")->lines, (Lines{"Q 1", "mL 0", "Q 2", "Q 3"}));
}

TEST(LossQueue, splits_a_run)
{
	std::string text = "cpu 0\n";
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	std::span<const Event> run;
	uint64_t last_ts = 0;
	bool seen = false;

	for (int i = 0; i < 40; i++)
		text += fmt::format("submit ctx=1 seqno={} gseq={} ts={}\n", i, i, 1000 + 10 * i);
	text += "cpu 1\nlost events=1 first=1195 last=1300\n"
		"submit ctx=1 seqno=40 ts=2000\n";
	capture.open_memory(bytes_of(text, false), true);
	while (capture.next(run) == Next::event) {
		if (!run.front().sequenced) {
			EXPECT_EQ(last_ts, 1190u);
			EXPECT_EQ(run.size(), 1u);
			EXPECT_EQ(lost_of(run.front()).events, 1u);
			seen = true;
		} else {
			EXPECT_EQ(seen, run.front().ts > 1195);
			EXPECT_EQ(seen, run.back().ts > 1195);
		}
		last_ts = run.back().ts;
	}
	EXPECT_TRUE(seen);
	EXPECT_EQ(last_ts, 2000u);
}

// Nothing was written behind it.
TEST(LossQueue, at_the_end_what_waits_comes_by_time)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=0 ts=100\n"
			   "lost events=2 first=900 last=950\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=1 ts=150\n"
			   "lost events=3 first=800 last=850\n",
			   "%a %m");

	ASSERT_EQ(r->lines.size(), 4u);
	EXPECT_EQ(r->lines[2].substr(0, 6), "mL 3 r");
	EXPECT_EQ(r->lines[3].substr(0, 6), "mL 2 r");
}

// Its time is damaged: "before the first record that was written again" is still
// true, and no other loss has to hurry for it.
TEST(LossQueue, does_not_wait_beyond_the_next_record_of_its_cpu)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=0 ts=100\n"
			   "lost events=2 first=400 last=450\n"
			   "submit ctx=1 seqno=4 gseq=3 ts=500\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=1 ts=150\n"
			   "lost events=3 first=99999999 last=450\n"
			   "submit ctx=1 seqno=3 gseq=2 ts=200\n",
			   "%a %S %m");

	ASSERT_EQ(r->lines.size(), 6u);
	EXPECT_EQ(r->lines[1].substr(0, 3), "Q 2");
	EXPECT_EQ(r->lines[2].substr(0, 8), "mL 0 3 r");
	EXPECT_EQ(r->lines[3].substr(0, 3), "Q 3");
	EXPECT_EQ(r->lines[4].substr(0, 8), "mL 0 2 r");
}

// A file of nothing else must not fill the memory.
TEST(LossQueue, keeps_so_many_and_no_more)
{
	std::string text = "cpu 0\nsubmit ctx=1 seqno=1 gseq=0 ts=100\n";

	for (size_t i = 0; i < LossQueue::limit + 10; i++)
		text += fmt::format("lost events=1 first={0} last={0}\n", 1000 + i);
	auto r = read_text(text, "%a");
	ASSERT_EQ(r->events.size(), LossQueue::limit + 11);
	for (size_t i = 1; i < r->events.size(); i++)
		ASSERT_EQ(r->events[i].ts, 999 + i);
	EXPECT_EQ(r->capture.stats().lost(), LossQueue::limit + 10);
}

} // namespace grtrace
