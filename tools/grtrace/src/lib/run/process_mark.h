// SPDX-License-Identifier: GPL-2.0
//
// Names for what a process leaves in the kernel if it is killed: they show a later process
// that it is no longer in use.
#pragma once

#include <string>
#include <string_view>

namespace grtrace {

// Returns the number of this process and when it began, with a letter between them: numbers
// are used again.
std::string process_mark(char between);

// Returns whether the text is such a mark, of a process that is gone.
bool is_mark_of_gone(std::string_view text, char between);

} // namespace grtrace
