// SPDX-License-Identifier: GPL-2.0
//
// next_command: the input of a command that a word suggests, as it is typed in a shell.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace grtrace {

// Quotes a word for the shell, if that is necessary.
std::string shell_word(const std::string &word);

// Returns " NAME" of a capture that is found from the current directory; the session of this
// machine needs no name. Returns nothing if the input cannot be read again, or not be typed.
std::optional<std::string> input_words(const std::string &directory, const std::string &input,
				       bool is_session);

} // namespace grtrace
