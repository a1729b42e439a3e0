// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/perfetto_trace.h"

#include "format/vocabulary.h"
#include "read/capture/capture.h"
#include "words/foreign/wire_reader.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace grtrace {

namespace {

// Writes the fields of a message.
class Message {
public:
	Message &number(uint32_t field, uint64_t value)
	{
		varint(field << 3);
		varint(value);
		return *this;
	}
	Message &text(uint32_t field, const std::string &value)
	{
		varint(field << 3 | 2);
		varint(value.size());
		bytes += value;
		return *this;
	}
	Message &part(uint32_t field, const Message &message) { return text(field, message.bytes); }

	std::string bytes;

private:
	void varint(uint64_t value)
	{
		for (; value >= 0x80; value >>= 7)
			bytes += static_cast<char>(value | 0x80);
		bytes += static_cast<char>(value);
	}
};

Message event(uint64_t ts, uint32_t pid, uint32_t kind, const Message &message)
{
	return Message().number(1, ts).number(2, pid).part(kind, message);
}

Message old_job(uint64_t id, uint64_t fence)
{
	return Message()
		.number(1, 0xe)
		.number(2, fence)
		.number(3, 0)
		.number(4, id)
		.number(5, 1)
		.text(6, "gfx");
}

} // namespace

class Perfetto : public testing::Test {
protected:
	// One bundle of a CPU in a packet.
	void bundle(uint32_t cpu, const std::vector<Message> &events, bool lost = false)
	{
		Message message;

		message.number(1, cpu);
		for (const Message &one : events)
			message.part(2, one);
		if (lost)
			message.number(3, 1);
		trace.part(1, Message().part(1, message).number(8, 7));
	}

	// Imports it. Returns the events as "letter ctx:seqno".
	std::vector<std::string> import()
	{
		char name[] = "/tmp/perfetto_trace.XXXXXX";
		std::vector<std::string> lines;
		OutputFile out;

		EXPECT_TRUE(mkdtemp(name));
		const std::string path = std::string(name) + "/out";
		EXPECT_TRUE(out.open(path).ok());
		ForeignCapture capture({.kind = "perfetto"}, out);
		whole = PerfettoTrace(trace.bytes, capture).read();
		capture.finish();
		summary = capture.summary();
		lost = capture.lost();
		EXPECT_TRUE(out.close().ok());
		Diagnostics diagnostics([](const std::string &) {});
		Capture made(diagnostics);
		EXPECT_TRUE(made.open("", path).ok());
		const Event *got;
		while (made.next(got) == Next::event)
			if (got->is_event())
				lines.push_back(fmt::format("{} {}:{}",
							    record_kind(got->type)->letter,
							    got->ctx, got->seqno));
		std::filesystem::remove_all(name);
		return lines;
	}

	Message trace;
	std::string summary;
	uint64_t lost = 0;
	bool whole = false;
};

TEST_F(Perfetto, BundlesOfTwoCpusAreOneOrder)
{
	bundle(1, {event(2000, 12, 412, old_job(39, 0xf1)),
		   event(3000, 0, 413, Message().number(1, 0xf1))});
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1)), event(1500, 70, 99, Message())});
	EXPECT_EQ(import(), (std::vector<std::string>{"Q 1879048192:39", "I 1879048192:39",
						      "E 1879048192:39"}));
	EXPECT_TRUE(whole);
	EXPECT_EQ(summary, "1 drm_run_job, 1 drm_sched_job, 1 drm_sched_process_job; 1 other is "
			   "left out");
}

TEST_F(Perfetto, FencesAndMarkers)
{
	const Message fence =
		Message().number(1, 11).text(2, "drm_sched").number(3, 1).text(4, "gfx");

	bundle(0, {event(1000, 70, 417, fence), event(2000, 70, 418, fence),
		   event(2500, 70, 3, Message().number(1, 5).text(2, "B|70|frame\n"))});
	EXPECT_EQ(import(), (std::vector<std::string>{"WE 11:1", "WX 11:1"}));
	EXPECT_EQ(summary, "1 dma_fence_wait_end, 1 dma_fence_wait_start, 1 marker");
}

// Newer events have no message of their own.
TEST_F(Perfetto, GenericEventsAreReadByName)
{
	const auto field = [](const char *name, uint64_t value) {
		return Message().text(1, name).number(5, value);
	};
	const Message job = Message()
				    .text(1, "drm_sched_job_queue")
				    .part(2, Message().text(1, "name").text(3, "gfx"))
				    .part(2, field("fence_context", 42))
				    .part(2, field("fence_seqno", 7));

	bundle(0, {event(1000, 70, 327, job),
		   event(1100, 70, 327, Message().text(1, "drm_sched_job_run")),
		   event(1200, 70, 327, Message().text(1, "something_else"))});
	EXPECT_EQ(import(), (std::vector<std::string>{"Q 42:7"}));
}

TEST_F(Perfetto, ALossIsOnItsCpu)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	bundle(0, {event(2000, 70, 411, old_job(40, 0xf2))}, true);
	EXPECT_EQ(import().size(), 2u);
	EXPECT_EQ(lost, 1u);
}

TEST_F(Perfetto, ACutEnd)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	bundle(0, {event(2000, 70, 411, old_job(40, 0xf2))});
	trace.bytes.resize(trace.bytes.size() - 3);
	EXPECT_EQ(import().size(), 1u);
	EXPECT_FALSE(whole);
}

TEST_F(Perfetto, ItsFirstBytes)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	EXPECT_TRUE(PerfettoTrace::is_one(trace.bytes.substr(0, 16)));
	EXPECT_FALSE(PerfettoTrace::is_one("\n  game-70 [000]"));
	EXPECT_FALSE(PerfettoTrace::is_one("PERFILE2"));
	EXPECT_FALSE(PerfettoTrace::is_one(""));
}

TEST(WireReader, WhatIsNoFieldEndsIt)
{
	for (const std::string_view bytes :
	     {std::string_view("\x00\x01", 2),
	      std::string_view("\x0a\x05"
			       "ab",
			       4),
	      std::string_view("\x0b", 1), std::string_view("\x80\x80", 2),
	      std::string_view("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)}) {
		WireReader reader(bytes);
		WireReader::Field field;

		EXPECT_FALSE(reader.next(&field));
		EXPECT_TRUE(reader.is_damaged());
	}
}

} // namespace grtrace
