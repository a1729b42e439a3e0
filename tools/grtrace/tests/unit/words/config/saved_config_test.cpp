// SPDX-License-Identifier: GPL-2.0
#include "words/config/saved_config.h"

#include <gtest/gtest.h>

namespace grtrace {

using Settings = std::vector<NamedText>;

TEST(SavedConfig, SettingsAreKeyAndValue)
{
	NamedText setting;

	ASSERT_TRUE(parse_setting("a=b=c", &setting).ok());
	EXPECT_EQ(setting, NamedText("a", "b=c"));
	ASSERT_TRUE(parse_setting("filter_type_mask=all", &setting).ok());
	EXPECT_EQ(setting.second, "0xffffffffffffffff");
	EXPECT_EQ(parse_setting("burst=-1", &setting).sentence().substr(0, 27),
		  "burst=-1: '-1' has a sign: ");
	EXPECT_FALSE(parse_setting("a", &setting).ok());
	EXPECT_FALSE(parse_setting("=b", &setting).ok());
	EXPECT_FALSE(parse_setting("a=b c=d", &setting).ok());
	EXPECT_FALSE(parse_setting("a=b\n", &setting).ok());
}

TEST(SavedConfig, ResetKnowsListsAndLeavesTheUnknown)
{
	EXPECT_EQ(reset_settings({{"filter_ring_mask", "0x3"},
				  {"sample", "4"},
				  {"watch_pid_clear", "0"},
				  {"watch_pid_add", "7"},
				  {"reset_stats", "0"},
				  {"later", "1"}}),
		  (Settings{{"filter_ring_mask", "0xffffffffffffffff"},
			    {"watch_pid_clear", "1"},
			    {"sample", "1"}}));
}

TEST(SavedConfig, WhatIsSavedLoads)
{
	Settings settings;
	const std::string text = saved_config({{"mode", "stop"},
					       {"watch_pid_clear", "0"},
					       {"watch_pid_add", "7,8"},
					       {"reset_stats", "0"}});

	EXPECT_EQ(text, "# for grtrace config --load\nmode=stop\n"
			"watch_pid_clear=1\nwatch_pid_add=7,8\n");
	ASSERT_TRUE(parse_saved_config(text, &settings).ok());
	EXPECT_EQ(settings,
		  (Settings{{"mode", "stop"}, {"watch_pid_clear", "1"}, {"watch_pid_add", "7,8"}}));
}

TEST(SavedConfig, ABadFileNamesTheLine)
{
	Settings settings;

	EXPECT_EQ(
		parse_saved_config("# x\n\nsample=2 mode=x\n", &settings).sentence().substr(0, 16),
		"line 3: mode=x: ");
	settings.clear();
	EXPECT_FALSE(parse_saved_config("# nothing\n", &settings).ok());
}

} // namespace grtrace
