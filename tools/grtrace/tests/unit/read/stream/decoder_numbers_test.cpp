// SPDX-License-Identifier: GPL-2.0
//
// Which numbers of records and packets can be true?
#include "unit/from_text.h"

namespace grtrace {

TEST(Decoder, a_packet_that_goes_back_is_damage)
{
	auto r = read_text("cpu 0\n"
			   "pick ctx=1 seqno=1\n"
			   "pick ctx=1 seqno=2\n"
			   "packet cseq=1\n"
			   "pick ctx=1 seqno=3\n"
			   "packet\n"
			   "pick ctx=1 seqno=4\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:2", "I 1:4"}));
	ASSERT_EQ(r->sentences.size(), 1u);
	EXPECT_NE(r->sentences[0].find("goes back"), std::string::npos);
	EXPECT_EQ(r->capture.stats().lost(), 1u);
}

// No record is thrown away for it.
TEST(Decoder, a_count_of_lost_records_that_does_not_fit_is_damage)
{
	const std::pair<const char *, const char *> streams[] = {
		{"packet lost=64\npick ctx=1 seqno=2\npacket lost=0\npick ctx=1 seqno=3\n",
		 "0 records were lost on CPU 0 so far, though there were 64 before; one of the "
		 "numbers is damaged"},
		{"pick ctx=1 seqno=2\npick ctx=1 seqno=3\nstop lost=3\n",
		 "a STOP says that 3 records were lost on CPU 0, though 0 are known; the number "
		 "is damaged"},
	};

	for (const auto &[stream, what] : streams) {
		auto r = read_text(fmt::format("cpu 0\npick ctx=1 seqno=1\n{}", stream));

		EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:2", "I 1:3"}));
		EXPECT_EQ(r->capture.stats().damaged_places, 1u);
		ASSERT_EQ(r->sentences.size(), 1u);
		EXPECT_NE(r->sentences[0].find(what), std::string::npos) << r->sentences[0];
	}
}

// Misaligned bytes are taken for a record, and its gseq for one of millions.
TEST(Decoder, a_number_with_rubbish_behind_is_not_believed)
{
	auto r = read_text("cpu 0\n"
			   "pick ctx=1 seqno=1\n"
			   "pick ctx=1 seqno=2 gseq=5000\n"
			   "raw 00 00 00\n"
			   "packet\n"
			   "pick ctx=1 seqno=3\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:3"}));
	EXPECT_EQ(r->capture.stats().damaged_places, 1u);
	EXPECT_EQ(r->sentences.size(), 1u);
}

// A message without text ends with its number.
TEST(Decoder, a_number_is_not_believed_against_the_smallest_record)
{
	std::vector<Bytes> streams = bytes_of("cpu 0\n"
					      "pick ctx=1 seqno=1\n"
					      "pick ctx=1 seqno=2 gseq=4000\n"
					      "message\n",
					      false);
	const size_t message = streams[0].size() - sizeof(grtrace_rec_message);

	store32(&streams[0][message + offsetof(grtrace_rec_seq, seq)], 2);
	Reading r(streams);
	EXPECT_EQ(r.lines, (Lines{"I 1:1", "m 0:0"}));
	ASSERT_EQ(r.diagnostics.errors(), 1u);
	EXPECT_EQ(r.capture.stats().damaged_bytes, 32u);
}

// The bytes behind it are damaged, so nothing shows at once that 4000 is wrong.
TEST(Decoder, a_packet_whose_gseq_goes_back_is_damage)
{
	auto r = read_text("cpu 0\n"
			   "pick ctx=1 seqno=1\n"
			   "pick ctx=1 seqno=2 gseq=4000\n"
			   "raw 00 00 00\n"
			   "cpu 1\n"
			   "pick ctx=1 seqno=3 gseq=2\n"
			   "cpu 0\n"
			   "packet\n"
			   "pick ctx=1 seqno=4\n"
			   "cpu 1\n"
			   "pick ctx=1 seqno=5 gseq=4001\n"
			   "cpu 0\n"
			   "packet\n"
			   "pick ctx=1 seqno=6\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:3", "I 1:2", "I 1:5", "I 1:6"}));
	ASSERT_EQ(r->sentences.size(), 2u);
	EXPECT_NE(r->sentences[1].find("whose gseq goes back"), std::string::npos);
}

static constexpr const char *three_packets = "cpu none\ninfo start=0\n"
					     "cpu 0\n"
					     "pick ctx=1 seqno=1\n"
					     "packet\n"
					     "pick ctx=1 seqno=2\n"
					     "lost events=3 first=2000 last=2500\n"
					     "pick ctx=1 seqno=3\n"
					     "packet\n"
					     "pick ctx=1 seqno=4\n";

