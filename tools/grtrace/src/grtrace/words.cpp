// SPDX-License-Identifier: GPL-2.0
//
// An unknown word may be one that is not installed; then the packages that it needs are
// named.
#include "grtrace/words.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "drive/options/capture_words.h"
#include "lib/options/exec_word.h"
#include "lib/text/nearest.h"
#include "lib/text/print_to.h"

namespace grtrace {

namespace {

constexpr int exit_usage = 2;

struct SuiteWord {
	std::string_view name;
	std::string_view what;
	std::string_view packages; // Debian packages that it needs to be built
};

constexpr SuiteWord suite[] = {
	{"annotate", "record DRM ioctls and waits by BPF", "libbpf-dev bpftool clang"},
	{"config", "show or change the configuration", "libfmt-dev"},
	{"diff", "compare two captures", "libfmt-dev"},
	{"explain", "print the story of one job in words", "libfmt-dev"},
	{"export", "write captures for Perfetto, SQLite, CTF and others",
	 "libsqlite3-dev libprotobuf-dev protobuf-compiler"},
	{"import", "make a capture of a trace that another program recorded", "libfmt-dev"},
	{"merge", "join captures and traces of the same time", "libfmt-dev"},
	{"monitor", "watch GPU work as it happens",
	 "libtracefs-dev libtraceevent-dev libncurses-dev"},
	{"parse", "grparse with all its options, run by grparse itself", "libfmt-dev"},
	{"report", "say why GPU work was late", "libfmt-dev"},
	{"snapshot", "freeze and save what the channel holds now", "libfmt-dev"},
	{"status", "show the session, its counters and its rings", "libfmt-dev"},
	{"timeline", "draw jobs over time in a terminal", "libfmt-dev"},
	{"tracedat", "read a trace.dat; grtrace import runs this",
	 "libtracecmd-dev libtracefs-dev libtraceevent-dev"},
	{"tracefs", "record without the module; grtrace record runs this",
	 "libtracefs-dev libtraceevent-dev"},
	{"verify", "check whether a capture is complete and consistent", "libfmt-dev"},
};

const SuiteWord *find_suite_word(std::string_view name)
{
	const auto word = std::ranges::find(suite, name, &SuiteWord::name);

	return word == std::end(suite) ? nullptr : word;
}

int say_unknown(const std::string &word)
{
	std::vector<std::string_view> names = capture_word_names();

	for (const SuiteWord &one : suite)
		names.push_back(one.name);
	print_to(stderr, "grtrace: '{}' is not a command of grtrace{}; see grtrace --help\n", word,
		 did_you_mean(word, names));
	return exit_usage;
}

} // namespace

bool is_device(std::string_view word)
{
	for (const std::string_view node : {"card", "renderD"})
		if (word.starts_with(node) && word.size() > node.size())
			return word.find_first_not_of("0123456789", node.size()) == word.npos;
	return word.starts_with("/dev/") || word.find(':') != word.npos;
}

int run_program_of(const std::string &word, std::vector<std::string> args)
{
	const SuiteWord *known = find_suite_word(word);

	if (!known && find_word_program(word).empty())
		return say_unknown(word);
	args.insert(args.begin(), word);
	return exec_word("grtrace", args, known ? known->packages : "");
}

std::string suite_overview()
{
	std::string text;

	for (const SuiteWord &word : suite)
		text += fmt::format("  {:<10}{}{}\n", word.name, word.what,
				    find_word_program(word.name).empty() ? " (not installed)" : "");
	return text;
}

} // namespace grtrace
