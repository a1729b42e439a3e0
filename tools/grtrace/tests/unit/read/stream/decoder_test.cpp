// SPDX-License-Identifier: GPL-2.0
//
// The rules of the uAPI's DOC, one by one, and what happens to bytes that
// break them.
#include "unit/from_text.h"

namespace grtrace {

static constexpr const char *three_jobs = "cpu none\ninfo start=1000\nring id=1 class=1 name=gfx\n"
					  "cpu 0\n"
					  "submit ctx=5 ring=1 seqno=1 ts=2000\n"
					  "submit ctx=5 ring=1 seqno=2\n"
					  "packet\n"
					  "submit ctx=5 ring=1 seqno=3\n";

TEST(Decoder, hands_out_events_but_not_the_tables)
{
	auto r = read_text(three_jobs);

	EXPECT_EQ(r->lines, (Lines{"Q 5:1", "Q 5:2", "Q 5:3"}));
	EXPECT_EQ(r->capture.session().rings.find(1).name, "gfx");
	EXPECT_EQ(r->capture.session().start_ts, 1000u);
	EXPECT_EQ(r->sentences, Lines{});
	EXPECT_EQ(r->capture.stats().lost(), 0u);
}

TEST(Decoder, a_capture_without_an_info_begins_with_its_first_packet)
{
	const char *packets = "cpu 0\n"
			      "submit ctx=1 seqno=1 ts=1500\n"
			      "packet\n"
			      "submit ctx=1 seqno=2 ts=1600\n";

	auto r = read_text(packets);
	EXPECT_EQ(r->capture.session().start_ts, 1500u);
	// It can also be known that it began at 0.
	r = read_text(std::string("cpu none\ninfo start=0\n") + packets);
	EXPECT_EQ(r->capture.session().start_ts, 0u);
}

TEST(Decoder, the_class_of_a_ring_may_come_to_be_known)
{
	auto r = read_text("cpu 0\n"
			   "ring id=1 class=0 device=card0 driver=d name=gfx\n"
			   "ring id=1 class=2 device=card0 driver=d name=gfx\n"
			   "ring id=1 class=0 device=card0 driver=d name=gfx\n"
			   "submit ctx=5 ring=1 seqno=1 ts=1000\n");

	EXPECT_EQ(r->capture.session().rings.find(1).engine_class, uint32_t(GRTRACE_CLASS_COMPUTE));
}

TEST(Decoder, tables_repeated_at_the_end_change_nothing)
{
	std::string text = three_jobs;

	text += "cpu none\ninfo start=1000\nring id=1 class=1 name=other\n";
	auto r = read_text(text);
	EXPECT_EQ(r->lines.size(), 3u);
	EXPECT_EQ(r->capture.stats().records, 3u);
	EXPECT_EQ(r->capture.session().rings.find(1).name, "gfx");
}

TEST(Decoder, widens_ts_to_the_nearest)
{
	// Across 2^32, up and then down again.
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 ts=0x1fffffff0\n"
			   "submit ctx=1 seqno=2 ts=0x200000010\n"
			   "submit ctx=1 seqno=3 ts=0x1fffffff8\n");

	ASSERT_EQ(r->events.size(), 3u);
	EXPECT_EQ(r->events[0].ts, 0x1fffffff0u);
	EXPECT_EQ(r->events[1].ts, 0x200000010u);
	EXPECT_EQ(r->events[2].ts, 0x1fffffff8u);
}

TEST(Decoder, widens_gseq_from_the_packet_and_then_the_record_before)
{
	auto r = read_text("cpu 0\n"
			   "packet base_gseq=0x500000000 "
			   "base_ts=30000000000\n"
			   "submit ctx=1 seqno=1 gseq=0x4fffffffe "
			   "ts=30000000000\n"
			   "submit ctx=1 seqno=2 gseq=0x500000003\n");

	ASSERT_EQ(r->events.size(), 2u);
	EXPECT_EQ(r->events[0].gseq, 0x4fffffffeu);
	EXPECT_EQ(r->events[1].gseq, 0x500000003u);
}

