// SPDX-License-Identifier: GPL-2.0
#include "words/snapshot/snapshot_watch.h"

#include "drive/control/control.h"
#include "format/host_facts.h"
#include "unit/drive/control/fake_directory.h"
#include "unit/from_text.h"

namespace grtrace {

// A trigger took a snapshot.
class SnapshotWatchTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		const Bytes bytes = bytes_of("cpu none\ninfo start=1\nmeta snapshot error 7\n"
					     "cpu 0\nsubmit ctx=5 ring=1 seqno=1\n",
					     true)[0];

		put("snapshot", std::string(bytes.begin(), bytes.end()));
		put("stats", "offered 9\nsnapshots 1\n");
		ASSERT_TRUE(control_.open(root_).ok());
		testing::internal::CaptureStderr();
	}
	void TearDown() override
	{
		testing::internal::GetCapturedStderr();
		FakeDirectory::TearDown();
	}
	SnapshotWatch watch(uint64_t most) { return {control_, host_, root_ + "/out/x", most}; }

	Control control_;
	HostFacts host_ = {"render7", {}};
};

TEST_F(SnapshotWatchTest, has_each_saved_once_and_makes_room_for_the_next)
{
	SnapshotWatch watch = this->watch(2);

	EXPECT_TRUE(watch.look().ok());
	EXPECT_NE(get("out/x.snapshot.grtrace.0").find("host render7\n"), std::string::npos);
	EXPECT_EQ(get("grtrace/control"), "discard\n");
	shell("rm out/*");
	EXPECT_TRUE(watch.look().ok());
	EXPECT_EQ(get("out/x.snapshot.grtrace.0"), "(none)");

	// The last one stays: nothing may follow it.
	put("control", "running\n");
	put("stats", "snapshots 2\n");
	EXPECT_TRUE(watch.look().ok());
	EXPECT_NE(get("out/x.snapshot.2.grtrace.0"), "(none)");
	EXPECT_EQ(get("grtrace/control"), "running\n");
	shell("rm out/*");
	put("stats", "snapshots 3\n");
	EXPECT_TRUE(watch.look().ok());
	EXPECT_EQ(get("out/x.snapshot.3.grtrace.0"), "(none)");
}

TEST_F(SnapshotWatchTest, one_that_is_gone_again_is_none)
{
	SnapshotWatch watch = this->watch(1);

	put("snapshot", "");
	EXPECT_TRUE(watch.look().ok());
	EXPECT_EQ(get("out/x.snapshot.grtrace.0"), "(none)");
}

TEST_F(SnapshotWatchTest, knows_when_one_was_not_saved)
{
	SnapshotWatch watch = this->watch(3);

	put("snapshot", "rubbish!rubbish!");
	EXPECT_FALSE(watch.look().ok());
	EXPECT_EQ(get("grtrace/control"), "idle\n");
}

} // namespace grtrace
