// SPDX-License-Identifier: GPL-2.0
#include "drive/control/config_backup.h"

#include "drive/control/config_keys.h"
#include "drive/control/control.h"
#include "unit/drive/control/fake_directory.h"

#include <gtest/gtest.h>

namespace grtrace {

using Settings = std::vector<NamedText>;

TEST(ConfigBackup, UndoesWhatWasChangedAndNothingElse)
{
	const Settings before = {
		{"mode", "stop"}, {"sample", "4"}, {"filter_device", "mock0"}, {"n_subbufs", "4"}};

	EXPECT_EQ(undo_settings({{"mode", "overwrite"}, {"sample", "4"}, {"filter_device", "all"}},
				before),
		  (Settings{{"mode", "stop"}, {"filter_device", "mock0"}}));
	// A key that the kernel did not show cannot be put back.
	EXPECT_EQ(undo_settings({{"later", "1"}}, before), Settings{});
}

TEST(ConfigBackup, AListIsEmptiedBeforeItIsFilled)
{
	const Settings before = {{"watch_ctx_clear", "0"},
				 {"watch_ctx_add", "5,6"},
				 {"watch_pid_clear", "0"},
				 {"watch_pid_add", "none"}};

	EXPECT_EQ(undo_settings({{"watch_ctx_clear", "1"},
				 {"watch_ctx_add", "9"},
				 {"watch_pid_clear", "1"},
				 {"watch_pid_add", "70"}},
				before),
		  (Settings{{"watch_ctx_clear", "1"},
			    {"watch_ctx_add", "5,6"},
			    {"watch_pid_clear", "1"}}));
}

using ConfigBackupTest = FakeDirectory;

TEST_F(ConfigBackupTest, BringsBackWhatWasThere)
{
	Control control;
	ConfigBackup backup;

	put("config", "sample=4\nn_subbufs=4\n");
	ASSERT_TRUE(control.open(root_).ok());
	ASSERT_TRUE(backup.take(control).ok());
	ASSERT_TRUE(backup.change(control, {{"sample", "9"}}).ok());
	EXPECT_EQ(get("grtrace/config"), "sample=9\n");
	ASSERT_TRUE(backup.restore(control).ok());
	EXPECT_EQ(get("grtrace/config"), "sample=4\n");
	// Once is enough.
	put("config", "sample=5\n");
	ASSERT_TRUE(backup.restore(control).ok());
	EXPECT_EQ(get("grtrace/config"), "sample=5\n");
}

TEST_F(ConfigBackupTest, LeavesASessionOfOthersAlone)
{
	Control control;
	ConfigBackup backup;

	put("config", "sample=4\n");
	ASSERT_TRUE(control.open(root_).ok());
	ASSERT_TRUE(backup.take(control).ok());
	ASSERT_TRUE(backup.change(control, {{"sample", "9"}}).ok());
	put("control", "running\n");
	EXPECT_EQ(backup.restore(control).sentence(),
		  "could not restore the previous configuration: another session has been started "
		  "since\nset it with grtrace config sample=4");
	EXPECT_EQ(get("grtrace/config"), "sample=9\n");
}

} // namespace grtrace
