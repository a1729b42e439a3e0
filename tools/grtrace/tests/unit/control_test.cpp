// SPDX-License-Identifier: GPL-2.0
#include "control.h"

#include "config_keys.h"
#include "fake_directory.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace grtrace {

using ControlTest = FakeDirectory;

TEST_F(ControlTest, SaysWhatIsMissing)
{
	Control control;

	EXPECT_NE(control.open(root_ + "/no").sentence().find("mount -t"),
		  std::string::npos);
	EXPECT_NE(control.open(root_ + "/out").sentence().find("modprobe"),
		  std::string::npos);
	unsetenv("GRTRACE_DEBUGFS_UNCHECKED");
	EXPECT_NE(control.open(root_).sentence().find("is not a debugfs"),
		  std::string::npos);
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
	ASSERT_TRUE(
		control.configure({ { "mode", "stop" }, { "order", "gseq" } })
			.ok());
	EXPECT_EQ(get("grtrace/config"), "mode=stop\norder=gseq\n");
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
	EXPECT_EQ(cpus, (std::vector<unsigned int>{ 0, 1, 10 }));
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

TEST(ConfigKeys, SettingsAreKeyAndValue)
{
	NamedText setting;

	ASSERT_TRUE(parse_setting("a=b=c", &setting).ok());
	EXPECT_EQ(setting, NamedText("a", "b=c"));
	EXPECT_FALSE(parse_setting("a", &setting).ok());
	EXPECT_FALSE(parse_setting("=b", &setting).ok());
	EXPECT_FALSE(parse_setting("a=b c=d", &setting).ok());
	EXPECT_FALSE(parse_setting("a=b\n", &setting).ok());
}

TEST(ConfigKeys, RefusalNamesKeyValueAndWhatIsAllowed)
{
	EXPECT_EQ(
		explain_refusal({ { "mode", "often" } }, EINVAL, "mode=stop\n"),
		"the kernel refused 'mode=often': not a value of this key "
		"(EINVAL)\n  mode: stop or overwrite\nnothing was changed");
	EXPECT_EQ(explain_refusal({ { "mood", "x" } }, EINVAL,
				  "mode=stop\norder=gseq\n"),
		  "the kernel refused 'mood=x': not a value of this key "
		  "(EINVAL)\n  mood: unknown key; there are: mode, order\n"
		  "nothing was changed");
}

TEST(ConfigKeys, RangeNamesWhatIsOutOfIt)
{
	const std::string one = explain_refusal(
		{ { "subbuf_size", "4096" }, { "n_subbufs", "1" } }, ERANGE,
		"");
	const std::string both = explain_refusal(
		{ { "subbuf_size", "16777216" }, { "n_subbufs", "1024" } },
		ERANGE, "");

	EXPECT_EQ(one.find("\n  subbuf_size"), std::string::npos);
	EXPECT_NE(one.find("\n  n_subbufs: 2 to 1024"), std::string::npos);
	EXPECT_NE(both.find("subbuf_size x n_subbufs is more"),
		  std::string::npos);
}

TEST(ConfigKeys, BusyNamesOnlyKeysThatMustWait)
{
	const std::string text = explain_refusal(
		{ { "filter_ring_id", "1" }, { "order", "clock" } }, EBUSY, "");

	EXPECT_NE(text.find("not while a session is running"),
		  std::string::npos);
	EXPECT_NE(text.find("\n  order: gseq or clock"), std::string::npos);
	EXPECT_EQ(text.find("\n  filter_ring_id"), std::string::npos);
}

} // namespace grtrace
