// SPDX-License-Identifier: GPL-2.0
//
// CPU files in the order of the session.
#include "unit/from_text.h"

#include <array>

namespace grtrace {

namespace {

// Reads in runs. Returns the longest of them; each event has to be the one that
// comes without.
size_t expect_runs(const std::vector<Bytes> &streams, bool per_cpu)
{
	const Reading single(streams, per_cpu);
	Diagnostics diagnostics([](const std::string &) {});
	Capture capture(diagnostics);
	std::span<const Event> run;
	size_t at = 0, longest = 0;

	capture.open_memory(streams, per_cpu);
	while (capture.next(run) == Next::event) {
		EXPECT_FALSE(run.empty());
		longest = std::max(longest, run.size());
		for (const Event &event : run) {
			if (at == single.events.size()) {
				ADD_FAILURE() << "too many events";
				return longest;
			}
			const Event &expected = single.events[at++];

			EXPECT_TRUE(run.size() == 1 || event.is_event());
			EXPECT_EQ(event.type, expected.type);
			EXPECT_EQ(event.gseq, expected.gseq);
			EXPECT_EQ(event.cpu, expected.cpu);
			EXPECT_EQ(event.seqno, expected.seqno);
		}
	}
	EXPECT_EQ(at, single.events.size());
	EXPECT_EQ(capture.stats().records, single.capture.stats().records);
	return longest;
}

} // namespace

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
	EXPECT_EQ(r->capture.unseen(), 0u);
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

// The packet that reports a loss was begun when it was over.
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
	std::vector<Bytes> streams = bytes_of("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\n"
					      "packet\nsubmit ctx=1 seqno=3 gseq=2\n"
					      "packet\nsubmit ctx=1 seqno=5 gseq=4\n"
					      "cpu 1\nsubmit ctx=1 seqno=2 gseq=1\n"
					      "submit ctx=1 seqno=4 gseq=3\n",
					      false);

	streams[0][64 + 40 + 64 + 2] = 1;
	Reading r(streams, true, "%S");
	EXPECT_EQ(r.lines, (Lines{"1", "2", "4", "5"}));
	EXPECT_EQ(r.capture.stats().missing, 1u);
}

// More of them than its window has places, from CPUs that take very uneven turns.
TEST(Merger, long_streams_come_in_order)
{
	std::array<std::string, 3> cpus;
	Lines expected;

	for (uint64_t i = 0; i < 5000; i++) {
		const uint64_t of = i % 700 < 600 ? i / 700 % 3 : i * i % 3;

		cpus[of] += fmt::format("submit ctx=1 seqno={} gseq={}\n", i + 1, i);
		expected.push_back(fmt::to_string(i + 1));
	}
	auto r = read_text(fmt::format("cpu 0\n{}cpu 1\n{}cpu 2\n{}", cpus[0], cpus[1], cpus[2]),
			   "%S");

	EXPECT_EQ(r->lines, expected);
	EXPECT_EQ(r->capture.stats().unordered, 0u);
	EXPECT_EQ(r->capture.unseen(), 0u);
}

// With all that ends one: a note, a packet, a hole, a number of two streams, damage.
TEST(Merger, runs_are_the_same_events)
{
	std::string cpus[2] = {"cpu 0\n", "cpu 1\n"};

	for (uint64_t i = 0; i < 2000; i++) {
		std::string &cpu = cpus[i / 3 % 2];

		if (i % 997 == 5)
			cpu += fmt::format("task gseq={} pid=7 tgid=7 "
					   "comm=one\n",
					   i);
		else if (i % 500 != 7)
			cpu += fmt::format("submit ctx=1 seqno={} gseq={}\n", i + 1, i);
		if (i % 300 == 299)
			cpu += "packet\n";
		if (i == 1500)
			cpus[1] += fmt::format("submit ctx=2 seqno=1 gseq={}\n", i - 1);
	}
	std::vector<Bytes> streams = bytes_of(cpus[0] + cpus[1], false);

	EXPECT_GT(expect_runs(streams, true), 40u);
	streams[1][20000] ^= 0xff;
	streams[1][20001] ^= 0xff;
	EXPECT_GT(expect_runs(streams, true), 40u);
	// One at a time where the order is looked for.
	EXPECT_EQ(expect_runs(bytes_of("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\n"
				       "cpu 1\nsubmit ctx=1 seqno=2 gseq=1\n",
				       true),
			      false),
		  1u);
	EXPECT_EQ(expect_runs({{}}, true), 0u);
}

TEST(Merger, goes_on_behind_a_hole_of_any_size)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=0\n"
			   "submit ctx=1 seqno=4 gseq=1000000\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=1\n"
			   "submit ctx=1 seqno=3 gseq=500000\n"
			   "submit ctx=1 seqno=5 gseq=1000001\n",
			   "%S");

	EXPECT_EQ(r->lines, (Lines{"1", "2", "3", "4", "5"}));
	EXPECT_EQ(r->capture.unseen(), 1000001u - 4);
	EXPECT_EQ(r->capture.stats().lost(), 1000001u - 4);
}

TEST(Merger, a_number_that_two_streams_have_comes_out_twice)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=7\n"
			   "submit ctx=1 seqno=3 gseq=8\n"
			   "submit ctx=1 seqno=5 gseq=9\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=7\n"
			   "submit ctx=1 seqno=4 gseq=8\n"
			   "submit ctx=1 seqno=6 gseq=10\n",
			   "%S");

	EXPECT_EQ(r->lines, (Lines{"1", "2", "3", "4", "5", "6"}));
	EXPECT_EQ(r->capture.stats().unordered, 0u);
}

// Behind the last number there is no place for a window.
TEST(Merger, reads_on_to_the_greatest_number)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 gseq=18446744073709551613 "
			   "ts=18446744073709540000\n"
			   "submit ctx=1 seqno=3 gseq=18446744073709551615\n"
			   "cpu 1\n"
			   "submit ctx=1 seqno=2 gseq=18446744073709551614\n"
			   "submit ctx=1 seqno=4 gseq=18446744073709551615\n",
			   "%S");

	EXPECT_EQ(r->lines, (Lines{"1", "2", "3", "4"}));
}

// Far more numbers than the window has places.
TEST(Merger, goes_on_behind_a_hole_larger_than_the_window)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\nsubmit ctx=1 seqno=2 gseq=4000\n"
			   "cpu 1\nsubmit ctx=2 seqno=1 gseq=3999\n",
			   "%x:%S");

	EXPECT_EQ(r->lines, (Lines{"1:1", "2:1", "1:2"}));
	EXPECT_EQ(r->capture.unseen(), 3998u);
}

// So far that going there window by window would take forever.
TEST(Merger, a_stream_that_ended_does_not_hide_how_far_the_others_are)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 gseq=0\n"
			   "cpu 1\npacket base_ts=1000000000000 base_gseq=1000000000000\n"
			   "submit ctx=2 seqno=1 gseq=1000000000000\n",
			   "%x:%S");

	EXPECT_EQ(r->lines, (Lines{"1:1", "2:1"}));
	EXPECT_EQ(r->capture.unseen(), 999999999999u);
}

TEST(Merger, a_stream_that_ended_is_waited_for_by_nobody)
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
