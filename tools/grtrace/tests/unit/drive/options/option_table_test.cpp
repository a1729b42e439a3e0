// SPDX-License-Identifier: GPL-2.0
#include "drive/options/option_table.h"

#include <cctype>
#include <set>
#include <span>

#include <gtest/gtest.h>

namespace grtrace {

static std::span<const WordOption<CaptureOptions>> table()
{
	return {capture_table, nr_capture_options};
}

// The first sentence when the options are set one after the other.
static std::string set(CaptureOptions &options,
		       const std::vector<std::pair<std::string, std::string>> &given)
{
	for (const auto &[name, text] : given)
		for (const WordOption<CaptureOptions> &spec : table())
			if (name == spec.name)
				if (Status status = set_option(spec, options, text); !status.ok())
					return status.sentence();
	return "";
}

TEST(OptionTable, each_name_and_letter_is_there_once_and_can_be_typed)
{
	std::set<std::string> names;
	std::set<char> letters;

	for (const WordOption<CaptureOptions> &spec : table()) {
		// A heading of the help has no name.
		EXPECT_TRUE(!*spec.name || names.insert(spec.name).second) << spec.name;
		EXPECT_TRUE(!spec.letter || letters.insert(spec.letter).second) << spec.name;
		EXPECT_TRUE(!spec.letter || isalnum(spec.letter)) << spec.name;
		EXPECT_NE(spec.words, 0u) << spec.name;
	}
}

TEST(OptionTable, the_last_of_a_key_counts)
{
	CaptureOptions options;

	EXPECT_EQ(set(options, {{"level", "off"}, {"level", "normal"}, {"adaptive", ""}}), "");
	EXPECT_EQ(options.settings,
		  (std::vector<NamedText>{{"level", "normal"}, {"adaptive_sampling", "1"}}));
	EXPECT_EQ(set(options, {{"level", "loud"}}).find("'loud' is not one of its values"), 0u);
}

TEST(OptionTable, lists_grow_up_to_what_the_kernel_takes)
{
	CaptureOptions options;

	EXPECT_EQ(set(options, {{"ctx", "none"}, {"ctx", "1,0x2"}, {"ctx", "3"}}), "");
	EXPECT_EQ(options.contexts, (std::vector<std::string>{"1", "0x2", "3"}));
	EXPECT_EQ(set(options, {{"pid", "0"}}).find("0 is out of range"), 0u);
	for (int i = 0; i < 61; i++)
		EXPECT_EQ(set(options, {{"ctx", "9"}}), "");
	EXPECT_EQ(set(options, {{"ctx", "9"}}).find("65 values are too many: the list holds 64"),
		  0u);
}

TEST(OptionTable, words_become_what_the_kernel_reads)
{
	CaptureOptions options;

	EXPECT_EQ(set(options, {{"limiter", "bucket"},
				{"buffer-size", "8"},
				{"deny", ""},
				{"engine", "copy"}}),
		  "");
	EXPECT_EQ(options.settings, (std::vector<NamedText>{{"rate_limiter_mode", "1"},
							    {"subbuf_size", "8192"},
							    {"watch_allow_mode", "0"},
							    {"filter_engine_mask", "0x8"}}));
	EXPECT_EQ(set(options, {{"limiter", "x"}}), "'x' is neither window nor bucket");
	EXPECT_EQ(set(options, {{"buffer-size", "6"}}), "'6' is not a multiple of 4 KiB");
	EXPECT_EQ(set(options, {{"stopwatch", "0"}}), "'0' is not 1 to 2147483647 seconds");
}

TEST(OptionTable, flags_and_texts)
{
	CaptureOptions options;

	EXPECT_EQ(set(options, {{"strict", ""},
				{"output", "x"},
				{"relay", "/d"},
				{"dev", "a"},
				{"dev", "b"},
				{"act-mask", "Q"},
				{"act-mask", "C"}}),
		  "");
	EXPECT_TRUE(options.strict && options.has_debugfs);
	EXPECT_EQ(options.output + options.debugfs, "x/d");
	EXPECT_EQ(options.devices, (std::vector<std::string>{"a", "b"}));
	EXPECT_EQ(options.type_mask, 0x102u);
	EXPECT_EQ(set(options, {{"at", "/1s"}}), "");
	EXPECT_EQ(options.at, 1u);
	EXPECT_NE(set(options, {{"at", "/0"}}), "");
	EXPECT_NE(set(options, {{"listen", ""}}).find("use ssh"), std::string::npos);
}

} // namespace grtrace
