// SPDX-License-Identifier: GPL-2.0
#include "words/reading/next_command.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace grtrace {

std::string shell_word(const std::string &word)
{
	const bool plain = std::ranges::all_of(word, [](char c) {
		return isalnum(static_cast<unsigned char>(c)) || strchr("_./-+:@%,", c);
	});
	std::string text = "'";

	if (plain && !word.empty())
		return word;
	for (const char c : word)
		text += c == '\'' ? std::string("'\\''") : std::string(1, c);
	return text + "'";
}

static bool is_read_once(const std::string &input)
{
	return input == "-" || input.empty() || input == "/dev/stdin" ||
	       input.starts_with("/dev/fd/") || input.starts_with("/proc/");
}

std::optional<std::string> input_words(const std::string &directory, const std::string &input,
				       bool is_session)
{
	if (is_session)
		return "";
	if (is_read_once(input))
		return {};
	if (!directory.empty() && directory != "." && !input.starts_with('/'))
		return " " + shell_word(directory + "/" + input);
	// A name that begins with a dash would be an option.
	return " " + shell_word(input.starts_with('-') ? "./" + input : input);
}

} // namespace grtrace
