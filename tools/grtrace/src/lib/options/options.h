// SPDX-License-Identifier: GPL-2.0
//
// Options: one table feeds both the parser and --help. All programs and words read their
// options with it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

struct Option {
	int id; // the short letter, or a number above 255
	const char *name; // long name; "" in a heading of the help, which is in help
	const char *argument; // its name in the help, nullptr if there is none
	const char *help; // nullptr: the help does not show it
};

struct GivenOption {
	int id; // 0 for a word that is not an option
	std::string argument;
	std::string shown; // the option as it was typed
	bool after_dashes; // it came after "--"
};

// Parses and does nothing else: the caller goes through the given options in order. It
// accepts the same arguments as getopt_long(): -kw5, -w 5, --name=x, --name x, unique
// abbreviations of long names, options after words, and "--", after which everything is a
// word.
Status parse_options(std::span<const Option> table, const std::vector<std::string> &args,
		     std::vector<GivenOption> &given);

// Reads the arguments of a word; the first one is its name. set(option) is called for each
// option in the given order, until one is wrong.
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

// Returns the table as text for --help.
std::string describe_options(std::span<const Option> table);

// An example or an exit status, and its meaning.
struct HelpLine {
	std::string_view text;
	std::string_view meaning;
};

// Returns the examples and the exit statuses, which end the help of each word.
std::string describe_end(const std::vector<HelpLine> &examples,
			 const std::vector<HelpLine> &statuses);

} // namespace grtrace
