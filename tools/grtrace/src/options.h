// SPDX-License-Identifier: GPL-2.0
//
// Options: one table from which the parser, --help and the manual come.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "status.h"

namespace grtrace {

struct Option {
	int id; // the short letter, or a number above 255
	const char *name; // long name
	const char *argument; // how help calls it, nullptr if there is none
	const char *help; // may have several lines
};

struct GivenOption {
	int id; // 0 for a word that is no option
	std::string argument;
};

// Parses and does not act: the caller walks through what was given, in order.
Status parse_options(std::span<const Option> table, int argc, char **argv,
		     std::vector<GivenOption> &given);

// The table as text for --help.
std::string describe_options(std::span<const Option> table);

} // namespace grtrace
