// SPDX-License-Identifier: GPL-2.0
//
// Options: one table from which the parser and --help come. All
// programs and words have theirs read here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

struct Option {
	int id; // the short letter, or a number above 255
	const char *name; // long name
	const char *argument; // how help calls it, nullptr if there is none
	const char *help; // nullptr: not in the help
};

struct GivenOption {
	int id; // 0 for a word that is not an option
	std::string argument;
	std::string shown; // the option as it was typed
	bool after_dashes; // it came after "--"
};

// Parses and does not act: the caller walks through what was given, in order.
// As getopt_long() does: -kw5, -w 5, --name=x, --name x, a long name as short
// as it is the only one, options behind words, and "--", behind which
// everything is a word.
Status parse_options(std::span<const Option> table, const std::vector<std::string> &args,
		     std::vector<GivenOption> &given);

// The arguments of a word, of which the first is its name: set(option) is called
// for each that was given, in order, until it finds something wrong.
template <typename Set>
Status read_options(std::span<const Option> table, int argc, char **argv, Set set)
{
	std::vector<GivenOption> given;
	Status status = parse_options(table, {argv + (argc > 0), argv + argc}, given);

	if (!status.ok())
		return Status::error("{}; see --help", status.sentence());
	for (size_t i = 0; status.ok() && i < given.size(); i++)
		status = set(given[i]);
	return status;
}

// The table as text for --help.
std::string describe_options(std::span<const Option> table);

} // namespace grtrace
