// SPDX-License-Identifier: GPL-2.0
//
// word_main: how each word that reads captures begins.
#pragma once

#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "lib/options/version.h"
#include "lib/text/print_to.h"
#include "lib/text/status.h"

namespace grtrace {

// Exit codes of all of them, and exit_reader_gone.
enum { exit_ok, exit_error, exit_usage, exit_lost };

// Reads the options; does what --help and --version ask for, or runs. argv[0]
// is the word itself. Run is made from Options, and its run() returns the exit
// code.
template <typename Options, typename Run> int word_main(int argc, char **argv)
{
	Options options;
	Status status = options.parse(argc, argv);

	// A full disk or a reader that went away is told by write().
	signal(SIGPIPE, SIG_IGN);

	if (!status.ok()) {
		print_to(stderr, "grtrace {}: {}\n", argv[0], status.sentence());
		return exit_usage;
	}
	if (options.help) {
		print_to(stdout, "{}", Options::help_text());
		return exit_ok;
	}
	if (options.version) {
		print_to(stdout, "grtrace {} {}\n", argv[0], tools_version);
		return exit_ok;
	}
	return Run(options).run();
}

} // namespace grtrace
