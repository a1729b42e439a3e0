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

// Does the same as utf8_text(), and makes control characters harmless for a terminal.
std::string printable(std::string_view text);

} // namespace grtrace
