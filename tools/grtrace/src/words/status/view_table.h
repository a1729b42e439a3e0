// SPDX-License-Identifier: GPL-2.0
//
// view_table: the kernel's tables that `grtrace status --view` can show.
#pragma once

#include <string>

namespace grtrace {

// The form in which a view is shown.
enum class Shape {
	table, // columns
	bounds, // one line of counts under bounds: lt_64, ..., ge_65536
	rows, // a name and a count in each line
};

struct View {
	const char *name; // of the file
	Shape shape;
	const char *unit; // of bounds
	const char *title; // what is counted
	const char *empty; // why all counts may be 0
};

// nullptr: there is none of that name.
const View *find_view(const std::string &name);

// All of them, for a sentence.
std::string view_names();

} // namespace grtrace
