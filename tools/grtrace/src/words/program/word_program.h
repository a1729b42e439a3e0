// SPDX-License-Identifier: GPL-2.0
//
// word_program: main() of a word that is a program of its own, grtrace-WORD.
#pragma once

namespace grtrace {

// Returns the result of main(). run() gets the word's arguments, with the word itself as
// argv[0], so that messages begin with "grtrace" and the word, no matter how the program
// was started.
int run_word(const char *word, int (*run)(int argc, char **argv), int argc, char **argv);

} // namespace grtrace