TEST(Decoder, takes_ctx_from_the_packet_and_fence_ctx_near_it)
{
	auto r = read_text("cpu 0\n"
			   "commit ctx=0x2fffffffe seqno=1 "
			   "fence=0x300000001:7\n"
			   "dep ctx=0x300000001 seqno=1 "
			   "fence=0x2fffffff0:8\n",
			   "%x %f");

	EXPECT_EQ(r->lines, (Lines{"12884901886 12884901889:7", "12884901889 12884901872:8"}));
}

TEST(Decoder, counts_cseq_and_lost_advances_it)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1\n"
			   "lost events=3 notes=1 first=1100 last=1900\n"
			   "submit ctx=1 seqno=2\n");

	ASSERT_EQ(r->events.size(), 3u);
	EXPECT_EQ(r->events[1].type, GRTRACE_LOST);
	EXPECT_EQ(r->events[1].ts, 1100u);
	EXPECT_EQ(r->events[2].cseq, 5u);
	EXPECT_EQ(r->capture.stats().lost_events, 3u);
	EXPECT_EQ(r->capture.stats().lost_notes, 1u);
	EXPECT_EQ(r->capture.stats().missing, 0u);
	EXPECT_EQ(r->sentences, Lines{});
}

TEST(Decoder, a_jump_of_cseq_is_missing_records)
{
	auto r = read_text("cpu 0\n"
			   "overwritten 10\n"
			   "submit ctx=1 seqno=1\n"
			   "overwritten 7\n"
			   "submit ctx=1 seqno=2\n");

	EXPECT_EQ(r->capture.stats().missing, 17u);
	ASSERT_EQ(r->capture.stats().places.size(), 2u);
	EXPECT_EQ(r->capture.stats().places[1].records, 7u);
	// A jump of cseq explains the hole.
	EXPECT_EQ(r->capture.unseen(), 0u);
}

// ------------------------------------------------- what only others know

TEST(Decoder, names_features_that_it_does_not_know_once)
{
	auto r = read_text("cpu none\ninfo start=0 features=0x80000082\n"
			   "cpu 0\nsubmit ctx=1 seqno=1\n"
			   "cpu none\ninfo start=0 features=0x80000082\n");

	EXPECT_EQ(r->lines, (Lines{"Q 1:1"}));
	ASSERT_EQ(r->sentences.size(), 1u);
	EXPECT_NE(r->sentences[0].find("ignores: bit 7, bit 31"), std::string::npos);
	EXPECT_EQ(r->diagnostics.errors(), 0u);
}

TEST(Decoder, refuses_features_that_it_has_to_know)
{
	for (const bool per_cpu : {true, false}) {
		Reading r(bytes_of("cpu none\n"
				   "info start=0 features=0x10000000080\n"
				   "cpu 0\nsubmit ctx=1 seqno=1\n"
				   "cpu 1\nsubmit ctx=1 seqno=2\n",
				   !per_cpu),
			  per_cpu);

		EXPECT_EQ(r.lines, Lines{});
		ASSERT_EQ(r.sentences.size(), 1u);
		EXPECT_NE(r.sentences[0].find("(bit 40)"), std::string::npos);
		EXPECT_EQ(r.diagnostics.errors(), 1u);
	}
}

TEST(Decoder, names_what_it_does_not_know_as_the_metadata_does)
{
	auto r = read_text("cpu none\ninfo start=0\n"
			   "meta event 20 evict EV 48\nmeta class 9 npu\n"
			   "meta event 1 nonsense XX 32\n"
			   "ring id=1 class=9 name=npu0\n"
			   "cpu 0\nunknown type=20 size=48\n"
			   "submit ctx=1 seqno=1 ring=1\n"
			   "unknown type=21 size=48\n");
	const Session &session = r->capture.session();

	EXPECT_EQ(r->lines, (Lines{"EV 0:0", "Q 1:1", "? 0:0"}));
	EXPECT_STREQ(session.event_name(20), "evict");
	EXPECT_STREQ(session.event_name(1), "submit");
	EXPECT_STREQ(session.class_name(9), "npu");
	EXPECT_STREQ(session.class_name(10), "-");
}

