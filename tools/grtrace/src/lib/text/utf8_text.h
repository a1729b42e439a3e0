// SPDX-License-Identifier: GPL-2.0
//
// Makes text of a capture fit for terminals and for programs that accept only UTF-8. A
// field of fixed size may have cut a character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace grtrace {

// Returns the length of the first character in bytes, 0 if text does not begin with one.
// text must not be empty.
size_t utf8_length(std::string_view text);

// Each byte that is not part of valid UTF-8 becomes U+FFFD, including the bytes of a
// sequence that is cut or overlong.
std::string utf8_text(std::string_view text);

// Does the same as utf8_text(), and each character that could steer a terminal, or show the
// rest of a line in another place than where it is, becomes a question mark: the controls C0
// and C1, the marks of the direction of writing, and what else begins a line.
std::string printable(std::string_view text);

// Does the same for a text of ours with names in it: its lines and tabs stay, and its colours
// if it has some.
std::string printable_lines(std::string_view text, bool has_colours);

} // namespace grtrace
