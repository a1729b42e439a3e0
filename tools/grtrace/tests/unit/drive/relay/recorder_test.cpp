// SPDX-License-Identifier: GPL-2.0
#include "drive/relay/recorder.h"

#include "drive/control/capture_options.h"
#include "drive/control/control.h"
#include "format/boot_id.h"
#include "synth.h"
#include "unit/drive/control/fake_directory.h"
#include "words/packets/packet_bytes.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <thread>

namespace grtrace {

class RecorderTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		ASSERT_TRUE(control_.open(root_).ok());
		plan_.base = root_ + "/out/x";
		plan_.subbuf_bytes = 4096;
	}

	Control control_;
	RecordPlan plan_;
};

TEST_F(RecorderTest, FilesAreMetadataPacketsMetadata)
{
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	Status status = recorder.finish();
	ASSERT_TRUE(status.ok()) << status.sentence();
	EXPECT_EQ(get("out/x.grtrace.0"), "metazerometa");
	EXPECT_EQ(get("out/x.grtrace.1"), "metaone");
	EXPECT_EQ(recorder.bytes(0), 4u);
	EXPECT_EQ(recorder.bytes(1), 3u);
}

// The kernel leaves it zeros.
TEST_F(RecorderTest, FillsInTheBootId)
{
	const BootId boot = read_boot_id();
	Recorder recorder(control_, plan_);
	Synth synth(true);

	if (boot == BootId{})
		GTEST_SKIP() << "no boot id in /proc";
	ASSERT_TRUE(synth.parse("cpu none\ninfo boot=0\n"));
	const std::vector<uint8_t> packet = synth.streams()[0];
	put("metadata", std::string(packet.begin(), packet.end()));
	ASSERT_TRUE(recorder.prepare({0}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	ASSERT_TRUE(recorder.finish().ok());
	const std::string file = get("out/x.grtrace.0");
	const std::string id(boot.begin(), boot.end());
	const size_t first = file.find(id);
	ASSERT_NE(first, std::string::npos);
	EXPECT_NE(file.find(id, first + 1), std::string::npos) << "not at the end";
}

TEST_F(RecorderTest, AddsTheFactsOfTheHost)
{
	PacketBytes packet;

	packet.open({.session = 7});
	packet.add_info({});
	put("metadata", std::string(packet.bytes().begin(), packet.bytes().end()));
	plan_.host = {"render7", {{"mesa", "26.1"}}};
	Recorder recorder(control_, plan_);
	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	ASSERT_TRUE(recorder.finish().ok());
	for (const char *file : {"out/x.grtrace.0", "out/x.grtrace.1"}) {
		EXPECT_NE(get(file).find("host render7\n"), std::string::npos);
		EXPECT_NE(get(file).find("tag mesa 26.1\n"), std::string::npos);
	}
}

// The kernel does not know the names that users type.
TEST_F(RecorderTest, NotesTheNamesOfNodes)
{
	PacketBytes packet;

	packet.open({.session = 7});
	packet.add_info({});
	put("metadata", std::string(packet.bytes().begin(), packet.bytes().end()));
	shell("mkdir -p drm/card0 devices/pci0000:00/0000:00:02.0 && "
	      "ln -s ../../devices/pci0000:00/0000:00:02.0 drm/card0/device");
	setenv("GRTRACE_SYSFS_DRM", (root_ + "/drm").c_str(), 1);
	plan_.host = CaptureOptions().host_facts();
	unsetenv("GRTRACE_SYSFS_DRM");

	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	ASSERT_TRUE(recorder.finish().ok());
	EXPECT_NE(get("out/x.grtrace.0").find("node card0 pci0000:00 0000:00:02.0\n"),
		  std::string::npos);
}

TEST_F(RecorderTest, CpusComeAndStayAway)
{
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0, 7}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	put("trace2", "two");
	ASSERT_TRUE(recorder.adopt_cpus().ok());
	ASSERT_TRUE(recorder.finish().ok());
	EXPECT_EQ(get("out/x.grtrace.1"), "metaone");
	EXPECT_EQ(get("out/x.grtrace.2"), "metatwo");
	EXPECT_EQ(get("out/x.grtrace.7"), "(none)");
}

// tests/cli/roll.t reads such captures.
TEST_F(RecorderTest, GoesOnBehindOlderCapturesAndRemovesTheOldest)
{
	plan_.segment_bytes = 2;
	plan_.keep = 1;
	shell("touch out/x.000004.grtrace.5 out/x.4.grtrace.0");
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	EXPECT_NE(get("out/x.000005.grtrace.0"), "(none)");
	ASSERT_TRUE(recorder.begin().ok());
	Status status = recorder.finish();
	ASSERT_TRUE(status.ok()) << status.sentence();
	EXPECT_EQ(recorder.bytes(0) + recorder.bytes(1), 7u);
	for (const char *file : {"out/x.000004.grtrace.5", "out/x.000005.grtrace.0",
				 "out/x.000006.grtrace.0", "out/x.000007.grtrace.0"})
		EXPECT_EQ(get(file), "(none)") << file;
	EXPECT_EQ(get("out/x.000008.grtrace.0").substr(0, 4), "meta");
	EXPECT_EQ(get("out/x.4.grtrace.0"), "");
	EXPECT_EQ(recorder.removed(), 3u);
}

// The end of a CPU may be in another one.
TEST_F(RecorderTest, SegmentsSayThatTheyAre)
{
	PacketBytes packet;

	packet.open({.session = 7});
	packet.add_info({});
	put("metadata", std::string(packet.bytes().begin(), packet.bytes().end()));
	for (const uint64_t bytes : {uint64_t(1) << 20, uint64_t(0)}) {
		plan_.segment_bytes = bytes;
		Recorder recorder(control_, plan_);
		ASSERT_TRUE(recorder.prepare({0}).ok());
		ASSERT_TRUE(recorder.begin().ok());
		ASSERT_TRUE(recorder.finish().ok());
	}
	EXPECT_NE(get("out/x.000001.grtrace.0").find("segment 1\n"), std::string::npos);
	EXPECT_EQ(get("out/x.grtrace.0").find("segment"), std::string::npos);
}

TEST_F(RecorderTest, SegmentsBeginWithOne)
{
	plan_.segment_bytes = 2;
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0}).ok());
	EXPECT_NE(get("out/x.000001.grtrace.0"), "(none)");
}