TEST(Decoder, skips_and_counts_the_unknown)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1\n"
			   "unknown type=40 size=48\n"
			   "unknown type=0x180 size=64\n"
			   "unknown type=100 size=16\n"
			   "unknown type=0x200 size=16\n"
			   "unknown type=0x2ff size=48\n"
			   "unknown type=0x300 size=8\n"
			   "unknown type=0x3ff size=48\n"
			   "grow 24\n"
			   "submit ctx=1 seqno=2\n"
			   "submit ctx=1 seqno=3\n");

	// The unknown event and the notes of 0x2xx take a place in the sequence.
	EXPECT_EQ(r->events.back().cseq, 5u);
	EXPECT_EQ(r->events.back().gseq, 5u);
	EXPECT_EQ(r->capture.stats().skipped_records, 7u);
	EXPECT_EQ(r->capture.stats().skipped_tails, 1u);
	EXPECT_EQ(r->capture.stats().damaged_bytes, 0u);
}

TEST(Decoder, a_grown_submit_is_not_taken_for_one_with_a_fence_of_40_bytes)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 fence=2:3\n"
			   "submit ctx=1 seqno=2\n",
			   "%S %f");

	EXPECT_EQ(r->lines, (Lines{"1 2:3", "2 -"}));
}

TEST(Decoder, error_has_kind_and_signed_code)
{
	auto r = read_text("cpu 0\n"
			   "error ctx=1 seqno=1 kind=2 code=-110\n"
			   "complete ctx=1 seqno=1 arg=-125\n",
			   "%k %e");

	EXPECT_EQ(r->lines, (Lines{"hang -110", "- -125"}));
}

TEST(Decoder, an_error_or_a_task_of_an_older_version_is_damage_and_a_longer_one_is_read)
{
	for (const char *record : {"error ctx=1 seqno=1 kind=2 code=-5 size=40\n",
				   "error ctx=1 seqno=1 size=120\n", "task pid=7 size=40\n"}) {
		auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1\n" + std::string(record) +
				   "packet\nsubmit ctx=1 seqno=2\n");

		EXPECT_EQ(r->lines, (Lines{"Q 1:1", "Q 1:2"})) << record;
		ASSERT_EQ(r->sentences.size(), 1u) << record;
		EXPECT_NE(r->sentences[0].find("a record too short for its type"),
			  std::string::npos)
			<< r->sentences[0];
	}
	auto r = read_text("cpu 0\ngrow 8\ntask pid=7 comm=game cgroup=9\n"
			   "grow 8\nerror ctx=1 seqno=1 kind=2 code=-5 guilty=7 comm=game\n",
			   "%a %k %e%y");
	EXPECT_EQ(r->lines.back(), "ER hang -5 by game:7");
	EXPECT_EQ(r->capture.stats().skipped_tails, 2u);
	EXPECT_EQ(r->capture.session().tasks.find(7)->cgroup, 9u);
	EXPECT_EQ(r->sentences, Lines{});
}

// ------------------------------------------------------------------- damage

TEST(Decoder, a_queue_has_no_second_fence_and_is_in_each_sample)
{
	auto r = read_text("cpu 0\nsampling 4\n"
			   "queue_state ctx=0x500000007 ring=3 state=1 reason=4 ts=1000\n"
			   "submit ctx=0x500000007 ring=3 seqno=1\n");

	ASSERT_EQ(r->events.size(), 2u);
	EXPECT_EQ(r->events[0].ctx, 0x500000007u);
	EXPECT_EQ(r->events[0].ring, 3u);
	EXPECT_EQ(r->events[0].weight, 1u);
	EXPECT_FALSE(r->events[0].has_fence);
	EXPECT_EQ(r->events[1].weight, 4u);
	EXPECT_EQ(r->events[1].cseq, 1u);
}

