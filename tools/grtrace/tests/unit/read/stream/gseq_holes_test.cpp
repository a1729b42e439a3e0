// SPDX-License-Identifier: GPL-2.0
//
// Numbers in no file, and jumps of cseq that show the same records.
#include <gtest/gtest.h>

#include "read/stream/gseq_holes.h"
#include "unit/from_text.h"

namespace grtrace {

static GseqHoles::Hole hole(uint64_t first, uint64_t end)
{
	return {first, end, 0, 0, 10 * first, 10 * end, 0};
}

TEST(GseqHoles, a_jump_explains_the_holes_in_its_range)
{
	GseqHoles holes;

	EXPECT_EQ(holes.jump(100, 200, 30), 30u);
	EXPECT_EQ(holes.add(hole(50, 60)), 10u); // before it
	EXPECT_EQ(holes.add(hole(110, 130)), 0u);
	EXPECT_EQ(holes.add(hole(150, 170)), 10u); // of 20, 10 were left
	EXPECT_EQ(holes.add(hole(190, 210)), 20u);
	EXPECT_EQ(holes.records(), 40u);
}

TEST(GseqHoles, a_hole_that_was_found_before_the_jump_counts_once)
{
	GseqHoles holes;

	EXPECT_EQ(holes.add(hole(110, 113)), 3u);
	EXPECT_EQ(holes.jump(100, 200, 2), 0u);
	// More than is left: they are others.
	EXPECT_EQ(holes.jump(100, 200, 2), 2u);
	EXPECT_EQ(holes.add(hole(150, 152)), 0u);
	EXPECT_EQ(holes.records(), 3u);
}

TEST(GseqHoles, of_several_jumps_the_one_that_ends_first)
{
	GseqHoles holes;

	EXPECT_EQ(holes.jump(0, 200, 10), 10u);
	EXPECT_EQ(holes.jump(0, 100, 10), 10u);
	EXPECT_EQ(holes.jump(50, 150, 10), 10u);
	EXPECT_EQ(holes.add(hole(60, 80)), 0u);
	EXPECT_EQ(holes.add(hole(120, 125)), 0u);
	EXPECT_EQ(holes.add(hole(130, 136)), 1u);
	EXPECT_EQ(holes.add(hole(160, 163)), 3u);
}

TEST(GseqHoles, a_hole_that_ends_where_the_jump_begins_is_not_in_it)
{
	GseqHoles holes;

	EXPECT_EQ(holes.add(hole(90, 100)), 10u);
	EXPECT_EQ(holes.jump(100, 200, 10), 10u);
	EXPECT_EQ(holes.add(hole(110, 120)), 0u);
	EXPECT_EQ(holes.records(), 10u);
}

// Numbers below the first one may be those of a jump, which cannot be known.
TEST(GseqHoles, a_jump_may_begin_before_anything_was_read)
{
	GseqHoles holes;

	holes.jump(0, 100, 5);
	EXPECT_EQ(holes.add(hole(90, 95)), 0u);
}

TEST(GseqHoles, many_jumps_take_no_more_memory)
{
	GseqHoles holes;

	for (uint64_t i = 0; i < 2 * GseqHoles::most_jumps; i++)
		holes.jump(10 * i, 10 * i + 10, 1);
	EXPECT_EQ(holes.add(hole(0, 2)), 1u);
	EXPECT_EQ(holes.add(hole(20 * GseqHoles::most_jumps - 3, 20 * GseqHoles::most_jumps - 1)),
		  0u);
}

TEST(GseqHoles, what_came_too_late_is_not_lost)
{
	GseqHoles holes;

	holes.add(hole(10, 13));
	EXPECT_FALSE(holes.fill(9));
	EXPECT_TRUE(holes.fill(11));
	EXPECT_FALSE(holes.fill(11));
	EXPECT_EQ(holes.records(), 2u);
	EXPECT_TRUE(holes.fill(10));
	EXPECT_TRUE(holes.fill(12));
	EXPECT_EQ(holes.records(), 0u);
	EXPECT_TRUE(holes.settle(0).empty());
}

TEST(GseqHoles, memory_does_not_grow)
{
	GseqHoles holes;
	uint64_t records = 0;

	for (uint64_t i = 0; i < 3 * GseqHoles::most_holes; i++) {
		holes.add(hole(10 * i, 10 * i + 2));
		if (holes.full())
			for (const auto &one : holes.settle(10))
				records += one.records;
	}
	for (const auto &one : holes.settle(0))
		records += one.records;
	EXPECT_EQ(records, 6 * GseqHoles::most_holes);
	EXPECT_EQ(holes.records(), records);
}

// In a capture they are a loss, once, with place and time.

static uint64_t sum_of_gaps(const std::vector<Bytes> &streams, bool per_cpu)
{
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	std::span<const Event> run;
	uint64_t sum = 0;

	capture.open_memory(streams, per_cpu);
	for (;;) {
		const Next got = capture.next(run);

		for (const Gap &gap : capture.take_gaps())
			sum += gap.records;
		if (got == Next::end)
			return sum;
	}
}

static constexpr const char *two_cpus = "cpu none\ninfo start=0\n"
					"cpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
					"cpu 1\nsubmit ctx=1 seqno=2\n"
					"packet\nsubmit ctx=1 seqno=3\nsubmit ctx=1 seqno=4\n"
					"cpu 0\nsubmit ctx=1 seqno=5\n"
					"cpu 1\nsubmit ctx=1 seqno=6\n"
					"cpu 0\nsubmit ctx=1 seqno=7\n";

TEST(Unseen, a_file_without_its_last_packet)
{
	std::vector<Bytes> streams = bytes_of(two_cpus, false);

	streams[1].resize(64 + 40);
	Reading r(streams);
	const StreamStats &stats = r.capture.stats();

	EXPECT_EQ(r.lines, (Lines{"Q 1:1", "Q 1:2", "Q 1:5", "Q 1:7"}));
	EXPECT_EQ(r.capture.unseen(), 3u);
	EXPECT_EQ(stats.lost(), 3u);
	EXPECT_EQ(stats.missing, 3u);
	ASSERT_EQ(stats.places.size(), 2u);
	EXPECT_EQ(stats.places[0].kind, LossPlace::Kind::unseen);
	EXPECT_EQ(stats.places[0].cpu, 1u);
	EXPECT_EQ(stats.places[0].records, 2u);
	EXPECT_EQ(stats.places[0].from_ts, 2001u); // behind the record before
	EXPECT_EQ(stats.places[0].to_ts, 5000u);
	EXPECT_EQ(sum_of_gaps(streams, true), 3u);
}

// In a stream it is found when the packet behind is read.
TEST(Unseen, a_gap_is_told_in_its_time)
{
	std::vector<Bytes> streams = bytes_of("cpu none\ninfo start=0\n"
					      "cpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
					      "cpu 1\nsubmit ctx=1 seqno=2 ts=2000\n"
					      "cpu 0\nsubmit ctx=1 seqno=3 ts=3000\n"
					      "overwritten 3\nsubmit ctx=1 seqno=4 ts=7000\n"
					      "cpu 1\nsubmit ctx=1 seqno=5 ts=8000\n",
					      false);
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	std::span<const Event> run;
	Lines lines;

	streams[0].insert(streams[0].end(), streams[1].begin(), streams[1].end());
	streams.pop_back();
	capture.open_memory(streams, false);
	for (Next got = Next::event; got != Next::end;) {
		got = capture.next(run);
		for (const Gap &gap : capture.take_gaps())
			lines.push_back(fmt::format("{} from {}", gap.records, gap.from_ts));
		if (got == Next::event)
			lines.push_back(fmt::format("{}", run.front().ts));
	}
	EXPECT_EQ(lines, (Lines{"1000", "2000", "3000", "3 from 3001", "7000", "8000"}));
}

TEST(Unseen, a_file_that_is_not_there)
{
	std::vector<Bytes> streams = bytes_of(two_cpus, false);
	Reading r({streams[0]});

	EXPECT_EQ(r.capture.stats().lost(), 4u);
	EXPECT_EQ(r.capture.stats().places[0].cpu, GRTRACE_CPU_NONE);
}

// The next packet's cseq also shows them.
TEST(Unseen, records_cut_out_of_a_packet_count_once)
{
	const char *text = "cpu none\ninfo start=0\n"
			   "cpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
			   "submit ctx=1 seqno=2\nsubmit ctx=1 seqno=3\n"
			   "submit ctx=1 seqno=4\n"
			   "packet\nsubmit ctx=1 seqno=5\n";

	for (const bool per_cpu : {true, false}) {
		std::vector<Bytes> streams = bytes_of(text, false);
		const auto second = streams[0].begin() + 64 + 152 + 64 + 40;

		streams[0].erase(second, second + 40);
		Reading r(streams, per_cpu);

		EXPECT_EQ(r.lines, (Lines{"Q 1:1", "Q 1:3", "Q 1:4", "Q 1:5"}));
		EXPECT_EQ(r.capture.stats().lost(), 1u);
		EXPECT_EQ(sum_of_gaps(streams, per_cpu), 1u);
	}
}

TEST(Unseen, what_was_lost_before_it_was_written_has_no_number)
{
	auto r = read_text("cpu none\ninfo start=0\n"
			   "cpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
			   "lost events=5 notes=2 first=1100 last=1200\n"
			   "submit ctx=1 seqno=2\n");

	EXPECT_EQ(r->capture.unseen(), 0u);
	EXPECT_EQ(r->capture.stats().lost(), 7u);
}

} // namespace grtrace
