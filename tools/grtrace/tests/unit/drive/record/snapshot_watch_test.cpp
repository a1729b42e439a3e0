// SPDX-License-Identifier: GPL-2.0
#include "drive/record/snapshot_watch.h"

#include "drive/control/capture_options.h"
#include "drive/control/control.h"
#include "unit/drive/control/fake_directory.h"

namespace grtrace {

// A trigger took a snapshot; the program that saves it writes down how it was called.
class SnapshotWatchTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		put("snapshot", "bytes");
		put("stats", "offered 9\nsnapshots 1\n");
		shell("printf '#!/bin/sh\\necho \"$*\" >> '$PWD'/calls\\nexec test ! -e "
		      "'$PWD'/ill\\n' "
		      "> grtrace-snapshot; chmod +x grtrace-snapshot");
		setenv("GRTRACE_EXEC_PATH", root_.c_str(), 1);
		ASSERT_TRUE(control_.open(root_).ok());
		options_.debugfs = root_;
	}
	void TearDown() override
	{
		unsetenv("GRTRACE_EXEC_PATH");
		FakeDirectory::TearDown();
	}
	std::string call(const std::string &name) const
	{
		return "--triggered -r " + root_ + " -o out/" + name;
	}

	Control control_;
	CaptureOptions options_;
};

TEST_F(SnapshotWatchTest, has_each_saved_once_and_makes_room_for_the_next)
{
	SnapshotWatch watch(control_, options_, "out/x", 2);

	EXPECT_TRUE(watch.look());
	EXPECT_EQ(get("calls"), call("x.snapshot --discard\n"));
	EXPECT_TRUE(watch.look());
	EXPECT_EQ(get("calls"), call("x.snapshot --discard\n"));

	// The last one stays: nothing may follow it.
	shell("rm calls");
	put("stats", "snapshots 2\n");
	EXPECT_TRUE(watch.look());
	EXPECT_EQ(get("calls"), call("x.snapshot.2\n"));
	put("stats", "snapshots 3\n");
	EXPECT_TRUE(watch.look());
	EXPECT_EQ(get("calls"), call("x.snapshot.2\n"));
}

TEST_F(SnapshotWatchTest, one_that_is_gone_again_is_none)
{
	SnapshotWatch watch(control_, options_, "out/x", 1);

	put("snapshot", "");
	EXPECT_TRUE(watch.look());
	EXPECT_EQ(get("calls"), "(none)");
}

TEST_F(SnapshotWatchTest, knows_when_one_was_not_saved)
{
	SnapshotWatch watch(control_, options_, "out/x", 3);
	const std::string path = getenv("PATH");

	shell("touch ill");
	EXPECT_FALSE(watch.look());
	EXPECT_NE(get("calls"), "(none)");

	shell("rm grtrace-snapshot");
	put("stats", "snapshots 2\n");
	testing::internal::CaptureStderr();
	setenv("PATH", "/nowhere", 1);
	EXPECT_FALSE(watch.look());
	setenv("PATH", path.c_str(), 1);
	EXPECT_EQ(testing::internal::GetCapturedStderr(),
		  "grtrace: a snapshot was taken and is not saved: the word snapshot "
		  "is not "
		  "installed\n");
}

} // namespace grtrace
