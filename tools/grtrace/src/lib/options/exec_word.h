// SPDX-License-Identifier: GPL-2.0
//
// exec_word: finds and runs the programs behind the words of grtrace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// Returns the path of the program grtrace-WORD: in the folder that GRTRACE_EXEC_PATH names,
// or else beside this program, or in ../libexec/grtrace; then in PATH. Returns an empty
// string if there is none.
std::string find_word_program(std::string_view word);

// Replaces this program by the program of the word args[0], as git does, so that signals,
// the exit status and the terminal belong to that program. Returns only if that fails: it
// then printed a sentence, and the result is the exit code. program is the name of this
// one; packages lists the Debian packages that the word needs to be built.
int exec_word(const char *program, std::vector<std::string> args, std::string_view packages);

} // namespace grtrace