TEST(Decoder, learns_whose_fences_a_context_has)
{
	auto r = read_text("cpu 0\n"
			   "fence_name ctx=0x900000009 driver=nvidia timeline=a ts=1000\n"
			   "fence_name ctx=0x900000009 driver=nvidia timeline=b\n"
			   "wait_enter ctx=0x900000009 seqno=5\n");
	const FenceTable &fences = r->capture.session().fences;

	ASSERT_EQ(r->events.size(), 3u);
	EXPECT_EQ(r->events[0].ctx, 0x900000009u);
	EXPECT_EQ(r->events[2].cseq, 2u);
	ASSERT_NE(fences.find(0x900000009), nullptr);
	EXPECT_EQ(fences.find(0x900000009)->driver, "nvidia");
	EXPECT_EQ(fences.find(0x900000009)->timeline, "b");
	EXPECT_EQ(fences.find(9), nullptr);
	EXPECT_EQ(fences.all().size(), 1u);
}

TEST(Decoder, goes_on_at_the_next_packet)
{
	std::vector<Bytes> streams = bytes_of(three_jobs, false);

	// The second SUBMIT gets an impossible size. Tables and one packet
	// header, then one record, stand before it.
	size_t at = 64 + 152 + 120 + 64 + 40;
	streams[0][at + 2] = 3;
	Reading r(streams);
	EXPECT_EQ(r.lines, (Lines{"Q 5:1", "Q 5:3"}));
	ASSERT_EQ(r.sentences.size(), 1u);
	EXPECT_EQ(r.sentences[0], "memory.0: damaged at offset 440: a record shorter than 8 "
				  "bytes (type 0x1, size 3); 40 bytes skipped, going on at the "
				  "next packet");
	EXPECT_EQ(r.capture.stats().damaged_bytes, 40u);
	EXPECT_EQ(r.capture.stats().missing, 1u);
}

TEST(Decoder, finds_the_packet_after_missing_bytes)
{
	std::vector<Bytes> streams = bytes_of(three_jobs, false);

	// 13 bytes vanish: nothing that follows is aligned.
	Bytes &bytes = streams[0];
	bytes.erase(bytes.begin() + 400, bytes.begin() + 413);
	Reading r(streams);
	EXPECT_EQ(r.lines, Lines{"Q 5:3"});
	EXPECT_EQ(r.diagnostics.errors(), 1u);
	EXPECT_EQ(r.capture.stats().lost(), 2u);
}

// Its reasons would be the next record's bytes.
TEST(Decoder, a_lost_without_its_reasons_is_damage)
{
	auto r = read_text("cpu none\ninfo start=0\n"
			   "cpu 0\nsubmit ctx=1 seqno=1\nunknown type=0x103 size=32\n"
			   "submit ctx=1 seqno=2\npacket\nsubmit ctx=1 seqno=3\n",
			   "%a %S");

	EXPECT_EQ(r->lines, (Lines{"Q 1", "Q 3"}));
	EXPECT_EQ(r->capture.stats().damaged_bytes, 72u);
	EXPECT_EQ(r->capture.stats().lost_events, 0u);
}

// ---------------------------------------------------------------- the watcher

struct Watched : StreamWatcher {
	void packet(uint16_t stream, uint64_t offset, const uint8_t *) override
	{
		seen.push_back(fmt::format("{}:{} packet", stream, offset));
	}
	void note(uint16_t stream, uint64_t offset, const uint8_t *record) override
	{
		seen.push_back(fmt::format("{}:{} {:#x}", stream, offset, load16(record)));
	}
	void damaged(uint16_t stream, uint64_t offset, const std::string &what,
		     bool at_end) override
	{
		seen.push_back(
			fmt::format("{}:{} {}{}", stream, offset, what, at_end ? " (end)" : ""));
	}

	Lines seen;
};

