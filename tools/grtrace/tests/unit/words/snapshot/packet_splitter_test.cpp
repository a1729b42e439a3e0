// SPDX-License-Identifier: GPL-2.0
#include "words/snapshot/packet_splitter.h"

#include "grparse/text_printer.h"
#include "read/capture/capture.h"
#include "unit/drive/control/fake_directory.h"
#include "unit/from_text.h"

#include <sys/resource.h>

namespace grtrace {

namespace {

constexpr const char *text = "cpu none\ninfo start=1\nmeta snapshot error 7\n"
			     "ring id=1 class=1 name=gfx\n"
			     "cpu 1\nsubmit ctx=5 ring=1 seqno=1\n"
			     "cpu 0\nsubmit ctx=5 ring=1 seqno=2\n"
			     "cpu 1\ncomplete ctx=5 ring=1 seqno=1\n";

} // namespace

class PacketSplitterTest : public FakeDirectory {
protected:
	std::string base() const { return root_ + "/out/x"; }

	// Feeds the stream in pieces of this size.
	Status split(const Bytes &stream, size_t piece)
	{
		PacketSplitter splitter(base());
		Status status = Status();

		for (size_t at = 0; at < stream.size() && status.ok(); at += piece)
			status = splitter.feed(reinterpret_cast<const char *>(stream.data()) + at,
					       std::min(piece, stream.size() - at));
		if (status.ok())
			status = splitter.finish();
		tables_ = splitter.tables();
		return status;
	}

	// The lines of the capture, read as files of CPUs.
	Lines read_back()
	{
		Lines lines;
		Diagnostics diagnostics(
			[&](const std::string &sentence) { lines.push_back(sentence); });
		Capture capture(diagnostics);
		TextPrinter printer;
		const Event *event;

		EXPECT_TRUE(printer.set_format("%c %r %a %x:%S").ok());
		EXPECT_TRUE(capture.open("", base()).ok());
		while (capture.next(event) == Next::event) {
			fmt::memory_buffer line;

			printer.print(line, *event, capture.session());
			lines.push_back(fmt::to_string(line));
		}
		reason_ = capture.session().snapshot_reason;
		return lines;
	}

	std::string tables_;
	std::string reason_;
};

TEST_F(PacketSplitterTest, EveryPieceGivesTheSameFiles)
{
	const Bytes stream = bytes_of(text, true)[0];
	const Lines want = {"1 gfx Q 5:1", "0 gfx Q 5:2", "1 gfx C 5:1"};

	for (const size_t piece : {size_t(1), size_t(7), size_t(64), size_t(100), stream.size()}) {
		ASSERT_TRUE(split(stream, piece).ok());
		EXPECT_EQ(read_back(), want) << piece;
		EXPECT_EQ(reason_, "error");
	}
}

TEST_F(PacketSplitterTest, TablesStandInEveryFile)
{
	ASSERT_TRUE(split(bytes_of(text, true)[0], 4096).ok());
	EXPECT_NE(tables_.find("snapshot error 7\n"), std::string::npos);
	EXPECT_EQ(get("out/x.grtrace.0").substr(0, tables_.size()), tables_);
	EXPECT_EQ(get("out/x.grtrace.1").substr(0, tables_.size()), tables_);
}

TEST_F(PacketSplitterTest, NothingButTablesIsACapture)
{
	ASSERT_TRUE(split(bytes_of("cpu none\ninfo start=1\n", true)[0], 50).ok());
	EXPECT_EQ(get("out/x.grtrace.0"), tables_);
}

TEST_F(PacketSplitterTest, CpusWithoutPacketsHaveAFileToo)
{
	ASSERT_TRUE(split(bytes_of("cpu none\ninfo start=1\n"
				   "cpu 2\nsubmit ctx=5 ring=1 seqno=1\n",
				   true)[0],
			  4096)
			    .ok());
	EXPECT_EQ(get("out/x.grtrace.1"), tables_);
	EXPECT_EQ(get("out/x.grtrace.3"), "(none)");
	EXPECT_EQ(read_back(), (Lines{"2 ? Q 5:1"}));
}

TEST_F(PacketSplitterTest, DamageIsNamed)
{
	Bytes stream = bytes_of(text, true)[0];
	Bytes cut(stream.begin(), stream.end() - 8);

	EXPECT_NE(split(cut, 4096).sentence().find("ends inside a record"), std::string::npos);
	EXPECT_NE(split(Bytes(64, 0), 64)
			  .sentence()
			  .find("at byte 0: a record "
				"of an impossible"),
		  std::string::npos);
	stream[2] = 40;
	EXPECT_NE(split(stream, 4096).sentence().find("it is not a valid one"), std::string::npos);
}

TEST_F(PacketSplitterTest, WhatStandsBeforeDamageIsSaved)
{
	Bytes stream = bytes_of(text, true)[0];
	ASSERT_TRUE(split(stream, 4096).ok());
	const std::string cpu0 = get("out/x.grtrace.0");
	const std::string cpu1 = get("out/x.grtrace.1");

	stream.insert(stream.end(), 64, 0);
	for (const size_t piece : {size_t(8), stream.size()}) {
		EXPECT_FALSE(split(stream, piece).ok());
		EXPECT_EQ(get("out/x.grtrace.0"), cpu0) << piece;
		EXPECT_EQ(get("out/x.grtrace.1"), cpu1) << piece;
	}
}

// The usual limit of open files is 1024.
TEST_F(PacketSplitterTest, MoreCpusThanFilesMayBeOpen)
{
	struct rlimit before;
	ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	struct rlimit few = before;
	few.rlim_cur = 64;
	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);

	const Status status = split(bytes_of("cpu none\ninfo start=1\n"
					     "cpu 99\n"
					     "submit ctx=5 ring=1 seqno=1\n",
					     true)[0],
				    4096);
	setrlimit(RLIMIT_NOFILE, &before);
	EXPECT_EQ(status.sentence(), "");
	EXPECT_EQ(get("out/x.grtrace.98"), tables_);
}

} // namespace grtrace
