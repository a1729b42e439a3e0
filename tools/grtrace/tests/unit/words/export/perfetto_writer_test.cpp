// SPDX-License-Identifier: GPL-2.0
#include "words/export/perfetto_writer.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>
#include <unistd.h>

namespace grtrace {
namespace {

class PerfettoWriterTest : public testing::Test {
protected:
	PerfettoWriterTest()
	{
		char name[] = "/tmp/perfetto_writer_test.XXXXXX";

		close(mkstemp(name));
		path_ = name;
		EXPECT_TRUE(out_.open(path_).ok());
	}
	~PerfettoWriterTest() override { unlink(path_.c_str()); }

	proto::Trace written()
	{
		EXPECT_TRUE(out_.close().ok());

		std::ifstream file(path_);
		const std::string bytes(std::istreambuf_iterator<char>(file), {});
		proto::Trace trace;
		EXPECT_TRUE(trace.ParseFromString(bytes));
		return trace;
	}

	std::string path_;
	OutputFile out_;
};

TEST_F(PerfettoWriterTest, ANameIsToldOnce)
{
	PerfettoWriter writer(out_, 7);
	Session session;

	session.start_ts = 5;
	writer.clock(session, false);
	for (int i = 0; i < 2; i++) {
		writer.packet(10).mutable_track_event()->set_name_iid(writer.event_name("a"));
		writer.write();
	}

	const proto::Trace trace = written();
	ASSERT_EQ(trace.packet_size(), 3);
	EXPECT_EQ(trace.packet(0).clock_snapshot().primary_trace_clock(),
		  proto::BUILTIN_CLOCK_MONOTONIC);
	EXPECT_EQ(trace.packet(1).interned_data().event_names_size(), 1);
	EXPECT_FALSE(trace.packet(2).has_interned_data());
	EXPECT_EQ(trace.packet(1).track_event().name_iid(),
		  trace.packet(2).track_event().name_iid());
	EXPECT_EQ(trace.packet(2).trusted_packet_sequence_id(), 7u);
}

// However many there are, a reader knows the name of each.
TEST_F(PerfettoWriterTest, TooManyNamesAreForgotten)
{
	constexpr size_t names = PerfettoWriter::names_max + 100;
	PerfettoWriter writer(out_, 1);

	writer.clock(Session(), false);
	for (size_t i = 0; i < names; i++) {
		writer.packet(i).mutable_track_event()->set_name_iid(
			writer.event_name(fmt::format("name {}", i)));
		writer.write();
	}

	const proto::Trace trace = written();
	std::map<uint64_t, std::string> known;
	size_t cleared = 0;
	for (const proto::TracePacket &packet : trace.packet()) {
		if (packet.sequence_flags() & proto::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED) {
			cleared++;
			known.clear();
			EXPECT_EQ(packet.trace_packet_defaults().timestamp_clock_id(), 3u);
		}
		for (const proto::EventName &name : packet.interned_data().event_names())
			known[name.iid()] = name.name();
		if (!packet.has_track_event())
			continue;
		EXPECT_EQ(known[packet.track_event().name_iid()],
			  fmt::format("name {}", packet.timestamp()));
	}
	EXPECT_EQ(cleared, 2u);
}

TEST_F(PerfettoWriterTest, AClockOfItsOwnHasAWallClock)
{
	PerfettoWriter writer(out_, 1);
	Session session;

	session.clock = GRTRACE_CLOCK_UNKNOWN;
	session.start_ts = 5;
	writer.clock(session, false);

	const proto::Trace trace = written();
	const proto::ClockSnapshot &snapshot = trace.packet(0).clock_snapshot();
	ASSERT_EQ(snapshot.clocks_size(), 2);
	EXPECT_EQ(snapshot.clocks(0).clock_id(), 64u);
	EXPECT_EQ(snapshot.clocks(1).clock_id(), 1u);
	EXPECT_EQ(snapshot.primary_trace_clock(), proto::BUILTIN_CLOCK_REALTIME);
}

} // namespace
} // namespace grtrace