TEST(Decoder, tells_a_watcher_where_things_stand)
{
	std::vector<Bytes> streams = bytes_of("cpu none\ninfo start=0\ncpu 0\nsubmit seqno=1\n"
					      "lost events=2\ncpu 1\nsubmit seqno=2\nraw 1 2\n",
					      false);
	Lines sentences;
	Diagnostics diagnostics([&](const std::string &text) { sentences.push_back(text); });
	Capture capture(diagnostics);
	Watched watched;
	const Event *event;
	Lines events;

	capture.open_memory(streams, true);
	capture.watch(watched);
	while (capture.next(event) == Next::event)
		events.push_back(fmt::format("{}:{}", event->stream, event->offset));
	EXPECT_EQ(events, (Lines{"0:280", "0:320", "1:64"}));
	EXPECT_EQ(watched.seen,
		  (Lines{"0:0 packet", "0:64 0x101", "0:216 packet", "1:0 packet", "0:320 0x103",
			 "1:104 the file ends inside a record, 2 bytes after "
			 "its start; 2 bytes skipped (end)"}));
	EXPECT_EQ(sentences, Lines{});
}

// Wherever a file is cut: no crash, all whole records before the cut are
// there, and the cut is reported unless it is between records.
TEST(Decoder, survives_every_cut)
{
	std::vector<Bytes> whole = bytes_of(three_jobs, false);

	for (size_t cut = 1; cut < whole[0].size(); cut++) {
		Bytes bytes(whole[0].begin(), whole[0].begin() + static_cast<long>(cut));
		Reading r({bytes});
		size_t jobs = cut >= 584 ? 3 : cut >= 480 ? 2 : cut >= 440;

		EXPECT_EQ(r.events.size(), jobs) << "cut at " << cut;
		bool between = cut == 64 || cut == 216 || cut == 336 || cut == 400 || cut == 440 ||
			       cut == 480 || cut == 544;
		EXPECT_EQ(r.diagnostics.errors(), between ? 0u : 1u) << "cut at " << cut;
	}
}

TEST(Decoder, survives_every_flipped_bit)
{
	std::vector<Bytes> whole = bytes_of(three_jobs, false);

	for (size_t bit = 0; bit < whole[0].size() * 8; bit++) {
		std::vector<Bytes> streams = whole;

		streams[0][bit / 8] ^= 1 << bit % 8;
		Reading r(streams);
		EXPECT_LE(r.events.size(), 3u);
	}
}

TEST(Decoder, refuses_what_it_cannot_read_in_words)
{
	Reading future(bytes_of("cpu 0\npacket major=2 minor=0\nsubmit\n", false));
	ASSERT_EQ(future.sentences.size(), 1u);
	EXPECT_NE(future.sentences[0].find("format version 2.0"), std::string::npos);
	EXPECT_EQ(future.events.size(), 0u);

	Reading swapped(bytes_of("cpu 0\npacket magic=0x47525452\nsubmit\n", false));
	ASSERT_EQ(swapped.sentences.size(), 1u);
	EXPECT_NE(swapped.sentences[0].find("big-endian"), std::string::npos);

	Reading text({Bytes(1000, 'x')});
	ASSERT_EQ(text.sentences.size(), 1u);
	EXPECT_NE(text.sentences[0].find("not a grtrace capture"), std::string::npos);
}

TEST(Decoder, leaves_packets_of_another_session_out)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1\n"
			   "packet session=7\n"
			   "submit ctx=1 seqno=2\n"
			   "packet\n"
			   "submit ctx=1 seqno=3\n");

	EXPECT_EQ(r->lines, (Lines{"Q 1:1", "Q 1:3"}));
	EXPECT_EQ(r->diagnostics.errors(), 1u);
}

