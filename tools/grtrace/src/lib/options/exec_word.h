// SPDX-License-Identifier: GPL-2.0
//
// exec_word: finds the programs that words of grtrace are, and runs them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// The program grtrace-WORD: in the folder that GRTRACE_EXEC_PATH names, or else beside
// this program, or in ../libexec/grtrace; then in PATH. Empty: there is none.
std::string find_word_program(std::string_view word);

// Runs the program of the word args[0] in place of this one, as git does, so that
// signals, the exit status and the terminal are its own. Returns only if that fails:
// the exit code, after a sentence was printed. program is this one; packages are those
// of Debian that the word is built with.
int exec_word(const char *program, std::vector<std::string> args, std::string_view packages);

} // namespace grtrace
