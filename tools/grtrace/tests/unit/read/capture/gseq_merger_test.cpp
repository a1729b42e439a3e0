// SPDX-License-Identifier: GPL-2.0
//
// The hard cases on the way through the window: the rest is in merger_test.
#include "read/capture/gseq_merger.h"

#include "unit/from_text.h"

namespace grtrace {

TEST(GseqMerger, a_number_that_comes_twice_comes_out_twice)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\nsubmit ctx=1 seqno=2 gseq=1\n"
			   "cpu 1\nsubmit ctx=2 seqno=1 gseq=1\nsubmit ctx=2 seqno=2 gseq=2\n",
			   "%c %x:%S");

	EXPECT_EQ(r->lines, (Lines{"0 1:1", "0 1:2", "1 2:1", "1 2:2"}));
}

// Far more numbers than the window has places.
TEST(GseqMerger, goes_on_behind_a_hole_larger_than_the_window)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\nsubmit ctx=1 seqno=2 gseq=4000\n"
			   "cpu 1\nsubmit ctx=2 seqno=1 gseq=3999\n",
			   "%x:%S");

	EXPECT_EQ(r->lines, (Lines{"1:1", "2:1", "1:2"}));
	EXPECT_EQ(r->capture.unseen(), 3998u);
}

// So far that going there window by window would take forever.
TEST(GseqMerger, a_stream_that_ended_does_not_hide_how_far_the_others_are)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\n"
			   "cpu 1\npacket base_ts=1000000000000 base_gseq=1000000000000\n"
			   "submit ctx=2 seqno=1 gseq=1000000000000\n",
			   "%x:%S");

	EXPECT_EQ(r->lines, (Lines{"1:1", "2:1"}));
	EXPECT_EQ(r->capture.unseen(), 999999999999u);
}

TEST(GseqMerger, a_stream_that_ended_is_waited_for_by_nobody)
{
	std::string text = "cpu 0\nsubmit ctx=1 seqno=1 gseq=0\ncpu 1\n";

	for (int i = 1; i < 600; i++)
		text += fmt::format("submit ctx=2 seqno={0} gseq={0}\n", i);
	auto r = read_text(text, "%x:%S");

	ASSERT_EQ(r->lines.size(), 600u);
	EXPECT_EQ(r->lines.back(), "2:599");
	EXPECT_EQ(r->capture.unseen(), 0u);
}

} // namespace grtrace