TEST(Decoder, lost_tells_the_reasons)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1 ts=1000\n"
			   "lost events=9 notes=1 limited=5 pressure=1 "
			   "first=1100 last=1900\n"
			   "lost events=2 first=1950 last=1960\n"
			   "submit ctx=1 seqno=2\n");
	const StreamStats &stats = r->capture.stats();

	ASSERT_EQ(r->events.size(), 4u);
	EXPECT_EQ(r->events[3].cseq, 13u);
	EXPECT_EQ(stats.lost_events, 11u);
	EXPECT_EQ(stats.lost_limited, 5u);
	EXPECT_EQ(stats.lost_pressure, 1u);
	EXPECT_EQ(stats.skipped_tails, 0u);
	ASSERT_EQ(stats.places.size(), 2u);
	EXPECT_EQ(stats.places[0].limited, 5u);
	EXPECT_EQ(stats.places[0].pressure, 1u);
	EXPECT_EQ(stats.places[1].limited, 0u);
}

TEST(Decoder, reasons_of_a_loss_never_pass_the_whole)
{
	auto r = read_text("cpu 0\n"
			   "lost events=3 limited=2 pressure=9 ts=1\n"
			   "lost events=3 limited=-1 pressure=-1 ts=1\n");
	const StreamStats &stats = r->capture.stats();

	EXPECT_EQ(stats.lost_events, 6u);
	EXPECT_EQ(stats.lost_limited, 5u);
	EXPECT_EQ(stats.lost_pressure, 1u);
}

TEST(Decoder, a_stop_is_the_end_of_its_cpu)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\nlost events=2 ts=1\n"
			   "cpu 1\nsubmit ctx=1 seqno=2 ts=2000\nstop ts=3000\n"
			   "cpu 0\nstop ts=4000\n");
	const std::vector<CpuStats> &cpus = r->capture.stats().cpus;

	EXPECT_EQ(r->lines, (Lines{"Q 1:1", "mL 0:0", "Q 1:2"}));
	EXPECT_EQ(r->sentences, Lines{});
	EXPECT_EQ(r->capture.stats().skipped_records, 0u);
	EXPECT_EQ(r->capture.stats().lost(), 2u);
	ASSERT_EQ(cpus.size(), 2u);
	EXPECT_TRUE(cpus[0].stopped && cpus[1].stopped);
	EXPECT_EQ(cpus[0].stop_ts, 4000u);
	EXPECT_EQ(cpus[1].stop_ts, 3000u);
	EXPECT_EQ(cpus[0].stop_gseq, 2u);
	EXPECT_EQ(cpus[0].next_cseq, 3u);
	EXPECT_EQ(cpus[0].kernel_lost, 2u);
}

TEST(Decoder, what_is_missing_before_a_stop_is_lost)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\nstop cseq=4 gseq=4 ts=9000\n");

	EXPECT_EQ(r->sentences, Lines{});
	EXPECT_EQ(r->capture.stats().missing, 3u);
	ASSERT_EQ(r->capture.stats().places.size(), 1u);
	EXPECT_EQ(r->capture.stats().places[0].from_ts, 1000u);
	EXPECT_EQ(r->capture.stats().places[0].to_ts, 9000u);
}

TEST(Decoder, a_stop_whose_numbers_do_not_fit_is_damage)
{
	const std::pair<const char *, const char *> stops[] = {
		{"cseq=1", "a STOP whose cseq goes back on its CPU"},
		{"gseq=1", "a STOP whose gseq goes back on its CPU"},
		{"gseq=0x100000000", "a STOP with numbers far from those before it on its CPU"},
		{"cseq=0x100000000", "a STOP with numbers far from those before it on its CPU"},
		{"lost=0x100000000", "a STOP with numbers far from those before it on its CPU"},
	};

	for (const auto &[numbers, what] : stops) {
		auto r = read_text(fmt::format("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\n"
					       "submit ctx=1 seqno=2\nstop {}\n",
					       numbers));
		EXPECT_EQ(r->sentences,
			  (Lines{fmt::format(
				  "memory.0: damaged at offset 144: {}; 40 bytes skipped", what)}))
			<< numbers;
		EXPECT_FALSE(r->capture.stats().cpus[0].stopped) << numbers;
	}
}

