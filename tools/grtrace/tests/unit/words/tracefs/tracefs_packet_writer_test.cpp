// SPDX-License-Identifier: GPL-2.0
#include "words/translate/packet_writer.h"

#include "unit/jobs_from_text.h"
#include "words/translate/device_names.h"
#include "words/translate/ring_names.h"
#include "words/translate/stream_notes.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

// The packets, read again as one stream.
class Written : public testing::Test {
protected:
	Written()
		: writer(5, 2, [this](uint32_t, const uint8_t *data, size_t size) {
			  bytes.append(reinterpret_cast<const char *>(data), size);
			  packets++;
		  })
	{
	}

	NewRecord record(uint16_t type, uint64_t ts, uint64_t ctx = 5)
	{
		NewRecord made;

		made.type = type;
		made.ts = ts;
		made.ctx = ctx;
		made.seqno = 7;
		made.ring = 1;
		made.pid = 70;
		return made;
	}

	Bytes stream()
	{
		writer.flush();
		return Bytes(bytes.begin(), bytes.end());
	}
	std::unique_ptr<Reading> read()
	{
		return std::make_unique<Reading>(std::vector<Bytes>{stream()}, false,
						 "%c %a %g %x:%S %f %T.%t");
	}

	std::string bytes;
	unsigned int packets = 0;
	PacketWriter writer;
};

} // namespace

