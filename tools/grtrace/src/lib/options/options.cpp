// SPDX-License-Identifier: GPL-2.0
//
// getopt_long() prints its errors itself and reorders argv; here an error is a sentence for
// the caller, with a guess at the intended option.
#include "lib/options/options.h"

#include <algorithm>
#include <string_view>

#include "lib/text/nearest.h"

namespace grtrace {

namespace {

constexpr size_t help_indent = 28;
// Columns for the meaning of an option.
constexpr size_t help_width = 52;

bool has_letter(const Option &option)
{
	return option.id < 256;
}

// Walks through the arguments; it has all the state of a parse.
class Parser {
public:
	Parser(std::span<const Option> table, const std::vector<std::string> &args,
	       std::vector<GivenOption> &given)
		: table_(table), args_(args), given_(given)
	{
	}
	Status run();

private:
	Status parse_long(const std::string &text);
	Status parse_letters(const std::string &text);
	Status take(const Option &option, const std::string &shown, const std::string *attached);
	const Option *find_letter(char letter) const;
	Status find_name(const std::string &shown, const Option **found) const;
	std::string meant(const std::string &shown) const;

	std::span<const Option> table_;
	const std::vector<std::string> &args_;
	std::vector<GivenOption> &given_;
	size_t next_ = 0;
};

Status Parser::run()
{
	bool after_dashes = false;
	Status status;

	while (next_ < args_.size() && status.ok()) {
		const std::string &text = args_[next_++];

		if (after_dashes || text.size() < 2 || text[0] != '-')
			given_.push_back({0, text, "", after_dashes});
		else if (text == "--")
			after_dashes = true;
		else if (text[1] == '-')
			status = parse_long(text);
		else
			status = parse_letters(text);
	}
	return status;
}

Status Parser::parse_long(const std::string &text)
{
	const size_t equals = text.find('=');
	const std::string shown = text.substr(0, equals);
	const Option *option = nullptr;
	Status status = find_name(shown, &option);

	if (!status.ok())
		return status;
	if (equals == std::string::npos)
		return take(*option, shown, nullptr);
	const std::string value = text.substr(equals + 1);
	if (!option->argument)
		return Status::error("{} takes no argument", shown);
	return take(*option, shown, &value);
}

// "-kw5" is -k, then -w with 5.
Status Parser::parse_letters(const std::string &text)
{
	for (size_t i = 1; i < text.size(); i++) {
		const std::string shown = {'-', text[i]};
		const Option *option = find_letter(text[i]);

		if (!option)
			return Status::error("unknown option {}", shown);
		if (option->argument && i + 1 < text.size()) {
			const std::string rest = text.substr(i + 1);

			return take(*option, shown, &rest);
		}
		Status status = take(*option, shown, nullptr);
		if (!status.ok() || option->argument)
			return status;
	}
	return {};
}

Status Parser::take(const Option &option, const std::string &shown, const std::string *attached)
{
	std::string value;

	if (attached)
		value = *attached;
	else if (option.argument && next_ < args_.size())
		value = args_[next_++];
	else if (option.argument)
		return Status::error("{} needs an argument: {}", shown, option.argument);
	given_.push_back({option.id, value, shown, false});
	return {};
}

const Option *Parser::find_letter(char letter) const
{
	for (const Option &option : table_)
		if (option.id == letter)
			return &option;
	return nullptr;
}

std::string Parser::meant(const std::string &shown) const
{
	std::vector<std::string> names;

	for (const Option &option : table_)
		if (*option.name)
			names.push_back(std::string("--") + option.name);
	const std::vector<std::string_view> views(names.begin(), names.end());
	return did_you_mean(shown, views);
}

Status Parser::find_name(const std::string &shown, const Option **found) const
{
	const std::string_view name = std::string_view(shown).substr(2);
	size_t candidates = 0;

	for (const Option &option : table_) {
		const std::string_view known = option.name;

		if (known.empty() || !known.starts_with(name))
			continue;
		*found = &option;
		// The complete name of an option may be the beginning of another's.
		if (known == name)
			return {};
		candidates++;
	}
	if (!candidates)
		return Status::error("unknown option {}{}", shown, meant(shown));
	if (candidates > 1)
		return Status::error("{} may be one of several options", shown);
	return {};
}

// Breaks the text into lines in the right column.
std::string wrapped(std::string_view help)
{
	std::string text;
	size_t column = 0;

	while (!help.empty()) {
		const size_t end = std::min(help.find(' '), help.size());

		if (column && column + 1 + end > help_width) {
			text += fmt::format("\n{:{}}", "", help_indent);
			column = 0;
		} else if (column) {
			text += ' ';
			column++;
		}
		text += help.substr(0, end);
		column += end;
		help.remove_prefix(std::min(end + 1, help.size()));
	}
	return text;
}

} // namespace

Status parse_options(std::span<const Option> table, const std::vector<std::string> &args,
		     std::vector<GivenOption> &given)
{
	return Parser(table, args, given).run();
}

std::string describe_options(std::span<const Option> table)
{
	std::string text;

	for (const Option &option : table) {
		if (!option.help)
			continue;
		if (!*option.name) {
			text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", option.help);
			continue;
		}
		std::string head =
			has_letter(option) ? fmt::format("  -{:c}, ", option.id) : "      ";
		head += fmt::format("--{}", option.name);
		if (option.argument)
			head += fmt::format(" {}", option.argument);
		if (head.size() + 1 >= help_indent)
			head += fmt::format("\n{:{}}", "", help_indent);
		text += fmt::format("{:<{}}{}\n", head, help_indent, wrapped(option.help));
	}
	return text;
}

static std::string describe_lines(std::string_view title, const std::vector<HelpLine> &lines)
{
	std::string text = fmt::format("{}:\n", title);
	size_t width = 0;

	for (const HelpLine &line : lines)
		width = std::max(width, line.text.size());
	for (const HelpLine &line : lines)
		text += fmt::format("  {:<{}}  {}\n", line.text, width, line.meaning);
	return text;
}

std::string describe_end(const std::vector<HelpLine> &examples,
			 const std::vector<HelpLine> &statuses)
{
	return describe_lines("Examples", examples) + "\n" +
	       describe_lines("Exit status", statuses);
}

} // namespace grtrace
