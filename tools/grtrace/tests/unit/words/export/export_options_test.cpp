// SPDX-License-Identifier: GPL-2.0
#include "words/export/export_options.h"

#include <gtest/gtest.h>

#include "words/export/export_formats.h"

namespace grtrace {
namespace {

Status parse(std::vector<std::string> words, ExportOptions &options)
{
	std::vector<char *> argv;

	words.insert(words.begin(), "export");
	for (std::string &word : words)
		argv.push_back(word.data());
	return options.parse(static_cast<int>(argv.size()), argv.data());
}

TEST(ExportOptions, TakesWhatIsGiven)
{
	ExportOptions options;

	ASSERT_TRUE(
		parse({"--to", "sqlite", "-o", "x.db", "a", "-i", "b", "--strict", "--ring", "gfx"},
		      options)
			.ok());
	EXPECT_STREQ(options.format->name, "sqlite");
	EXPECT_EQ(options.output, "x.db");
	EXPECT_EQ(options.inputs, (std::vector<std::string>{"a", "b"}));
	EXPECT_TRUE(options.strict);
	EXPECT_TRUE(options.jobs.any());
}

TEST(ExportOptions, NeedsAFormatAndACapture)
{
	ExportOptions none, no_capture, unknown;

	EXPECT_FALSE(parse({"a"}, none).ok());
	EXPECT_FALSE(parse({"--to", "csv"}, no_capture).ok());
	EXPECT_FALSE(parse({"--to", "xml", "a"}, unknown).ok());
}

TEST(ExportOptions, RowsAreForTables)
{
	ExportOptions json, sqlite;

	EXPECT_TRUE(parse({"--to", "json", "--rows", "jobs", "a"}, json).ok());
	EXPECT_EQ(json.rows, ExportOptions::Rows::jobs);
	EXPECT_FALSE(parse({"--to", "sqlite", "-o", "x", "--rows", "jobs", "a"}, sqlite).ok());
}

TEST(ExportOptions, ADatabaseIsNoStream)
{
	ExportOptions options;

	EXPECT_FALSE(parse({"--to", "sqlite", "a"}, options).ok());
}

} // namespace
} // namespace grtrace
