// SPDX-License-Identifier: GPL-2.0
#include "words/parse/parse_options.h"

#include "unit/from_text.h"

namespace grtrace {

static std::string parse(std::vector<std::string> words, ParseOptions &options)
{
	std::vector<char *> argv;

	words.insert(words.begin(), "grparse");
	for (std::string &word : words)
		argv.push_back(word.data());
	return options.parse(static_cast<int>(argv.size()), argv.data()).sentence();
}

static std::string parse(std::vector<std::string> words)
{
	ParseOptions options;

	return parse(std::move(words), options);
}

TEST(ParseOptions, what_does_not_go_together_is_refused)
{
	EXPECT_EQ(parse({"-d", "x", "a", "b"}), "-d writes one session: give one capture");
	EXPECT_EQ(parse({"-d", "-", "a"}),
		  "-d - and text cannot share standard output: add -O, or -o FILE");
	EXPECT_EQ(parse({"-d", "-", "-O", "a"}), "");
	EXPECT_EQ(parse({"--csv", "--json", "a"}), "--json: choose one of --csv and --json");
	EXPECT_EQ(parse({"--csv", "-f", "%a", "a"}),
		  "-f and -F are for lines of text: they cannot be combined with --csv and --json");
	for (const char *option : {"--csv", "--ctx=1", "-s", "-t", "-dx"})
		EXPECT_EQ(parse({"--explain", "1:1", option, "a"}).find("--explain reads all"), 0u)
			<< option;
	EXPECT_EQ(parse({"--ctx", "x", "a"}).find("--ctx: \"x\" is not a number"), 0u);
	EXPECT_EQ(parse({"-S", "x", "a"}),
		  "-S wants one of N, q, Q, c, C, w, W and f, not \"x\"; see --help");
}

TEST(ParseOptions, none_is_left_to_another_program)
{
	ParseOptions options;

	EXPECT_EQ(parse({"--ring", "gfx", "--json", "a"}, options), "");
	EXPECT_TRUE(options.other_word.empty());
	EXPECT_EQ(options.choice(), &options.additions);
	EXPECT_EQ(options.rows(), &options.additions);
}

TEST(ParseOptions, without_them_nothing_is_added)
{
	ParseOptions options;

	EXPECT_EQ(parse({"a"}, options), "");
	EXPECT_EQ(options.choice(), nullptr);
	EXPECT_EQ(options.rows(), nullptr);
}

TEST(ParseOptions, rows_have_a_form)
{
	const auto bytes = bytes_of("cpu 0\nsubmit ctx=5 ring=1 seqno=7\n", false);
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	const Event *event;

	capture.open_memory(bytes, true);
	ASSERT_EQ(capture.next(event), Next::event);
	for (const auto &[option, names, part] :
	     {std::tuple("--csv", "capture,cpu,", ",submit,Q,"),
	      {"--json", "", "\"type\":\"submit\",\"letter\":\"Q\""}}) {
		ParseOptions options;
		fmt::memory_buffer out;

		EXPECT_EQ(parse({option, "a"}, options), "");
		options.rows()->print_names(out);
		EXPECT_EQ(fmt::to_string(out).substr(0, 12), names);
		options.rows()->print_row(out, *event, capture, no_time);
		EXPECT_NE(fmt::to_string(out).find(part), std::string::npos);
	}
}

TEST(ParseOptions, a_stream_can_be_read_again)
{
	const auto bytes = bytes_of("cpu 0\nsubmit ctx=5 ring=1 seqno=7\nmessage hello\n"
				    "complete ctx=5 ring=1 seqno=7\n",
				    false);
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	ParseAdditions additions;
	const auto writer = additions.writer(capture.session());
	fmt::memory_buffer out;
	const Event *event;

	capture.open_memory(bytes, true);
	while (capture.next(event) == Next::event)
		if (event->type == GRTRACE_MESSAGE)
			writer->skip(*event);
		else
			writer->write(out, *event);
	writer->finish(out);
	Reading again({Bytes(out.begin(), out.end())}, false, "%a");
	EXPECT_EQ(again.lines, (std::vector<std::string>{"Q", "C"}));
	EXPECT_EQ(again.sentences, std::vector<std::string>());
}

TEST(ParseOptions, help_has_the_columns)
{
	EXPECT_NE(ParseOptions::help_text().find("\n  fence_ctx "), std::string::npos);
	EXPECT_EQ(GrparseOptions::help_text().find("\n  fence_ctx "), std::string::npos);
}

} // namespace grtrace
