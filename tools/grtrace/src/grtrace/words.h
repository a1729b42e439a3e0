// SPDX-License-Identifier: GPL-2.0
//
// words: the words of grtrace that are programs of their own.
#pragma once

#include <string>

namespace grtrace {

// Runs grtrace-WORD in place of this program, as git does, so that signals, the exit
// status and the terminal are its own; argv[0] is the word. Returns only if that
// fails: the exit code, after a sentence was printed.
int run_program_of(int argc, char **argv);

// A line for each word of the suite, also for those that are not built.
std::string suite_overview();

} // namespace grtrace
