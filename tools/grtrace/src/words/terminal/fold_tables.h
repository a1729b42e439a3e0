// SPDX-License-Identifier: GPL-2.0
//
// fold_tables: makes tables fit a terminal that is narrower than they are.
#pragma once

#include <string>
#include <string_view>

namespace grtrace {

// Returns the text with lines of at most that many columns, if possible. A table, which
// ends at an empty line, first loses spaces between its columns; then all its lines are cut between
// the same two columns, and continue below, indented.
// Other lines are cut between words. A number stays with its unit, and a drawing between two bars
// is not cut.
std::string fold_tables(std::string_view text, size_t columns);

} // namespace grtrace
