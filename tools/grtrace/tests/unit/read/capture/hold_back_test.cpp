// SPDX-License-Identifier: GPL-2.0
//
// One stream in which the packets of CPUs alternate.
#include "unit/from_text.h"

#include <unistd.h>

#include "read/stream/byte_reader.h"

namespace grtrace {

TEST(HoldBack, puts_alternating_packets_in_order)
{
	auto r = read_stream("cpu 1\n"
			     "submit ctx=1 seqno=2 gseq=1\n"
			     "submit ctx=1 seqno=5 gseq=4\n"
			     "cpu 0\n"
			     "submit ctx=1 seqno=1 gseq=0\n"
			     "submit ctx=1 seqno=3 gseq=2\n"
			     "submit ctx=1 seqno=4 gseq=3\n",
			     "%S");

	EXPECT_EQ(r->lines, (Lines{"1", "2", "3", "4", "5"}));
	EXPECT_EQ(r->capture.stats().unordered, 0u);
}

TEST(HoldBack, accepts_a_hole_at_the_end)
{
	auto r = read_stream("cpu 0\n"
			     "submit ctx=1 seqno=1 gseq=0\n"
			     "submit ctx=1 seqno=9 gseq=8\n"
			     "cpu 1\n"
			     "submit ctx=1 seqno=7 gseq=6\n",
			     "%S");

	EXPECT_EQ(r->lines, (Lines{"1", "7", "9"}));
	EXPECT_EQ(r->capture.unseen(), 6u);
	EXPECT_EQ(r->capture.stats().lost(), 6u);
}

TEST(HoldBack, keeps_text_and_loss_of_what_it_holds)
{
	auto r = read_stream("cpu 1\n"
			     "submit ctx=1 seqno=2 gseq=1\n"
			     "message hello\n"
			     "lost events=2\n"
			     "cpu 0\n"
			     "submit ctx=1 seqno=1 gseq=0\n",
			     "%a %m");

	ASSERT_EQ(r->lines.size(), 4u);
	EXPECT_EQ(r->lines[2], "m hello");
	EXPECT_EQ(r->lines[3].substr(0, 17), "mL 2 records lost");
}

// It comes when its CPU writes again, behind what others wrote meanwhile.
TEST(HoldBack, a_loss_that_is_told_late_is_not_out_of_order)
{
	auto r = read_stream("cpu 0\n"
			     "submit ctx=1 seqno=1 gseq=0\n"
			     "cpu 1\n"
			     "submit ctx=1 seqno=2 gseq=1\n"
			     "submit ctx=1 seqno=3 gseq=2\n"
			     "cpu 0\n"
			     "lost events=2\n"
			     "submit ctx=1 seqno=4 gseq=3\n",
			     "%a %S");

	EXPECT_EQ(r->lines, (Lines{"Q 1", "Q 2", "Q 3", "mL 0", "Q 4"}));
	EXPECT_EQ(r->capture.stats().unordered, 0u);
	EXPECT_EQ(r->sentences, Lines{});
}

// A pipe that falls silent: what is due comes at once, "again" says that it
// is time to flush, and a hole is accepted after the wait.
TEST(HoldBack, is_prompt_on_a_pipe)
{
	std::vector<Bytes> bytes = bytes_of("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\n"
					    "submit ctx=1 seqno=3 gseq=2\n",
					    true);
	int ends[2];

	ASSERT_EQ(pipe(ends), 0);
	ASSERT_EQ(write(ends[1], bytes[0].data(), bytes[0].size()),
		  static_cast<ssize_t>(bytes[0].size()));

	Diagnostics diagnostics(nullptr);
	Session session;
	StreamStats stats;
	ByteReader in(ends[0]);
	Decoder decoder("pipe", in, session, stats, diagnostics);
	HoldBack hold_back(decoder, in, stats);
	const Event *event;

	ASSERT_EQ(hold_back.next(event), Next::event);
	EXPECT_EQ(event->seqno, 1u);
	EXPECT_EQ(hold_back.next(event), Next::again);
	ASSERT_EQ(hold_back.next(event), Next::event);
	EXPECT_EQ(event->seqno, 3u);
	close(ends[1]);
	EXPECT_EQ(hold_back.next(event), Next::end);
}

// Records that never get a predecessor do not pile up.
TEST(HoldBack, holds_no_more_than_its_limit)
{
	std::string text = "cpu 0\nsubmit seqno=0 gseq=0\n";
	std::vector<Bytes> bytes;
	size_t count = HoldBack::limit + 1000;

	for (size_t i = 0; i < count; i++)
		text += fmt::format("submit ctx=1 seqno={} gseq={}\n", i, 2 * i + 5);
	bytes = bytes_of(text, true);

	Diagnostics diagnostics(nullptr);
	Session session;
	StreamStats stats;
	ByteReader in(bytes[0].data(), bytes[0].size());
	Decoder decoder("memory", in, session, stats, diagnostics);
	HoldBack hold_back(decoder, in, stats);
	const Event *event;

	ASSERT_EQ(hold_back.next(event), Next::event);
	ASSERT_EQ(hold_back.next(event), Next::event);

	// This many events are before the place where it continues to read.
	ByteReader again(bytes[0].data(), bytes[0].size());
	StreamStats others;
	Decoder counter("memory", again, session, others, diagnostics);
	size_t read = 0;

	for (Event one; again.offset() < in.offset(); read++)
		ASSERT_EQ(counter.next(one), Next::event);
	EXPECT_EQ(read, HoldBack::limit + 1);
}

// There was no more room to hold its successors.
TEST(HoldBack, counts_what_comes_too_late)
{
	std::vector<Bytes> bytes = bytes_of("cpu 0\n"
					    "submit ctx=1 seqno=1 gseq=0\n"
					    "submit ctx=1 seqno=3 gseq=2\n"
					    "submit ctx=1 seqno=4 gseq=3\n"
					    "cpu 1\n"
					    "submit ctx=1 seqno=2 gseq=1\n",
					    true);
	Diagnostics diagnostics(nullptr);
	Session session;
	StreamStats stats;
	ByteReader in(bytes[0].data(), bytes[0].size());
	Decoder decoder("memory", in, session, stats, diagnostics);
	HoldBack hold_back(decoder, in, stats, 1);
	std::vector<uint32_t> seqnos;
	const Event *event;

	while (hold_back.next(event) == Next::event)
		seqnos.push_back(event->seqno);
	EXPECT_EQ(seqnos, (std::vector<uint32_t>{1, 3, 4, 2}));
	EXPECT_EQ(stats.unordered, 1u);
}

} // namespace grtrace
