// SPDX-License-Identifier: GPL-2.0
#include "grparse/grparse_options.h"

#include <gtest/gtest.h>

namespace grtrace {

// The sentence, or nothing where these options are fine.
static std::string parse(std::vector<std::string> words, GrparseOptions &options)
{
	std::vector<char *> argv;

	words.insert(words.begin(), "grparse");
	for (std::string &word : words)
		argv.push_back(word.data());
	return options.parse(static_cast<int>(argv.size()), argv.data()).sentence();
}

static std::string parse(std::vector<std::string> words)
{
	GrparseOptions options;

	return parse(std::move(words), options);
}

TEST(GrparseOptions, blkparses_letters_mean_what_they_do_there)
{
	GrparseOptions options;

	EXPECT_EQ(parse({"-i", "x", "-D", "dir", "-o", "text", "-O", "-q", "-M", "-b", "7", "-w",
			 "1:2", "-h", "-v", "y"},
			options),
		  "");
	EXPECT_EQ(options.inputs, (std::vector<std::string>{"x", "y"}));
	EXPECT_EQ(options.directory + options.output, "dirtext");
	EXPECT_TRUE(options.no_text && options.quiet && options.no_messages && options.verbose);
	EXPECT_EQ(options.batch, 7u);
	EXPECT_EQ(options.filter.from_ns(), 1000000000u);
}

TEST(GrparseOptions, there_has_to_be_a_capture_but_for_help)
{
	EXPECT_EQ(parse({}), "name a capture; see --help");
	EXPECT_EQ(parse({"--help"}), "");
	EXPECT_EQ(parse({"-V"}), "");
}

TEST(GrparseOptions, what_does_not_go_together_is_refused)
{
	for (const char *option : {"--limit=1", "-aQ", "-w1"})
		EXPECT_EQ(parse({"--explain", "1:1", option, "a"}).find("--explain reads all"), 0u)
			<< option;
	EXPECT_EQ(parse({"--since", "2", "--until", "1", "a"}),
		  "--since 2000000000 ns is after --until 1000000000 ns: nothing can be between "
		  "them");
}

TEST(GrparseOptions, explain_is_a_command_line_of_that_word)
{
	GrparseOptions options;

	EXPECT_EQ(
		parse({"--explain", "5:1", "-D", "dir", "--strict", "-b", "7", "x", "y"}, options),
		"");
	EXPECT_EQ(options.other_word,
		  (std::vector<std::string>{"explain", "-D", "dir", "-o", "-", "-b", "7",
					    "--strict", "--", "5:1", "x", "y"}));
}

// With any other option: that program reads all of them.
TEST(GrparseOptions, some_are_a_command_line_of_another_program)
{
	for (const char *option : {"--csv", "--json", "--ring=1", "--dev=0", "--engine=copy",
				   "--pid=1", "--client=1", "--ctx=x", "-s", "-t", "-Sx", "-dx"}) {
		GrparseOptions options;

		EXPECT_EQ(parse({option, "--help", "-b", "none"}, options), "");
		EXPECT_EQ(options.other_word,
			  (std::vector<std::string>{"parse", option, "--help", "-b", "none"}));
		EXPECT_FALSE(options.help);
	}
	EXPECT_EQ(parse({"-b", "none", "--csv"}).find("-b wants"), 0u);
}

TEST(GrparseOptions, numbers_have_limits)
{
	EXPECT_EQ(parse({"--limit", "0", "a"}),
		  "--limit wants a number of events, at least 1, not \"0\"");
	EXPECT_EQ(parse({"-b", "16777217", "a"}),
		  "-b wants a number of events from 1 to 16777216, not \"16777217\"");
}

TEST(GrparseOptions, formats_are_compiled_in_the_end)
{
	EXPECT_EQ(parse({"-f", "%", "a"}), "format \"%\": it ends inside a %");
	EXPECT_EQ(parse({"-F", "warp,%a", "a"}).find("-F wants an action and a format"), 0u);
	EXPECT_EQ(parse({"-f", "%a", "-F", "C,%e", "a"}), "");
}

TEST(GrparseOptions, help_has_each_part)
{
	const std::string help = GrparseOptions::help_text();

	for (const char *part :
	     {"Usage: grparse", "-a, --act-mask", "%z  ", "DP  dep", "V  video_decode"})
		EXPECT_NE(help.find(part), std::string::npos) << part;
}

} // namespace grtrace
