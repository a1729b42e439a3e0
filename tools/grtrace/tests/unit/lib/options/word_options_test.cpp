// SPDX-License-Identifier: GPL-2.0
#include "lib/options/word_options.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

struct Wishes {
	std::vector<std::string> inputs;
	std::vector<std::string> names;
	std::string output;
	uint64_t limit = 5;
	bool strict = false;
	std::string called;
};

const WordOption<Wishes> table[] = {
	{'o', "output", "FILE", "to FILE", &Wishes::output},
	{0, "name", "NAME", "repeatable", &Wishes::names},
	{0, "limit", "N", "so many", WordOption<Wishes>::Number{&Wishes::limit, 1, 9}},
	{0, "call", "TEXT", "calls",
	 [](Wishes &wishes, const std::string &argument) {
		 wishes.called += argument;
		 return argument == "bad" ? Status::error("it is bad") : Status();
	 }},
	strict_option<Wishes>,
};

std::string parse(std::vector<std::string> words, Wishes &wishes)
{
	std::vector<char *> argv;

	for (std::string &word : words)
		argv.push_back(word.data());
	return read_options(table, static_cast<int>(argv.size()), argv.data(), wishes).sentence();
}

} // namespace

TEST(WordOptions, each_goes_where_its_line_says)
{
	Wishes wishes;

	EXPECT_EQ(parse({"word", "-o", "x", "--name", "a", "in", "--name=b", "--limit", "9",
			 "--strict", "--call", "me"},
			wishes),
		  "");
	EXPECT_EQ(wishes.output, "x");
	EXPECT_EQ(wishes.names, (std::vector<std::string>{"a", "b"}));
	EXPECT_EQ(wishes.inputs, (std::vector<std::string>{"in"}));
	EXPECT_EQ(wishes.limit, 9u);
	EXPECT_TRUE(wishes.strict);
	EXPECT_EQ(wishes.called, "me");
}

TEST(WordOptions, the_first_that_is_wrong_ends_it)
{
	Wishes wishes;

	EXPECT_EQ(parse({"word", "--call", "bad", "--call", "more"}, wishes), "it is bad");
	EXPECT_EQ(wishes.called, "bad");
	EXPECT_EQ(parse({"word", "--strikt"}, wishes),
		  "unknown option --strikt (did you mean --strict?); see --help");
}

TEST(WordOptions, numbers_have_limits)
{
	uint64_t value = 0;

	EXPECT_TRUE(parse_number("n", "0x10", 1, 16, value).ok());
	EXPECT_EQ(value, 16u);
	EXPECT_EQ(parse_number("n", "17", 1, 16, value).sentence(),
		  "--n wants a number from 1 to 16, not \"17\"");
	EXPECT_FALSE(parse_number("n", "0", 1, 16, value).ok());
	EXPECT_EQ(parse_number("n", "x", 0, UINT64_MAX, value).sentence(),
		  "--n wants a number, not \"x\"");
}

TEST(WordOptions, help_has_them_in_their_order)
{
	EXPECT_EQ(describe_options(table),
		  "  -o, --output FILE         to FILE\n"
		  "      --name NAME           repeatable\n"
		  "      --limit N             so many\n"
		  "      --call TEXT           calls\n"
		  "      --strict              exit 3 if records were lost\n");
}

TEST(WordOptions, a_number_has_its_bounds_in_the_sentence_if_it_has_any)
{
	uint64_t value = 0;

	EXPECT_TRUE(parse_number("top", "9", 1, 9, value).ok());
	EXPECT_EQ(value, 9u);
	for (const char *wrong : {"0", "10", "x", ""})
		EXPECT_EQ(parse_number("top", wrong, 1, 9, value).sentence(),
			  std::string("--top wants a number from 1 to 9, not \"") + wrong + '"');
	EXPECT_EQ(parse_number("ctx", "x", 0, UINT64_MAX, value).sentence(),
		  "--ctx wants a number, not \"x\"");
}

} // namespace grtrace
