// SPDX-License-Identifier: GPL-2.0
#include "words/snapshot/save_snapshot.h"

#include "drive/control/control.h"
#include "format/host_facts.h"
#include "unit/drive/control/fake_directory.h"
#include "unit/from_text.h"

namespace grtrace {

// A channel that was frozen once, by a slow job.
class SnapshotTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		const Bytes bytes = bytes_of("cpu none\ninfo start=1\nmeta snapshot slow_exec 7\n"
					     "cpu 0\nsubmit ctx=5 ring=1 seqno=1\n",
					     true)[0];

		put("snapshot", std::string(bytes.begin(), bytes.end()));
		put("stats", "offered 9\nsnapshots 1\n");
		ASSERT_TRUE(control_.open(root_).ok());
	}
	std::string base() const { return root_ + "/out/x"; }

	Control control_;
};

TEST_F(SnapshotTest, is_saved_by_cpu_with_its_reason)
{
	Snapshot snapshot;

	ASSERT_TRUE(save_snapshot(control_, base(), {}, &snapshot).ok());
	EXPECT_EQ(snapshot.reason, "slow_exec");
	EXPECT_EQ(snapshot.bytes, get("grtrace/snapshot").size());
	EXPECT_NE(get("out/x.grtrace.0"), "(none)");
}

TEST_F(SnapshotTest, has_the_facts_of_the_host)
{
	Snapshot snapshot;

	ASSERT_TRUE(
		save_snapshot(control_, base(), {"render7", {{"mesa", "26.1"}}}, &snapshot).ok());
	EXPECT_NE(get("out/x.grtrace.0").find("host render7\n"), std::string::npos);
	EXPECT_NE(get("out/x.grtrace.0").find("tag mesa 26.1\n"), std::string::npos);
}

TEST_F(SnapshotTest, there_may_be_none)
{
	Snapshot snapshot;

	put("snapshot", "");
	EXPECT_EQ(save_snapshot(control_, base(), {}, &snapshot).sentence(),
		  "there is no snapshot");
	shell("rm grtrace/snapshot");
	EXPECT_EQ(save_snapshot(control_, base(), {}, &snapshot).sentence(),
		  root_ + "/grtrace/snapshot: this kernel's grtrace does not support snapshots");
}

} // namespace grtrace
