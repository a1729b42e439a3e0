// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/perfetto_trace.h"

#include "format/vocabulary.h"
#include "read/capture/capture.h"
#include "words/foreign/wire_reader.h"

#include <fmt/format.h>
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
		why = PerfettoTrace(trace.bytes, capture, most).read();
		capture.finish();
		summary = capture.summary();
		remarks = fmt::format("{}", fmt::join(capture.remarks(), "\n"));
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
	uint64_t most = UINT64_MAX;
	std::string remarks;
	std::string why; // it was not read to its end
};

TEST_F(Perfetto, BundlesOfTwoCpusAreOneOrder)
{
	bundle(1, {event(2000, 12, 412, old_job(39, 0xf1)),
		   event(3000, 0, 413, Message().number(1, 0xf1))});
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1)), event(1500, 70, 99, Message())});
	EXPECT_EQ(import(), (std::vector<std::string>{"Q 1879048192:39", "I 1879048192:39",
						      "E 1879048192:39"}));
	EXPECT_EQ(why, "");
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
	EXPECT_EQ(why, "its end is cut off");
}

// Without a compressor: the bytes are stored as they are, with a wrong checksum if is_bad.
std::string stored(const std::string &bytes, bool is_bad = false)
{
	const auto size = static_cast<uint16_t>(bytes.size());
	uint32_t low = 1, high = 0;
	std::string packed = "\x78\x01\x01";

	for (const unsigned char c : bytes) {
		low = (low + c) % 65521;
		high = (high + low) % 65521;
	}
	const uint32_t sum = high << 16 | low;
	for (const uint16_t one : {size, static_cast<uint16_t>(~size)})
		packed += {static_cast<char>(one), static_cast<char>(one >> 8)};
	packed += bytes;
	for (int shift = 24; shift >= 0; shift -= 8)
		packed += static_cast<char>((sum ^ uint32_t(is_bad)) >> shift);
	return packed;
}

class PackedPerfetto : public Perfetto {
protected:
	// Replaces the trace by one packet, and more may come behind it.
	void pack(uint32_t field, const std::string &packed)
	{
		trace = Message().part(1, Message().text(field, packed));
	}
};

TEST_F(PackedPerfetto, IsReadBehindOneThatIsNot)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	pack(50, stored(trace.bytes));
	bundle(0, {event(2000, 70, 411, old_job(40, 0xf2))});
	EXPECT_EQ(import(), (std::vector<std::string>{"Q 1879048192:39", "Q 1879048192:40"}));
	EXPECT_EQ(lost, 0u);
}

TEST_F(PackedPerfetto, NothingOfADamagedOneIsTaken)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	pack(50, stored(trace.bytes, true));
	bundle(0, {event(2000, 70, 411, old_job(40, 0xf2))});
	EXPECT_EQ(import(), (std::vector<std::string>{"Q 1879048192:40"}));
	EXPECT_EQ(lost, 1u);
	EXPECT_NE(remarks.find("1 compressed packet could not be unpacked (zlib: incorrect data "
			       "check): events are missing"),
		  std::string::npos)
		<< remarks;
	EXPECT_EQ(remarks.find("while it was recorded"), std::string::npos) << remarks;
}

TEST_F(PackedPerfetto, WhatIsNotPackedAtAllIsALoss)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	const std::string plain = trace.bytes;

	for (const uint32_t field : {50u, 133u}) {
		trace.bytes.clear();
		bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
		trace.part(1, Message().text(field, plain));
		EXPECT_EQ(import().size(), 1u);
		EXPECT_EQ(lost, 1u);
	}
	EXPECT_NE(remarks.find("(zstd: Unknown frame descriptor)"), std::string::npos) << remarks;
}

TEST_F(PackedPerfetto, OneWithoutItsEndIsReadUpToThere)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	const std::string packed = stored(trace.bytes);
	pack(50, packed.substr(0, packed.size() - 2));
	EXPECT_EQ(import().size(), 1u);
	EXPECT_EQ(lost, 1u);
	EXPECT_NE(remarks.find("(zlib: its end is missing)"), std::string::npos) << remarks;
}

// A bomb could have any depth.
TEST_F(PackedPerfetto, APackedOneInAPackedOneIsALoss)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	pack(50, stored(trace.bytes));
	pack(50, stored(trace.bytes));
	bundle(0, {event(2000, 70, 411, old_job(40, 0xf2))});
	EXPECT_EQ(import().size(), 1u);
	EXPECT_EQ(lost, 1u);
	EXPECT_NE(remarks.find("(it is in one that was packed itself)"), std::string::npos)
		<< remarks;
}

TEST_F(PackedPerfetto, TheLimitIsForAllTogether)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	const std::string one = stored(trace.bytes);
	most = 2 * trace.bytes.size();
	trace.bytes.clear();
	for (int i = 0; i < 3; i++)
		trace.part(1, Message().text(50, one));
	EXPECT_EQ(import().size(), 2u);
	EXPECT_NE(why.find("the rest is missing: its packets become more than 0 MiB"),
		  std::string::npos)
		<< why;
}

