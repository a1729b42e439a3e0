// SPDX-License-Identifier: GPL-2.0
#include "drive/control/control.h"

#include "unit/drive/control/fake_directory.h"

#include <gtest/gtest.h>

namespace grtrace {

using ControlTest = FakeDirectory;

TEST_F(ControlTest, SaysWhatIsMissing)
{
	Control control;

	EXPECT_NE(control.open(root_ + "/no").sentence().find("mount -t"), std::string::npos);
	EXPECT_NE(control.open(root_ + "/out").sentence().find("modprobe"), std::string::npos);
	unsetenv("GRTRACE_DEBUGFS_UNCHECKED");
	EXPECT_NE(control.open(root_).sentence().find("is not a debugfs"), std::string::npos);
}

TEST_F(ControlTest, StateAndSwitch)
{
	Control control;
	std::string state;

	ASSERT_TRUE(control.open(root_).ok());
	ASSERT_TRUE(control.state(&state).ok());
	EXPECT_EQ(state, "idle");
	ASSERT_TRUE(control.start().ok());
	EXPECT_EQ(get("grtrace/control"), "start\n");
	ASSERT_TRUE(control.stop().ok());
	EXPECT_EQ(get("grtrace/control"), "stop\n");
}

TEST_F(ControlTest, SettingsGoInOneWrite)
{
	Control control;

	ASSERT_TRUE(control.open(root_).ok());
	ASSERT_TRUE(control.configure({{"mode", "stop"}, {"level", "off"}}).ok());
	EXPECT_EQ(get("grtrace/config"), "mode=stop\nlevel=off\n");
}

TEST_F(ControlTest, TracedCpusAreThoseWithAFile)
{
	Control control;
	std::vector<unsigned int> cpus;

	put("trace10", "");
	put("tracer", "");
	put("trace", "");
	ASSERT_TRUE(control.open(root_).ok());
	ASSERT_TRUE(control.traced_cpus(&cpus).ok());
	EXPECT_EQ(cpus, (std::vector<unsigned int>{0, 1, 10}));
}

TEST_F(ControlTest, BadStatsNameTheFile)
{
	Control control;
	std::vector<CpuCounts> counts;

	put("pc_stats", "");
	ASSERT_TRUE(control.open(root_).ok());
	EXPECT_EQ(control.cpu_stats(&counts).sentence(),
		  root_ + "/grtrace/pc_stats: there is no header line");
}

} // namespace grtrace
