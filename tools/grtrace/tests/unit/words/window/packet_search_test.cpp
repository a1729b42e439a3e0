// SPDX-License-Identifier: GPL-2.0
#include "words/window/packet_search.h"

#include "unit/from_text.h"
#include "unit/words/window/file_of_bytes.h"

namespace grtrace {

// This many packets of a submit each, every 1000 ns from 1000 on, between tables. A gap is as
// long as several blocks of a search.
static Bytes packets(unsigned int number, size_t gap = 0)
{
	std::string text = "cpu none\ninfo start=0\ncpu 0\n";

	for (unsigned int i = 1; i <= number; i++)
		text += fmt::format("packet base_ts={}\nsubmit ctx=1 seqno={} ts={}\n", i * 1000, i,
				    i * 1000);
	Bytes file = bytes_of(text + "cpu none\ninfo start=0\n", true)[0];
	file.insert(file.end() - sizeof(grtrace_rec_packet) - sizeof(grtrace_rec_stream_info), gap,
		    0);
	return file;
}

TEST(PacketSearch, the_last_packet_that_is_not_later_is_found)
{
	const Bytes bytes = packets(1000);
	PacketSearch search(file_of_bytes(bytes));
	std::optional<PacketAt> first = search.first_in(1, search.size());

	ASSERT_TRUE(first);
	EXPECT_EQ(first->ts, 1000u);
	const PacketSearch::Tail tail = search.tail(*first);
	ASSERT_TRUE(tail.last);
	EXPECT_EQ(tail.last->ts, 1000000u);
	EXPECT_EQ(tail.tables,
		  bytes.size() - sizeof(grtrace_rec_packet) - sizeof(grtrace_rec_stream_info));
	for (uint64_t ts = 0; ts < 1002000; ts += 500) {
		const PacketAt at = search.last_until(ts, *first, tail.tables);
		EXPECT_EQ(at.ts, std::clamp<uint64_t>(ts / 1000 * 1000, 1000, 1000000));
	}
}

TEST(PacketSearch, packets_may_be_far_apart)
{
	PacketSearch search(file_of_bytes(packets(3, 1000000)));
	const std::optional<PacketAt> first = search.first_in(1, search.size());

	ASSERT_TRUE(first);
	EXPECT_EQ(search.last_until(UINT64_MAX, *first, search.size() - 400).ts, 3000u);
	// A job is between them.
	const uint64_t second = first->end + sizeof(grtrace_rec_submit);
	EXPECT_FALSE(search.first_in(first->end, second));
	ASSERT_TRUE(search.first_in(first->end, second + 1));
	EXPECT_EQ(search.first_in(first->end, second + 1)->ts, 2000u);
	EXPECT_EQ(search.tail(*first).last->ts, 3000u);
}

TEST(PacketSearch, another_session_is_not_found)
{
	const int fd = file_of_bytes(packets(3));

	EXPECT_TRUE(PacketSearch(fd, 0x5eed).first_in(0, 1000));
	EXPECT_FALSE(PacketSearch(fd, 0x5eee).first_in(0, 1000));
}

} // namespace grtrace
