// SPDX-License-Identifier: GPL-2.0
#include "read/capture/losses.h"

#include "unit/from_text.h"

namespace grtrace {

static std::string losses_of(const char *text)
{
	auto r = read_text(text);
	fmt::memory_buffer out;

	print_losses(out, r->capture);
	return fmt::to_string(out);
}

TEST(Losses, numbers_are_grouped_by_three)
{
	EXPECT_EQ(thousands(0), "0");
	EXPECT_EQ(thousands(999), "999");
	EXPECT_EQ(thousands(1000), "1,000");
	EXPECT_EQ(thousands(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Losses, a_trace_without_loss_says_so)
{
	EXPECT_NE(losses_of("cpu 0\nsubmit ctx=1 seqno=1\n").find("\nLost: 0 records\n"),
		  std::string::npos);
}

TEST(Losses, each_place_has_its_reason)
{
	const std::string text =
		losses_of("cpu none\ninfo start=0\ncpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
			  "lost events=3 first=2000 last=3000\n"
			  "lost events=5 limited=2 pressure=1 first=4000 last=5000\n"
			  "overwritten 1000\nsubmit ctx=1 seqno=2 ts=6000\n");

	EXPECT_NE(text.find("Lost: 1,008 records in 3 places; reported lost: 8 events, 0 notes\n"
			    "  of the events: 5 no room, 2 rate limit, 1 backpressure\n"),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find("  CPU 0, 0.000002000 to 0.000003000: 3 records, there was no room in "
			    "the channel\n"),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find("5 records, 2 no room, 2 rate limit, 1 backpressure\n"),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find("1,000 records, missing in the capture\n"), std::string::npos) << text;
}

TEST(Losses, the_kernels_own_count_has_what_no_packet_reports)
{
	auto r = read_text("cpu 0\npacket lost=7\nsubmit ctx=1 seqno=1\n");

	EXPECT_EQ(lost_records(r->capture), 7u);
}

// A LOST reports two of nine records, and three are missing between packets.
TEST(Losses, the_end_has_only_what_no_other_place_has)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1\nlost events=2\noverwritten 3\n"
			   "packet lost=9\nsubmit ctx=1 seqno=2\n");
	fmt::memory_buffer out;

	print_losses(out, r->capture);
	EXPECT_EQ(lost_records(r->capture), 9u);
	EXPECT_NE(
		fmt::to_string(out).find("\n  and 4 more at the end, by the kernel's own count\n"),
		std::string::npos)
		<< fmt::to_string(out);
}

TEST(Losses, sampling_is_said_only_where_there_was_some)
{
	fmt::memory_buffer every, some;

	print_sampling(every, read_text("cpu 0\nsubmit ctx=1 seqno=1\n")->capture);
	EXPECT_EQ(fmt::to_string(every), "");
	print_sampling(some, read_text("cpu 0\nsampling 4\nsubmit ctx=1 seqno=1\n")->capture);
	EXPECT_EQ(fmt::to_string(some), "Sampled 1/4: totals are estimates\n");
}

} // namespace grtrace
