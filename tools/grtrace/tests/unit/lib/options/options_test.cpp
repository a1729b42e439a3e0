// SPDX-License-Identifier: GPL-2.0
#include "lib/options/options.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

using Words = std::vector<std::string>;

constexpr Option table[] = {
	{'k', "kill", nullptr, "end it"},
	{'w', "wait", "S", "wait S seconds"},
	{256, "engine", "MASK", "engines"},
	{257, "engine-mask", "MASK",
	 "the same as the other one, in words that need more than one line of "
	 "the help"},
	{'V', "", nullptr, nullptr},
};

// The arguments as text: each option with its argument, words with '.', or
// the sentence of the error.
std::string parsed(const Words &args)
{
	std::vector<GivenOption> given;
	Status status = parse_options(table, args, given);
	std::string text;

	if (!status.ok())
		return status.sentence();
	for (const GivenOption &one : given) {
		if (!text.empty())
			text += ' ';
		text += one.id ? one.shown : one.after_dashes ? ".." : ".";
		if (!one.argument.empty())
			text += "=" + one.argument;
	}
	return text;
}

} // namespace

TEST(Options, EveryWayToGiveAnArgument)
{
	EXPECT_EQ(parsed({"-w", "5"}), "-w=5");
	EXPECT_EQ(parsed({"-w5"}), "-w=5");
	EXPECT_EQ(parsed({"-kw5"}), "-k -w=5");
	EXPECT_EQ(parsed({"--wait", "5"}), "--wait=5");
	EXPECT_EQ(parsed({"--wait=5"}), "--wait=5");
	EXPECT_EQ(parsed({"--wait="}), "--wait");
	EXPECT_EQ(parsed({"-w", "-k"}), "-w=-k");
	EXPECT_EQ(parsed({"-V"}), "-V");
}

TEST(Options, WordsStandAnywhere)
{
	EXPECT_EQ(parsed({"a", "-k", "-", "b"}), ".=a -k .=- .=b");
	EXPECT_EQ(parsed({"a", "--", "-k", "--", "b"}), ".=a ..=-k ..=-- ..=b");
	EXPECT_EQ(parsed({}), "");
}

TEST(Options, LongNamesMayBeShort)
{
	EXPECT_EQ(parsed({"--k"}), "--k");
	EXPECT_EQ(parsed({"--engine", "x"}), "--engine=x");
	EXPECT_EQ(parsed({"--engine-m=x"}), "--engine-m=x");
	EXPECT_EQ(parsed({"--eng=x"}), "--eng may be one of several options");
}

TEST(Options, ErrorsNameTheOptionAsItWasTyped)
{
	EXPECT_EQ(parsed({"-x"}), "unknown option -x");
	EXPECT_EQ(parsed({"-kx"}), "unknown option -x");
	EXPECT_EQ(parsed({"--zap=1"}), "unknown option --zap");
	EXPECT_EQ(parsed({"-w"}), "-w needs an argument: S");
	EXPECT_EQ(parsed({"--wait"}), "--wait needs an argument: S");
	EXPECT_EQ(parsed({"--kill=1"}), "--kill takes no argument");
}

TEST(Options, HelpIsWrapped)
{
	EXPECT_EQ(describe_options(table),
		  "  -k, --kill                end it\n"
		  "  -w, --wait S              wait S seconds\n"
		  "      --engine MASK         engines\n"
		  "      --engine-mask MASK    the same as the other one, in "
		  "words that need more\n"
		  "                            than one line of the help\n");
}

// Nothing behind the first mistake is looked at.
TEST(Options, AreReadUntilOneIsWrong)
{
	std::string read;
	auto read_all = [&](std::vector<const char *> args) {
		std::vector<char *> argv = {const_cast<char *>("word")};

		read.clear();
		for (const char *arg : args)
			argv.push_back(const_cast<char *>(arg));
		return read_options(table, static_cast<int>(argv.size()), argv.data(),
				    [&](const GivenOption &given) {
					    read += given.shown + given.argument;
					    return given.argument == "no" ?
							   Status::error("not no") :
							   Status();
				    })
			.sentence();
	};

	EXPECT_EQ(read_all({"-w5", "a", "-k"}), "");
	EXPECT_EQ(read, "-w5a-k");
	EXPECT_EQ(read_all({"a", "no", "b"}), "not no");
	EXPECT_EQ(read, "ano");
	EXPECT_EQ(read_all({"a", "-x"}), "unknown option -x; see --help");
	EXPECT_EQ(read, "");
	EXPECT_EQ(read_all({}), "");
}

} // namespace grtrace
