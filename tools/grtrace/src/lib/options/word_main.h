// SPDX-License-Identifier: GPL-2.0
//
// word_main: the common start of all words that read captures.
#pragma once

#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "lib/options/version.h"
#include "lib/text/print_to.h"
#include "lib/text/status.h"

namespace grtrace {

// All words have these exit codes, and exit_reader_gone.
enum { exit_ok, exit_error, exit_usage, exit_lost };

// Reads the options, and either serves --help or --version or runs the word. Error
// sentences begin with the name. Run is made from Options, and its run() returns the exit
// code.
template <typename Options, typename Run>
int program_main(const std::string &name, const std::string &version, int argc, char **argv)
{
	Options options;
	Status status = options.parse(argc, argv);

	// After that, write() reports a reader that went away as an error, just like a full
	// disk.
	signal(SIGPIPE, SIG_IGN);

	if (!status.ok()) {
		print_to(stderr, "{}: {}\n", name, status.sentence());
		return exit_usage;
	}
	if (options.help) {
		print_to(stdout, "{}", Options::help_text());
		return exit_ok;
	}
	if (options.version) {
		print_to(stdout, "{}\n", version);
		return exit_ok;
	}
	return Run(options).run();
}

// Does the same for a word; argv[0] is the word's name.
template <typename Options, typename Run> int word_main(int argc, char **argv)
{
	const std::string name = fmt::format("grtrace {}", argv[0]);

	return program_main<Options, Run>(name, fmt::format("{} {}", name, tools_version), argc,
					  argv);
}

} // namespace grtrace
