// SPDX-License-Identifier: GPL-2.0
//
// A program chooses its own name, so a capture can contain any bytes. Bytes that are not
// characters could drive a terminal or break a reader of JSON.
#include "lib/text/utf8_text.h"

#include <cstdint>

namespace grtrace {

namespace {

// The bytes that may begin a character, and those that may follow: the table of well-formed
// UTF-8 in the Unicode Standard.
struct Utf8Form {
	uint8_t first_low, first_high;
	uint8_t second_low, second_high;
	uint8_t length;
};
constexpr Utf8Form utf8_forms[] = {
	{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

bool within(char c, uint8_t low, uint8_t high)
{
	const uint8_t byte = static_cast<uint8_t>(c);

	return byte >= low && byte <= high;
}

} // namespace

size_t utf8_length(std::string_view text)
{
	if (within(text[0], 0, 0x7f))
		return 1;
	for (const Utf8Form &form : utf8_forms) {
		if (!within(text[0], form.first_low, form.first_high))
			continue;
		if (text.size() < form.length ||
		    !within(text[1], form.second_low, form.second_high))
			return 0;
		for (size_t i = 2; i < form.length; i++)
			if (!within(text[i], 0x80, 0xbf))
				return 0;
		return form.length;
	}
	return 0;
}

std::string utf8_text(std::string_view text)
{
	std::string made;

	for (size_t at = 0; at < text.size();) {
		const size_t length = utf8_length(text.substr(at));

		made += length ? text.substr(at, length) : std::string_view("\xef\xbf\xbd");
		at += length ? length : 1;
	}
	return made;
}

std::string printable(std::string_view text)
{
	std::string result = utf8_text(text);

	for (char &c : result)
		if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
			c = '?';
	return result;
}

} // namespace grtrace