TEST_F(Written, ASubmitHasItsClient)
{
	NewRecord submit = record(GRTRACE_SUBMIT, 3'000'000'000);

	submit.client = 0x1234567890abcdef;
	writer.event(0, submit);
	submit.seqno++;
	submit.client = 0;
	writer.event(1, submit);

	const JobReading reading({stream()}, false);
	std::vector<uint64_t> clients;
	for (const Job &job : reading.jobs)
		clients.push_back(job.client);
	EXPECT_EQ(clients, (std::vector<uint64_t>{0x1234567890abcdef, 0}));
}

TEST_F(Written, ACommandIsReadAsItWasGiven)
{
	NewRecord submit = record(GRTRACE_SUBMIT, 3'000'000'000);
	NewRecord end = record(GRTRACE_END, 3'000'000'100);

	submit.answered = true;
	submit.command = 0x207;
	submit.client = 12;
	writer.event(0, submit);
	submit.fence_ctx = 4;
	submit.fence_seqno = 9;
	writer.event(0, submit);
	end.answered = true;
	end.command = 0x80001100;
	writer.event(0, end);
	const auto reading = read();

	ASSERT_EQ(reading->sentences, Lines());
	ASSERT_EQ(reading->events.size(), 3u);
	EXPECT_EQ(reading->events[0].size, 56u);
	EXPECT_FALSE(reading->events[0].has_fence);
	EXPECT_TRUE(reading->events[1].has_fence);
	EXPECT_EQ(reading->events[1].fence_ctx, 4u);
	EXPECT_EQ(reading->events[1].fence_seqno, 9u);
	EXPECT_EQ(reading->events[2].size, 40u);
	EXPECT_FALSE(reading->events[2].has_fence);
	// Their bytes, by the places that the header gives them.
	EXPECT_EQ(bytes.substr(bytes.size() - 40 - 56 + 32, 20),
		  std::string("\x0c\0\0\0\0\0\0\0\x04\0\0\0\x09\0\0\0\x07\x02\0\0", 20));
	EXPECT_EQ(bytes.substr(bytes.size() - 8), std::string("\0\x11\0\x80\0\0\0\0", 8));
}

TEST_F(Written, HasTheEndOfEachCpuThatWrote)
{
	writer.event(0, record(GRTRACE_SUBMIT, 3'000'000'000));
	writer.event(1, record(GRTRACE_PICK, 3'000'000'100));
	writer.lost(1, 3'000'000'200, 3'000'000'300, 4);
	writer.stop(3'000'000'400);
	const auto reading = read();
	const std::vector<CpuStats> &cpus = reading->capture.stats().cpus;

	EXPECT_EQ(reading->sentences, Lines());
	ASSERT_EQ(cpus.size(), 2u);
	for (const uint32_t cpu : {0, 1}) {
		EXPECT_TRUE(cpus[cpu].stopped);
		EXPECT_EQ(cpus[cpu].stop_ts, 3'000'000'400u);
		EXPECT_EQ(cpus[cpu].stop_gseq, 2u);
	}
	EXPECT_EQ(cpus[1].kernel_lost, 4u);
	EXPECT_EQ(reading->capture.stats().lost(), 4u);
}

TEST_F(Written, IsReadAsItWasGiven)
{
	NewRecord commit = record(GRTRACE_COMMIT, 3'000'000'100, 6);
	NewRecord error = record(GRTRACE_ERROR, 3'000'000'200);

	commit.has_fence = true;
	commit.fence_ctx = 4;
	commit.fence_seqno = 9;
	error.kind = GRTRACE_ERROR_HOST;
	error.code = -5;
	writer.ring(0, 3'000'000'000, {1, 2, "gpu", "drv", "gfx"});
	writer.task(0, 3'000'000'000, {70, 69, "a task"});
	writer.event(0, record(GRTRACE_SUBMIT, 3'000'000'000));
	writer.event(1, commit);
	writer.event(0, error);
	writer.message(1, 3'000'000'300, 70, "hello");
	const auto reading = read();

	ASSERT_EQ(reading->sentences, Lines());
	ASSERT_EQ(reading->events.size(), 6u);
	EXPECT_EQ(reading->events[2].ts, 3'000'000'000u);
	EXPECT_EQ(reading->events[2].ctx, 5u);
	EXPECT_EQ(reading->events[3].cpu, 1u);
	EXPECT_EQ(reading->events[3].fence_ctx, 4u);
	EXPECT_EQ(reading->events[3].fence_seqno, 9u);
	EXPECT_EQ(reading->events[4].kind, uint32_t(GRTRACE_ERROR_HOST));
	EXPECT_EQ(reading->events[4].code, -5);
	for (size_t i = 0; i < 6; i++)
		EXPECT_EQ(reading->events[i].gseq, i);
	EXPECT_EQ(writer.counts(0).events, 2u);
	EXPECT_EQ(writer.counts(0).notes, 2u);
}

// A new packet begins where the time cannot be widened otherwise.
TEST_F(Written, LongPausesAndHighContextsAreWidened)
{
	const uint64_t times[] = {1, 2'000'000'000, 9'000'000'000, 9'000'000'001};
	const uint64_t contexts[] = {1, 0x100000001, 0x100000002, 3};

	for (size_t i = 0; i < 4; i++)
		writer.event(0, record(GRTRACE_SUBMIT, times[i], contexts[i]));
	const auto reading = read();

	ASSERT_EQ(reading->events.size(), 4u);
	for (size_t i = 0; i < 4; i++) {
		EXPECT_EQ(reading->events[i].ts, times[i]);
		EXPECT_EQ(reading->events[i].ctx, contexts[i]);
	}
}

TEST_F(Written, MoreThanAPacketHolds)
{
	for (uint64_t i = 0; i < 5000; i++)
		writer.event(0, record(GRTRACE_SUBMIT, 1000 * i));
	const auto reading = read();

	EXPECT_GT(packets, 1u);
	ASSERT_EQ(reading->events.size(), 5000u);
	EXPECT_EQ(reading->events.back().cseq, 4999u);
	EXPECT_EQ(reading->capture.stats().lost(), 0u);
}

TEST_F(Written, LossIsToldWhereItIs)
{
	writer.event(0, record(GRTRACE_SUBMIT, 1000));
	writer.lost(0, 1000, 5000, 30);
	writer.event(0, record(GRTRACE_SUBMIT, 5000));
	writer.flush();
	writer.event(0, record(GRTRACE_SUBMIT, 6000));
	const auto reading = read();

	ASSERT_EQ(reading->events.size(), 4u);
	EXPECT_EQ(reading->events[1].type, GRTRACE_LOST);
	EXPECT_EQ(reading->events[2].cseq, 31u);
	EXPECT_EQ(reading->capture.stats().lost(), 30u);
	EXPECT_EQ(writer.counts(0).lost, 30u);
}

TEST_F(Written, NotesDescribeTheSession)
{
	DeviceNames devices("/nonexistent");
	RingNames rings(devices);
	StreamNotes notes;

	notes.sources = {{"drm_sched", 4, 5}};
	notes.untold = {"results"};
	notes.cpus = 2;
	notes.start(GRTRACE_CLOCK_MONOTONIC);
	notes.session = 5;
	rings.find("gpu", "gfx_0");
	for (const uint8_t byte : notes_packet(notes, rings))
		bytes.push_back(static_cast<char>(byte));
	writer.event(0, record(GRTRACE_SUBMIT, notes.start_ts));
	const auto reading = read();
	const Session &session = reading->capture.session();

	ASSERT_EQ(reading->sentences, Lines());
	EXPECT_EQ(session.recorder, "tracefs");
	EXPECT_EQ(session.untold, Lines{"results"});
	ASSERT_EQ(session.sources.size(), 1u);
	EXPECT_EQ(session.sources[0].found, 4u);
	EXPECT_EQ(session.start_ts, notes.start_ts);
	EXPECT_EQ(session.nr_cpus, 2u);
	EXPECT_FALSE(session.release.empty());
	EXPECT_EQ(session.rings.find(1).name, "gfx_0");
}

} // namespace grtrace
