// SPDX-License-Identifier: GPL-2.0
//
// view_table: the kernel's tables that `grtrace status --view` can show.
#pragma once

#include <string>

namespace grtrace {

// The form of a view.
enum class Shape {
	table, // has columns
	bounds, // one line of counts below a line of bounds: lt_64, ..., ge_65536
	rows, // a name and a count in each line
};

struct View {
	const char *name; // name of the file
	Shape shape;
	const char *unit; // unit of the bounds
	const char *title; // what is counted
	const char *empty; // why all counts may be 0
};

// Returns nullptr if there is no view of that name.
const View *find_view(const std::string &name);

// Returns all names, for a sentence.
std::string view_names();

} // namespace grtrace