TEST(Decoder, reads_a_repeated_packet_once)
{
	for (const bool per_cpu : {true, false}) {
		std::vector<Bytes> streams = bytes_of(three_packets, false);
		Bytes &bytes = streams[0];
		const auto begin = bytes.begin() + 64 + 152 + 64 + 32;
		const Bytes packet(begin, begin + 64 + 32 + 48 + 32);

		for (int i = 0; i < 2; i++)
			bytes.insert(bytes.begin() + 64 + 152 + 64 + 32 + 176, packet.begin(),
				     packet.end());
		Reading r(streams, per_cpu);
		EXPECT_EQ(r.lines, (Lines{"I 1:1", "I 1:2", "mL 0:0", "I 1:3", "I 1:4"}));
		EXPECT_EQ(r.capture.stats().repeated_packets, 2u);
		EXPECT_EQ(r.capture.stats().records, 4u);
		EXPECT_EQ(r.capture.stats().lost(), 3u);
		EXPECT_EQ(r.capture.stats().damaged_bytes, 0u);
		EXPECT_EQ(r.diagnostics.errors(), 2u);
	}
}

// The part that the first copy lacks is read from the second one.
TEST(Decoder, reads_on_in_a_repeated_packet)
{
	std::vector<Bytes> streams = bytes_of(three_packets, false);
	Bytes &bytes = streams[0];
	const auto begin = bytes.begin() + 64 + 152 + 64 + 32;
	const Bytes cut(begin, begin + 64 + 32);

	bytes.insert(begin, cut.begin(), cut.end());
	Reading r(streams);
	EXPECT_EQ(r.lines, (Lines{"I 1:1", "I 1:2", "mL 0:0", "I 1:3", "I 1:4"}));
	EXPECT_EQ(r.capture.stats().repeated_packets, 1u);
	EXPECT_EQ(r.capture.stats().lost(), 3u);
}

// The records that a repeated packet has beyond the first copy come behind all that was
// read of its CPU, or they are damage.
TEST(Decoder, reads_nothing_old_in_a_repeated_packet)
{
	auto r = read_text("cpu 0\n"
			   "pick ctx=1 seqno=1 gseq=10\n"
			   "pick ctx=1 seqno=2 gseq=20\n"
			   "cpu 1\n"
			   "pick ctx=2 seqno=1 gseq=9\n"
			   "cpu 0\n"
			   "packet cseq=0\n"
			   "pick ctx=1 seqno=1 gseq=10\n"
			   "pick ctx=1 seqno=2 gseq=11\n"
			   "pick ctx=1 seqno=3 gseq=12\n"
			   "cpu 1\n"
			   "pick ctx=2 seqno=2 gseq=21\n"
			   "cpu 0\n"
			   "packet\n"
			   "pick ctx=1 seqno=4\n");

	EXPECT_EQ(r->lines, (Lines{"I 2:1", "I 1:1", "I 1:2", "I 2:2", "I 1:4"}));
	EXPECT_EQ(r->capture.stats().repeated_packets, 1u);
	EXPECT_EQ(r->capture.stats().damaged_places, 1u);
}

// The same behind a LOST, which takes numbers of cseq but no gseq.
TEST(Decoder, reads_nothing_old_behind_a_repeated_loss)
{
	auto r = read_text("cpu 0\n"
			   "pick ctx=1 seqno=1 gseq=20\n"
			   "cpu 1\n"
			   "pick ctx=2 seqno=1 gseq=9\n"
			   "cpu 0\n"
			   "packet cseq=0\n"
			   "pick ctx=1 seqno=1 gseq=10\n"
			   "lost events=2 first=1000 last=2000\n"
			   "pick ctx=1 seqno=2 gseq=11\n"
			   "pick ctx=1 seqno=3 gseq=12\n");

	EXPECT_EQ(r->lines, (Lines{"I 2:1", "I 1:1", "mL 0:0"}));
	EXPECT_EQ(r->capture.stats().damaged_places, 1u);
}

// --------------------------------------------------------------- far numbers