TEST_F(RecorderTest, WritesNothingBeforeTheEndIfNotLive)
{
	plan_.live = false;
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	put("trace0", "newer");
	ASSERT_TRUE(recorder.finish().ok());
	EXPECT_EQ(get("out/x.grtrace.0"), "metanewermeta");
}

TEST_F(RecorderTest, PlaceThatCannotBeWrittenFailsBeforeTheStart)
{
	plan_.base = root_ + "/none/x";
	Recorder recorder(control_, plan_);
	Status status = recorder.prepare({0});

	ASSERT_FALSE(status.ok());
	EXPECT_EQ(status.sentence(), "cannot write " + plan_.base +
					     ".grtrace.0: No such file or "
					     "directory");
}

TEST_F(RecorderTest, FailedStartLeavesNoEmptyFiles)
{
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	ASSERT_TRUE(recorder.finish().ok());
	EXPECT_EQ(get("out/x.grtrace.0"), "(none)");
}

TEST_F(RecorderTest, EachFileThatIsCutIsNamed)
{
	shell("ln -s /dev/full out/x.grtrace.0");
	put("metadata", "");
	Recorder recorder(control_, plan_);
	struct pollfd failure = {-1, POLLIN, 0};

	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	failure.fd = recorder.failure_fd();
	EXPECT_EQ(poll(&failure, 1, 60000), 1);
	Status status = recorder.finish();
	ASSERT_FALSE(status.ok());
	EXPECT_EQ(status.sentence(), plan_.base + ".grtrace.0: No space left on device: its "
						  "first 0 bytes are safe, the rest is missing");
	EXPECT_EQ(get("out/x.grtrace.1"), "one");
}

TEST_F(RecorderTest, FileThatCannotBeReadIsNamed)
{
	shell("rm grtrace/trace1 && mkdir grtrace/trace1");
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0, 1}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	EXPECT_EQ(recorder.finish().sentence(), root_ + "/grtrace/trace1: Is a directory");
	EXPECT_EQ(get("out/x.grtrace.0"), "metazerometa");
}

// Records that are written while the recorder waits are read without a stop.
TEST_F(RecorderTest, LiveStreamMoves)
{
	shell("rm grtrace/trace0 grtrace/trace1 && mkfifo grtrace/trace0");
	Recorder recorder(control_, plan_);

	ASSERT_TRUE(recorder.prepare({0}).ok());
	ASSERT_TRUE(recorder.begin().ok());
	FILE *fifo = fopen((root_ + "/grtrace/trace0").c_str(), "w");
	ASSERT_NE(fifo, nullptr);
	fputs("live", fifo);
	fflush(fifo);
	for (int i = 0; i < 6000 && recorder.bytes(0) < 4; i++)
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
	EXPECT_EQ(recorder.bytes(0), 4u);
	fclose(fifo);
	ASSERT_TRUE(recorder.finish().ok());
	EXPECT_EQ(get("out/x.grtrace.0"), "metalivemeta");
}

} // namespace grtrace
