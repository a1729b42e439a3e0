// SPDX-License-Identifier: GPL-2.0
//
// grtrace: records what happens to the jobs of GPU rings. This file is the
// table of its words; what they do is in the files they name.
#include "drive/control/capture_options.h"
#include "grtrace/config_word.h"
#include "grtrace/live_words.h"
#include "grtrace/status_word.h"
#include "lib/text/print_to.h"
#include "drive/record/record.h"
#include "grtrace/report_words.h"
#include "drive/relay/snapshot.h"
#include "lib/options/version.h"
#include "grtrace/session_words.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace {

using grtrace::CaptureOptions;
using grtrace::print_to;
using grtrace::Status;
using grtrace::Word;

constexpr int exit_usage = 2;

int act(Word word, const CaptureOptions &options)
{
	switch (word) {
	case Word::record:
		return options.kill ? kill_main(options) : record_main(options);
	case Word::start:
		return start_main(options);
	case Word::stop:
		// Without a place to save to it only stops.
		if (options.output.empty() && options.directory.empty())
			return stop_main(options);
		return save_main(options);
	case Word::snapshot:
		return snapshot_main(options);
	case Word::status:
		return status_main(options);
	case Word::config:
		return config_main(options);
	case Word::msg:
		return msg_main(options);
	}
	return exit_usage;
}

int run_word(Word word, const std::vector<std::string> &args)
{
	CaptureOptions options;
	Status status = parse_capture_options(word, args, &options);

	if (!status.ok()) {
		print_to(stderr, "grtrace {}: {}\n{}",
			 grtrace::word_name(word), status.sentence(),
			 grtrace::capture_usage(word));
		return exit_usage;
	}
	if (options.help) {
		print_to(stdout, "{}", grtrace::capture_help(word));
		return 0;
	}
	if (options.version) {
		print_to(stdout, "grtrace {} (stream format {}.{})\n",
			 grtrace::tools_version, GRTRACE_VERSION_MAJOR,
			 GRTRACE_VERSION_MINOR);
		return 0;
	}
	return act(word, options);
}

int run(int argc, char **argv)
{
	const std::vector<std::string> args(argv + (argc > 0), argv + argc);
	Word word;

	// Nothing to do: say what there is.
	if (args.empty()) {
		print_to(stderr, "{}", grtrace::capture_overview());
		return exit_usage;
	}
	// The report wing reads its own options.
	if (const auto *report = grtrace::find_report_word(args[0]))
		return report->main(argc - 1, argv + 1);
	if (const auto *live = grtrace::find_live_word(args[0]))
		return live->main(argc - 1, argv + 1);
	if (args[0] == "help" || args[0] == "--help") {
		print_to(stdout, "{}", grtrace::capture_overview());
		return 0;
	}
	if (args[0] == "--man") {
		print_to(stdout, "{}", grtrace::capture_man());
		return 0;
	}
	// A word and what belongs to it.
	if (grtrace::find_word(args[0], &word))
		return run_word(word, { args.begin() + 1, args.end() });
	// blktrace's habit: options without a word record.
	if (args[0][0] == '-')
		return run_word(Word::record, args);
	print_to(stderr, "grtrace: '{}' is no word of grtrace\n{}", args[0],
		 grtrace::capture_overview());
	return exit_usage;
}

} // namespace

int main(int argc, char **argv)
{
	return grtrace::stdout_taken("grtrace", run(argc, argv));
}