TEST(Decoder, a_gseq_far_from_its_neighbours_is_damage_by_itself)
{
	for (const char *seq : {"0x4000000b", "0x8000000b", "12", "3"}) {
		auto r = read_text(fmt::format("cpu none\ninfo start=0\ncpu 0\n"
					       "pick ctx=1 seqno=1 gseq=10\n"
					       "pick ctx=1 seqno=2 seq={}\n"
					       "pick ctx=1 seqno=3\n"
					       "packet\n"
					       "pick ctx=1 seqno=4\n",
					       seq));
		const StreamStats &stats = r->capture.stats();

		EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:3", "I 1:4"})) << seq;
		ASSERT_EQ(r->sentences.size(), 1u) << seq;
		EXPECT_NE(r->sentences[0].find("damaged at offset 312"), std::string::npos)
			<< r->sentences[0];
		EXPECT_EQ(stats.damaged_bytes, 32u);
		EXPECT_EQ(stats.lost(), 1u);
		EXPECT_EQ(stats.unordered, 0u);
		EXPECT_EQ(r->capture.unseen(), 0u);
	}
}

TEST(Decoder, the_packet_behind_it_is_a_neighbour)
{
	auto r = read_text("cpu none\ninfo start=0\ncpu 0\n"
			   "pick ctx=1 seqno=1\n"
			   "pick ctx=1 seqno=2 seq=300\n"
			   "packet\n"
			   "pick ctx=1 seqno=3\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:3"}));
	EXPECT_EQ(r->capture.stats().lost(), 1u);
	EXPECT_EQ(r->diagnostics.errors(), 1u);
}

TEST(Decoder, numbers_that_go_back_end_the_packet)
{
	auto r = read_text("cpu none\ninfo start=0\ncpu 0\n"
			   "pick ctx=1 seqno=1 gseq=10\n"
			   "pick ctx=1 seqno=2 seq=5\n"
			   "pick ctx=1 seqno=3 seq=6\n"
			   "packet\n"
			   "pick ctx=1 seqno=4\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:4"}));
	EXPECT_EQ(r->capture.stats().damaged_bytes, 64u);
	EXPECT_EQ(r->capture.stats().lost(), 2u);
	EXPECT_EQ(r->diagnostics.errors(), 1u);
}

// A CPU that was quiet for long, while others wrote.
TEST(Decoder, a_gseq_may_go_as_far_as_time_does)
{
	auto r = read_text("cpu none\ninfo start=0\ncpu 0\n"
			   "pick ctx=1 seqno=1 ts=1000\n"
			   "pick ctx=1 seqno=2 ts=1000000000 gseq=900000000\n"
			   "packet base_gseq=5000000000\n"
			   "pick ctx=1 seqno=3 gseq=5000000000\n"
			   "packet base_ts=7000000000 base_gseq=5000000001\n"
			   "pick ctx=1 seqno=4 ts=7000000000\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:2", "I 1:4"}));
	EXPECT_EQ(r->diagnostics.errors(), 1u);
}

TEST(Decoder, a_packet_with_far_numbers_is_damage)
{
	for (const char *far : {"cseq=0x10000000000", "base_gseq=0x10000000000",
				"lost=0x10000000000", "cseq=-1", "base_gseq=-1", "lost=-1"}) {
		auto r = read_text(fmt::format("cpu none\ninfo start=0\ncpu 0\n"
					       "pick ctx=1 seqno=1\n"
					       "packet {}\n"
					       "pick ctx=1 seqno=2\n"
					       "packet\n"
					       "pick ctx=1 seqno=3\n",
					       far));

		EXPECT_EQ(r->lines, (Lines{"I 1:1", "I 1:3"})) << far;
		EXPECT_EQ(r->capture.stats().lost(), 1u) << far;
		EXPECT_EQ(r->diagnostics.errors(), 1u) << far;
	}
}

// 2^24 of them where time stands still, behind the one record before.
TEST(Decoder, a_packets_cseq_may_go_as_far_as_is_near)
{
	for (const bool far : {false, true}) {
		auto r = read_text(fmt::format("cpu none\ninfo start=0\ncpu 0\n"
					       "pick ctx=1 seqno=1 ts=1000\n"
					       "packet base_ts=1000 cseq={}\n"
					       "pick ctx=1 seqno=2 ts=1000\n",
					       (1 << 24) + 1 + far));

		EXPECT_EQ(r->lines, far ? Lines{"I 1:1"} : (Lines{"I 1:1", "I 1:2"}));
	}
}

TEST(Decoder, a_lost_of_more_than_its_time_has_room_for_is_damage)
{
	auto r = read_text("cpu none\ninfo start=0\ncpu 0\n"
			   "pick ctx=1 seqno=1\n"
			   "lost events=0x100000000 first=1000 last=2000\n"
			   "pick ctx=1 seqno=2\n");

	EXPECT_EQ(r->lines, (Lines{"I 1:1"}));
	EXPECT_EQ(r->capture.stats().lost(), 0u);
	EXPECT_EQ(r->diagnostics.errors(), 1u);
}

} // namespace grtrace
