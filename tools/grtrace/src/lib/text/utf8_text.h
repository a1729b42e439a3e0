// SPDX-License-Identifier: GPL-2.0
//
// Text of a capture for terminals, and for programs that take only UTF-8. A
// field of fixed size may have cut a character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace grtrace {

// Bytes of the character that text begins with, 0 if it begins with none. text
// is not empty.
size_t utf8_length(std::string_view text);

// Anything that is not UTF-8 becomes U+FFFD, a sequence that is cut or too long one for
// each of its bytes.
std::string utf8_text(std::string_view text);

// As utf8_text(), and control characters are made harmless for a terminal.
std::string printable(std::string_view text);

} // namespace grtrace
