// SPDX-License-Identifier: GPL-2.0
//
// word_program: a word of grtrace as a program of its own, grtrace-WORD.
#pragma once

namespace grtrace {

// Returns what main() of such a program returns. run() has the word's arguments; its
// argv[0] is the word, as messages begin with "grtrace" and the word, however the
// program was started.
int run_word(const char *word, int (*run)(int argc, char **argv), int argc, char **argv);

} // namespace grtrace