TEST_F(PackedPerfetto, WhatIsBehindItsEndIsALoss)
{
	bundle(0, {event(1000, 70, 411, old_job(39, 0xf1))});
	pack(50, stored(trace.bytes) + "more");
	EXPECT_EQ(import().size(), 1u);
	EXPECT_EQ(lost, 1u);
	EXPECT_NE(remarks.find("(zlib: there are bytes behind its end)"), std::string::npos)
		<< remarks;
}

// The description of an event, with the fields' names and types in the order of their numbers.
Message description(uint32_t number, const char *name,
		    const std::vector<std::pair<const char *, uint64_t>> &fields)
{
	Message message;
	uint64_t at = 0;

	message.text(1, name);
	for (const auto &[field, type] : fields)
		message.part(2, Message().text(1, field).number(3, ++at).number(5, type));
	return Message().number(1, number).part(2, message).text(3, "gpu_scheduler");
}

TEST_F(Perfetto, AnEventThatIsDescribedBehindIt)
{
	const Message job = Message().text(1, "gfx").number(2, 42).number(3, 7);
	Message message;

	message.number(1, 0)
		.part(2, event(1000, 70, 65537, job))
		.part(2, event(1100, 70, 65538, Message().number(1, 5)))
		.part(2, event(1200, 70, 65539, Message().number(1, 5)))
		.part(11, description(65537, "drm_sched_job_queue",
				      {{"name", 9}, {"fence_context", 4}, {"fence_seqno", 4}}))
		.part(11, description(65538, "irq_handler_entry", {{"irq", 5}}));
	trace.part(1, Message().part(1, message));
	EXPECT_EQ(import(), (std::vector<std::string>{"Q 42:7"}));
	EXPECT_EQ(summary, "1 drm_sched_job_queue; 1 other is left out");
	EXPECT_EQ(lost, 1u);
	EXPECT_NE(remarks.find("1 event is left out: no packet describes it"), std::string::npos)
		<< remarks;
}

// Its second description is another one's, and a number of 8 bytes is none of the kernel's.
TEST_F(Perfetto, TheFirstDescriptionCountsAndOtherNumbersDoNot)
{
	const Message job = Message().text(1, "gfx").number(2, 42).number(3, 7);
	Message message;

	message.number(1, 0)
		.part(11, description(65537, "drm_sched_job_queue",
				      {{"name", 9}, {"fence_context", 4}, {"fence_seqno", 6}}))
		.part(11, description(65537, "drm_sched_job_queue",
				      {{"name", 9}, {"fence_context", 4}, {"fence_seqno", 4}}))
		.part(2, event(1000, 70, 65537, job));
	trace.part(1, Message().part(1, message));
	EXPECT_EQ(import().size(), 0u);
	EXPECT_EQ(lost, 1u); // its number is not known
}

TEST_F(Perfetto, APacketThatWasDroppedIsALossButNotBeforeTheFirst)
{
	for (uint64_t ts = 1000; ts < 3000; ts += 1000) {
		const Message one =
			Message().number(1, 3).part(2, event(ts, 70, 411, old_job(ts, ts)));

		trace.part(1, Message().part(1, one).number(10, 5).number(42, 1));
	}
	EXPECT_EQ(import().size(), 2u);
	EXPECT_EQ(lost, 1u);
}

TEST_F(Perfetto, ADamagedBundleIsALoss)
{
	Message message;

	message.number(1, 0).part(2, event(1000, 70, 411, old_job(39, 0xf1)));
	message.bytes += "\x12\x7f";
	trace.part(1, Message().part(1, message));
	EXPECT_EQ(import().size(), 1u);
	EXPECT_EQ(lost, 1u);
	EXPECT_NE(remarks.find("1 packet is damaged: events are missing"), std::string::npos)
		<< remarks;
}

TEST(PerfettoNames, ATaskHasTheNameOfItsTime)
{
	const auto process = [](uint64_t pid, const char *words) {
		return Message().part(1, Message().number(1, pid).text(3, words)).bytes;
	};
	PerfettoNames names;

	names.take_tree(1000, process(70, "/usr/bin/game"));
	names.take_tree(3000, process(70, "Z:\\games\\other.exe"));
	names.take_tree(3000, process(12, "kworker/u8:0"));
	names.take_tree(
		3000,
		Message().part(2, Message().number(1, 71).text(2, "draw").number(3, 70)).bytes);
	EXPECT_EQ(names.find(70, 500)->name, "game");
	EXPECT_EQ(names.find(70, 2000)->name, "game");
	EXPECT_EQ(names.find(70, 3000)->name, "other.exe");
	EXPECT_EQ(names.find(12, 0)->name, "kworker/u8:0");
	EXPECT_EQ(names.find(71, 0)->tgid, 70u);
	EXPECT_EQ(names.find(72, 0), nullptr);
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
