// SPDX-License-Identifier: GPL-2.0
//
// WordOption: an option of a word, and where its value is stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lib/options/options.h"
#include "lib/text/status.h"

namespace grtrace {

// T is the struct of the word's options. A line of the word's table has the whole meaning
// of an option: a flag, a text, one text of several, a number within limits, or a function
// that takes the argument.
template <typename T> struct WordOption {
	struct Number {
		uint64_t T::*to;
		uint64_t least;
		uint64_t most;
	};
	using Set = Status (*)(T &options, const std::string &argument);

	char letter; // 0: none
	const char *name;
	const char *argument; // its name in the help, nullptr if there is none
	const char *help;
	std::variant<bool T::*, std::string T::*, std::vector<std::string> T::*, Number, Set> to;
	unsigned int words = ~0u; // a bit for each word that takes the option
};

// Reads the argument of --name as a number.
Status parse_number(const char *name, const std::string &argument, uint64_t least, uint64_t most,
		    uint64_t &value);

// A heading in the help, above the options that follow.
template <typename T>
constexpr WordOption<T> option_group(const char *title, unsigned int words = ~0u)
{
	return {0, "", nullptr, title, {}, words};
}

// Most words have these options.
template <typename T>
inline constexpr WordOption<T> input_option = {
	'i', "input", "NAME",
	"capture: base name of NAME.grtrace.<cpu>, a file or FIFO with the packets of all CPUs, or "
	"- for stdin; repeatable",
	&T::inputs};
template <typename T>
inline constexpr WordOption<T> directory_option = {'D', "input-directory", "DIR",
						   "put DIR before input names", &T::directory};
template <typename T>
inline constexpr WordOption<T> strict_option = {0, "strict", nullptr, "exit 3 if records were lost",
						&T::strict};
template <typename T>
inline constexpr WordOption<T> version_option = {'V', "version", nullptr, "print the version",
						 &T::version};
template <typename T>
inline constexpr WordOption<T> help_option = {0, "help", nullptr, "print this text", &T::help};

template <typename T> std::vector<Option> plain_options(std::span<const WordOption<T>> table)
{
	std::vector<Option> plain;

	for (const WordOption<T> &option : table)
		plain.push_back(
			{option.letter ? option.letter : 256 + static_cast<int>(plain.size()),
			 option.name, option.argument, option.help});
	return plain;
}

// Returns the table's line for the option that was given.
template <typename T>
const WordOption<T> &option_of(std::span<const WordOption<T>> table, const GivenOption &given)
{
	if (given.id >= 256)
		return table[static_cast<size_t>(given.id) - 256];
	return *std::ranges::find(table, given.id, &WordOption<T>::letter);
}

template <typename T, size_t n> std::string describe_options(const WordOption<T> (&table)[n])
{
	return describe_options(plain_options<T>(table));
}

template <typename T>
Status set_option(const WordOption<T> &option, T &options, const std::string &argument)
{
	using Number = typename WordOption<T>::Number;

	if (auto *flag = std::get_if<bool T::*>(&option.to))
		options.**flag = true;
	else if (auto *text = std::get_if<std::string T::*>(&option.to))
		options.**text = argument;
	else if (auto *texts = std::get_if<std::vector<std::string> T::*>(&option.to))
		(options.**texts).push_back(argument);
	else if (auto *number = std::get_if<Number>(&option.to))
		return parse_number(option.name, argument, number->least, number->most,
				    options.*number->to);
	else
		return std::get<typename WordOption<T>::Set>(option.to)(options, argument);
	return {};
}

// Reads the arguments of a word; the first one is its name. take(option) is called for
// arguments that are not options.
template <typename T, size_t n, typename Take>
Status read_options(const WordOption<T> (&table)[n], int argc, char **argv, T &options, Take take)
{
	return read_options(
		plain_options<T>(table), argc, argv, [&](const GivenOption &given) -> Status {
			if (!given.id)
				return take(given);
			return set_option(option_of<T>(table, given), options, given.argument);
		});
}

// The arguments that are not options are names of inputs.
template <typename T, size_t n>
Status read_options(const WordOption<T> (&table)[n], int argc, char **argv, T &options)
{
	return read_options(table, argc, argv, options, [&](const GivenOption &given) {
		options.inputs.push_back(given.argument);
		return Status();
	});
}

} // namespace grtrace
