// SPDX-License-Identifier: GPL-2.0
#include "words/frozen/snapshot.h"

#include "drive/control/control.h"
#include "unit/drive/control/fake_directory.h"

namespace grtrace {

using FrozenTest = FakeDirectory;

TEST_F(FrozenTest, is_taken_and_freed_by_a_word_for_control)
{
	Control control;

	ASSERT_TRUE(control.open(root_).ok());
	EXPECT_TRUE(take_snapshot(control).ok());
	EXPECT_EQ(get("grtrace/control"), "snapshot\n");
	EXPECT_TRUE(discard_snapshot(control).ok());
	EXPECT_EQ(get("grtrace/control"), "discard\n");
}

TEST_F(FrozenTest, an_empty_file_is_none)
{
	Control control;
	bool there = true;

	ASSERT_TRUE(control.open(root_).ok());
	put("snapshot", "");
	EXPECT_TRUE(has_snapshot(control, &there).ok());
	EXPECT_FALSE(there);
	put("snapshot", "bytes");
	EXPECT_TRUE(has_snapshot(control, &there).ok());
	EXPECT_TRUE(there);
	shell("rm grtrace/snapshot");
	EXPECT_FALSE(has_snapshot(control, &there).ok());
}

} // namespace grtrace
