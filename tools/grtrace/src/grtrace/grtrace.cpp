// SPDX-License-Identifier: GPL-2.0
//
// grtrace records what happens to the jobs of GPU rings. This file has the words that
// drive a session; any other word is a program of its own.
#include <cstdio>
#include <string>
#include <vector>

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include "drive/control/capture_options.h"
#include "drive/options/capture_words.h"
#include "drive/record/record.h"
#include "grtrace/session_words.h"
#include "grtrace/words.h"
#include "lib/options/version.h"
#include "lib/text/print_to.h"

namespace grtrace {

constexpr int exit_usage = 2;

static std::string overview()
{
	return "Usage: grtrace [WORD] [OPTIONS]\n\n"
	       "A session of the kernel's module:\n" +
	       capture_overview() + "\nOther commands:\n" + suite_overview() +
	       "  help      print this text, or the help of a word\n"
	       "\nStart here, as root:\n"
	       "  grtrace record -w 10 -o game && grtrace report game\n"
	       "\nWithout a WORD it records: grtrace card0 -o - | grparse -i -\n"
	       "grtrace WORD --help explains a word.\n";
}

// Without an output the session is only stopped.
static int stop(const CaptureOptions &options)
{
	const bool saves = !options.output.empty() || !options.directory.empty();
	const int code = saves ? save_main(options) : stop_main(options);

	return code || !options.unload ? code : unload_main(options);
}

static int act(Word word, const CaptureOptions &options)
{
	switch (word) {
	case Word::record:
		return options.kill ? kill_main(options) : record_main(options);
	case Word::start:
		return start_main(options);
	case Word::stop:
		return stop(options);
	case Word::msg:
		return msg_main(options);
	}
	return exit_usage;
}

// args: after the word
static int run_session_word(Word word, const std::vector<std::string> &args)
{
	CaptureOptions options;
	Status status = parse_capture_options(word, args, &options);

	if (!status.ok()) {
		print_to(stderr, "grtrace {}: {}\n{}", word_name(word), status.sentence(),
			 capture_usage(word));
		return exit_usage;
	}
	if (options.help) {
		print_to(stdout, "{}", capture_help(word));
		return 0;
	}
	if (options.version) {
		print_to(stdout, "grtrace {} (stream format {}.{})\n", tools_version,
			 GRTRACE_VERSION_MAJOR, GRTRACE_VERSION_MINOR);
		return 0;
	}
	if (word == Word::record && !options.kill && records_from_tracefs(options))
		return run_program_of("tracefs", args);
	return act(word, options);
}

static int run(std::vector<std::string> args)
{
	const std::string first = args.empty() ? "" : args[0];
	Word word;

	// Without arguments it prints the help.
	if (args.empty()) {
		print_to(stderr, "{}", overview());
		return exit_usage;
	}
	if (first == "--help" || (first == "help" && args.size() == 1)) {
		print_to(stdout, "{}", overview());
		return 0;
	}
	if (first == "help")
		return run({args[1], "--help"});
	// These tables show the session's data, which no recording has yet.
	if (first.starts_with("--per-"))
		return run_program_of("report", args);
	// As with blktrace, options or a device without a word record.
	if (first[0] == '-')
		return run_session_word(Word::record, args);
	if (is_device(first)) {
		args.insert(args.begin(), "-d");
		return run_session_word(Word::record, args);
	}
	args.erase(args.begin());
	return find_word(first, &word) ? run_session_word(word, args) : run_program_of(first, args);
}

} // namespace grtrace

int main(int argc, char **argv)
{
	return grtrace::stdout_taken("grtrace", grtrace::run({argv + (argc > 0), argv + argc}));
}
