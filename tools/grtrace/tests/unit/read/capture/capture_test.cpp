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

TEST(Capture, an_empty_one_says_so)
{
	Reading r({Bytes()});

	EXPECT_EQ(r.sentences, (Lines{"memory: the capture is empty: nothing was recorded, or the "
				      "recorder was killed before it wrote"}));
}

} // namespace grtrace
