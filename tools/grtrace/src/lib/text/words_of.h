// SPDX-License-Identifier: GPL-2.0
//
// Splits a text into words, and reads numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

// Calls fn(word) for each word, until one call returns an error. An empty word is an error.
template <typename Fn> Status for_each_word(std::string_view option, std::string_view words, Fn fn)
{
	for (std::string_view rest = words;;) {
		const size_t comma = rest.find(',');
		const std::string_view word = rest.substr(0, comma);

		if (word.empty())
			return Status::error("{}: a word is missing in \"{}\"", option, words);
		Status status = fn(word);
		if (!status.ok() || comma == rest.npos)
			return status;
		rest = rest.substr(comma + 1);
	}
}

// Splits at each separator; a word may be empty.
inline std::vector<std::string> split(std::string_view text, char separator)
{
	std::vector<std::string> words;

	for (;;) {
		const size_t end = text.find(separator);

		words.emplace_back(text.substr(0, end));
		if (end == std::string_view::npos)
			return words;
		text.remove_prefix(end + 1);
	}
}

// Reads a number that fills the whole text. base has the same meaning as in
// from_chars(), for integers.
template <typename Number, typename... Base>
bool whole_number(std::string_view text, Number &value, Base... base)
{
	const char *end = text.data() + text.size();
	const std::from_chars_result got = std::from_chars(text.data(), end, value, base...);

	return got.ec == std::errc() && got.ptr == end;
}

// Removes a leading 0x.
inline bool take_hex(std::string_view &text)
{
	const bool hex = text.starts_with("0x") || text.starts_with("0X");

	text.remove_prefix(hex ? 2 : 0);
	return hex;
}

// Reads a decimal number, or a hexadecimal one with 0x.
inline bool parse_id(std::string_view text, uint64_t limit, uint64_t &value)
{
	const int base = take_hex(text) ? 16 : 10;

	return whole_number(text, value, base) && value <= limit;
}

} // namespace grtrace