TEST(Decoder, nothing_of_a_cpu_follows_its_stop)
{
	auto r = read_text("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\nstop\nsubmit ctx=1 seqno=2\n");
	EXPECT_EQ(r->lines, (Lines{"Q 1:1"}));
	ASSERT_EQ(r->sentences.size(), 1u);
	EXPECT_NE(r->sentences[0].find("a record after the STOP of its CPU"), std::string::npos);

	r = read_text("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\nstop\npacket\nsubmit ctx=1 seqno=2\n");
	EXPECT_EQ(r->lines, (Lines{"Q 1:1"}));
	ASSERT_EQ(r->sentences.size(), 1u);
	EXPECT_NE(r->sentences[0].find("a packet after the STOP of its CPU"), std::string::npos);

	// Other CPUs continue, and the tables come again.
	auto s = read_stream("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\nstop\ncpu 1\n"
			     "submit ctx=1 seqno=2\nstop\ncpu none\nmeta state stopped\n");
	EXPECT_EQ(s->lines, (Lines{"Q 1:1", "Q 1:2"}));
	EXPECT_EQ(s->sentences, Lines{});
}

// A packet that is in the file twice, with its STOP.
TEST(Decoder, a_stop_that_is_repeated_is_read_once)
{
	std::vector<Bytes> bytes = bytes_of("cpu 0\nsubmit ctx=1 seqno=1 ts=1000\nstop\n", false);
	bytes[0].insert(bytes[0].end(), bytes[0].begin(), bytes[0].begin() + 64 + 40 + 40);
	Reading r(bytes);

	EXPECT_EQ(r.lines, (Lines{"Q 1:1"}));
	EXPECT_EQ(r.capture.stats().repeated_packets, 1u);
	EXPECT_EQ(r.capture.stats().damaged_bytes, 0u);
}

TEST(Decoder, an_event_weighs_what_its_packet_says)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1\n"
			   "sampling 4\n"
			   "submit ctx=1 seqno=2\n"
			   "message hello\n"
			   "error ctx=1 seqno=2 kind=1\n"
			   "irq ctx=1 seqno=2\n"
			   "ctx_switch ctx=1 seqno=2 fence=2:1\n"
			   "complete ctx=1 seqno=2\n"
			   "sampling 1\n"
			   "submit ctx=1 seqno=3\n");
	std::vector<uint32_t> weights;

	for (const Event &event : r->events)
		weights.push_back(event.weight);
	EXPECT_EQ(weights, (std::vector<uint32_t>{1, 4, 1, 1, 1, 1, 4, 1}));
	EXPECT_EQ(r->capture.stats().sample_least, 1u);
	EXPECT_EQ(r->capture.stats().sample_most, 4u);
}

TEST(Decoder, a_packet_without_jobs_does_not_tell_the_sampling)
{
	auto r = read_text("cpu 0\ntask pid=1 comm=a\nerror ctx=1 seqno=1\n"
			   "sampling 4\nsubmit ctx=1 seqno=2\n"
			   "cpu 1\nsampling 9\nmessage x\n");

	EXPECT_EQ(r->capture.stats().sample_least, 4u);
	EXPECT_EQ(r->capture.stats().sample_most, 4u);
}

TEST(Decoder, sample_is_a_note_in_sequence)
{
	auto r = read_text("cpu 0\n"
			   "submit ctx=1 seqno=1\n"
			   "sample n=8 previous=2 reason=1 fill=91\n"
			   "submit ctx=1 seqno=2\n",
			   "%a %m");

	EXPECT_EQ(r->lines, (Lines{"Q ",
				   "mN from here 1 job of 8 is recorded, before it was "
				   "1 job of 2: the channel fills up (91 % full)",
				   "Q "}));
	ASSERT_EQ(r->events.size(), 3u);
	EXPECT_EQ(r->events[2].cseq, 2u);
	EXPECT_EQ(r->capture.stats().sample_changes, 1u);
	EXPECT_EQ(r->capture.stats().skipped_records, 0u);
}

} // namespace grtrace
