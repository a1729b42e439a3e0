// SPDX-License-Identifier: GPL-2.0
//
// CPU files in the order of the session.
#include "from_text.h"

namespace grtrace {

TEST(Merger, follows_gseq_even_against_time)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=0 ts=500\n"
			   "submit ctx=1 seqno=4 gseq=3 ts=600\n"
			   "cpu 2\n"
			   "submit ctx=1 seqno=3 gseq=2 ts=100\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=1 ts=900\n"
			   "submit ctx=1 seqno=5 gseq=4 ts=950\n",
			   "%c %S");

	EXPECT_EQ(r->lines, (Lines{"0 1", "1 2", "2 3", "0 4", "1 5"}));
	EXPECT_EQ(r->capture.stats().unordered, 0u);
	EXPECT_EQ(r->capture.gseq_holes(), 0u);
}

TEST(Merger, with_order_clock_follows_time_then_cpu)
{
	auto r = read_text("cpu none\ninfo start=0 features=0x10\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 ts=100\n"
			   "submit ctx=1 seqno=4 ts=200\n"
			   "cpu 0\n"
			   "submit ctx=1 seqno=1 ts=100\n"
			   "submit ctx=1 seqno=3 ts=150\n",
			   "%c %S");

	EXPECT_EQ(r->lines, (Lines{"0 1", "1 2", "0 3", "1 4"}));
}

// The feature bit may stand in any of the files.
TEST(Merger, learns_the_order_from_a_later_file)
{
	std::vector<Bytes> first =
		bytes_of("cpu 0\nsubmit ctx=1 seqno=2 gseq=0 ts=100\n", false);
	std::vector<Bytes> second =
		bytes_of("cpu 1\npacket\ninfo start=0 features=0x10\n"
			 "submit ctx=1 seqno=1 gseq=1 ts=50\n",
			 false);
	Reading r({first[0], second[0]}, true, "%S");

	EXPECT_EQ(r.lines, (Lines{"1", "2"}));
}

TEST(Merger, lost_stands_behind_the_record_before_it)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=0\n"
			   "lost events=5\n"
			   "submit ctx=1 seqno=3 gseq=2\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=1\n",
			   "%a %S");

	EXPECT_EQ(r->lines, (Lines{"Q 1", "mL 0", "Q 2", "Q 3"}));
}

// The packet that tells of a loss was begun when it was over.
TEST(Merger, lost_stands_there_also_in_a_later_packet)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 ring=1 seqno=1 ts=1000\n"
			   "cpu 1\n"
			   "submit ctx=1 ring=1 seqno=2 ts=1100\n"
			   "cpu 0\n"
			   "packet\n"
			   "lost events=1 first=1050 last=1150\n"
			   "submit ctx=1 ring=1 seqno=3 ts=1200\n",
			   "%a %S");

	EXPECT_EQ(r->lines, (Lines{"Q 1", "mL 0", "Q 2", "Q 3"}));
}

TEST(Merger, an_empty_file_is_a_cpu_with_nothing_to_say)
{
	std::vector<Bytes> streams = bytes_of("cpu 1\nsubmit seqno=1\n", false);

	streams.insert(streams.begin(), Bytes());
	Reading r(streams);
	EXPECT_EQ(r.events.size(), 1u);
	EXPECT_EQ(r.diagnostics.errors(), 0u);
}

TEST(Merger, nothing_at_all_is_an_empty_capture)
{
	Reading r({Bytes(), Bytes()});

	ASSERT_EQ(r.sentences.size(), 1u);
	EXPECT_NE(r.sentences[0].find("empty"), std::string::npos);
}

// A packet missing in one file does not disturb the others' order.
TEST(Merger, goes_on_in_order_after_damage)
{
	std::vector<Bytes> streams =
		bytes_of("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\n"
			 "packet\nsubmit ctx=1 seqno=3 gseq=2\n"
			 "packet\nsubmit ctx=1 seqno=5 gseq=4\n"
			 "cpu 1\nsubmit ctx=1 seqno=2 gseq=1\n"
			 "submit ctx=1 seqno=4 gseq=3\n",
			 false);

	streams[0][64 + 32 + 64 + 2] = 1;
	Reading r(streams, true, "%S");
	EXPECT_EQ(r.lines, (Lines{"1", "2", "4", "5"}));
	EXPECT_EQ(r.capture.stats().missing, 1u);
}

} // namespace grtrace
