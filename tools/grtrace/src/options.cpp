// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <getopt.h>

namespace grtrace {

static bool has_letter(const Option &option)
{
	return option.id < 256;
}

Status parse_options(std::span<const Option> table, int argc, char **argv,
		     std::vector<GivenOption> &given)
{
	std::string letters = ":";
	std::vector<struct option> longs;

	for (const Option &option : table) {
		longs.push_back(
			{option.name,
			 option.argument ? required_argument : no_argument,
			 nullptr, option.id});
		if (!has_letter(option))
			continue;
		letters += static_cast<char>(option.id);
		if (option.argument)
			letters += ':';
	}
	longs.push_back({nullptr, 0, nullptr, 0});

	// 0 makes glibc forget a parse before this one.
	optind = 0;
	opterr = 0;
	for (;;) {
		int at = optind ? optind : 1;
		int id = getopt_long(argc, argv, letters.c_str(), longs.data(),
				     nullptr);

		if (id == -1)
			break;
		if (id == '?')
			return Status::error(
				"unknown option {}; see --help",
				optopt && optopt < 256 ?
					fmt::format("-{:c}", optopt) :
					argv[at]);
		if (id == ':')
			return Status::error("{} needs an argument; see --help",
					     argv[optind - 1]);
		given.push_back({id, optarg ? optarg : ""});
	}
	for (int i = optind; i < argc; i++)
		given.push_back({0, argv[i]});
	return {};
}

std::string describe_options(std::span<const Option> table)
{
	std::string text;

	for (const Option &option : table) {
		std::string head = has_letter(option) ?
					   fmt::format("  -{:c}, ", option.id) :
					   "      ";
		head += fmt::format("--{}", option.name);
		if (option.argument)
			head += fmt::format(" {}", option.argument);

		text += fmt::format("{:<32}", head);
		if (head.size() >= 32)
			text += fmt::format("\n{:32}", "");
		for (const char *c = option.help; *c; c++) {
			text += *c;
			if (*c == '\n')
				text += fmt::format("{:32}", "");
		}
		text += '\n';
	}
	return text;
}

} // namespace grtrace
