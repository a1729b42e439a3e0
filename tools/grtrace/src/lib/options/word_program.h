// SPDX-License-Identifier: GPL-2.0
//
// WordProgram: a word of grtrace as a program of its own, grtrace-WORD.
#pragma once

#include <string>

namespace grtrace {

struct WordProgram {
	using Main = int(int argc, char **argv); // argv[0] is the word
	using Help = std::string();

	const char *name;
	const char *what; // in a few words
	Main *main;
	Help *help; // the text of its --help
};

// Returns what main() of such a program returns. Beside the options of the word the
// program takes --man, alone, and prints its manual page.
int run_word(const WordProgram &word, int argc, char **argv);

} // namespace grtrace
