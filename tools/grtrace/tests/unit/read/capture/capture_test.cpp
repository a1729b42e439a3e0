// SPDX-License-Identifier: GPL-2.0
#include "read/capture/capture.h"

#include "unit/from_text.h"

namespace grtrace {

TEST(Capture, a_task_has_the_name_that_it_had_then)
{
	auto r = read_text("cpu 0\ntask pid=7 tgid=7 comm=before\nsubmit pid=7 ctx=1 seqno=1\n"
			   "task pid=7 tgid=7 comm=after\nsubmit pid=7 ctx=1 seqno=2\n",
			   "%a %C");

	EXPECT_EQ(r->lines, (Lines{"mT before", "Q before", "mT after", "Q after"}));
}

TEST(Capture, a_number_that_is_in_no_file_is_a_gap_and_unseen)
{
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	std::vector<Gap> gaps;
	const Event *event;

	capture.open_memory(bytes_of("cpu 0\nsubmit ctx=1 seqno=1 gseq=0 ts=1000\n"
				     "submit ctx=1 seqno=2 gseq=3 ts=5000\n",
				     false),
			    true);
	ASSERT_EQ(capture.next(event), Next::event);
	EXPECT_FALSE(capture.has_gaps());
	ASSERT_EQ(capture.next(event), Next::event);
	ASSERT_TRUE(capture.has_gaps());
	gaps = capture.take_gaps();
	ASSERT_EQ(gaps.size(), 1u);
	EXPECT_EQ(gaps[0].from_ts, 1001u);
	EXPECT_EQ(gaps[0].to_ts, 5000u);
	EXPECT_EQ(gaps[0].records, 2u);
	EXPECT_FALSE(capture.has_gaps());
	EXPECT_EQ(capture.unseen(), 0u);
	EXPECT_EQ(capture.next(event), Next::end);
	EXPECT_EQ(capture.unseen(), 2u);
	EXPECT_EQ(capture.stats().missing, 2u);
}

TEST(Capture, its_length_is_from_the_start_to_the_last_event)
{
	auto r = read_text("cpu none\ninfo start=1000\ncpu 0\nsubmit ctx=1 seqno=1 ts=4000\n");

	EXPECT_EQ(r->capture.length(), 3000u);
	EXPECT_EQ(r->capture.files(), 1u);
	EXPECT_EQ(r->capture.file(0), "memory.0");
}

static const std::string two_cpus = "cpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
				    "cpu 1\nsubmit ctx=1 seqno=2\n";

// Returns how many of the sentences say that a CPU has no STOP.
static size_t without_stop(const std::string &rest, bool stream = false)
{
	auto r = stream ? read_stream(two_cpus + rest) : read_text(two_cpus + rest);
	size_t found = 0;

	EXPECT_EQ(r->lines.size(), 2u) << rest;
	for (const std::string &sentence : r->sentences)
		found += sentence.find("has no STOP") != sentence.npos;
	EXPECT_EQ(r->sentences.size(), found) << rest;
	EXPECT_EQ(r->capture.stats().damaged_places, found) << rest;
	return found;
}

TEST(Capture, a_finished_one_without_a_stop_is_damaged)
{
	const std::string stopped = "cpu none\nmeta state stopped\n";
	const std::string both = "cpu 0\nstop\ncpu 1\nstop\n";

	for (const bool stream : {false, true}) {
		EXPECT_EQ(without_stop(stopped, stream), 2u);
		EXPECT_EQ(without_stop("cpu 0\nstop\n" + stopped, stream), 1u);
		// That one CPU has one is enough to know.
		EXPECT_EQ(without_stop("cpu 1\nstop\n", stream), 1u);
		EXPECT_EQ(without_stop(both, stream), 0u);
		EXPECT_EQ(without_stop(both + stopped, stream), 0u);
	}
	auto r = read_text(two_cpus + "cpu 0\nstop\n" + stopped);
	EXPECT_EQ(r->sentences,
		  (Lines{"memory.1: damaged at offset 104: the recording was finished, and CPU 1 "
			 "has no STOP: its end was cut off, or was not read"}));
}

TEST(Capture, one_that_is_no_whole_recording_needs_no_stop)
{
	EXPECT_EQ(without_stop(""), 0u);
	EXPECT_EQ(without_stop("cpu none\nmeta state running\n"), 0u);
	for (const char *part : {"snapshot manual 5", "segment 3"})
		for (const char *state : {"", "cpu none\nmeta state stopped\n", "cpu 0\nstop\n"})
			EXPECT_EQ(
				without_stop(std::string("cpu none\nmeta ") + part + "\n" + state),
				0u);
	// The session stopped while it was recorded; the tables of the start come again.
	EXPECT_EQ(without_stop("cpu none\nmeta state stopped\nmeta state running\n"), 2u);
}

// The last numbers are those of a CPU whose end was cut off.
TEST(Capture, what_a_stop_counts_and_no_file_has_is_unseen)
{
	auto r = read_text(two_cpus + "cpu 0\nstop gseq=5 ts=9000\n");

	EXPECT_EQ(r->sentences.size(), 1u);
	EXPECT_EQ(r->capture.unseen(), 3u);
	ASSERT_EQ(r->capture.stats().places.size(), 1u);
	EXPECT_EQ(r->capture.stats().places[0].cpu, 1u);
	EXPECT_EQ(r->capture.stats().places[0].to_ts, 9000u);
}

TEST(Capture, an_empty_one_says_so)
{
	Reading r({Bytes()});

	EXPECT_EQ(r.sentences, (Lines{"memory: the capture is empty: nothing was recorded, or the "
				      "recorder was killed before it wrote"}));
}

} // namespace grtrace
