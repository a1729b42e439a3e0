// SPDX-License-Identifier: GPL-2.0
//
// words: the words of grtrace that are programs of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// Replaces this program by grtrace-WORD, as git does, so that signals, the exit status and
// the terminal belong to that program; args are the arguments after the word. Returns only
// if that fails: it then printed a sentence, and the result is the exit code.
int run_program_of(const std::string &word, std::vector<std::string> args);

// Returns whether the word is a node (card0, renderD128), a path to one, or a PCI address.
bool is_device(std::string_view word);

// Returns a line for each word of the suite, even for a word that is not built.
std::string suite_overview();

} // namespace grtrace
