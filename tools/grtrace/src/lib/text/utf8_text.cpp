// SPDX-License-Identifier: GPL-2.0
//
// A program chooses its own name, so a capture can contain any bytes. Bytes that are not
// characters could drive a terminal or break a reader of JSON.
#include "lib/text/utf8_text.h"

#include <algorithm>
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

namespace {

// Returns whether the character, which is whole, is one of those that printable() removes.
bool steers(std::string_view character)
{
	constexpr struct {
		uint32_t first, last;
	} ranges[] = {
		{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
		{0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
	};
	const auto byte = [character](size_t at) { return uint8_t(character[at]); };
	const uint32_t code = character.size() == 1 ? byte(0) :
			      character.size() == 2 ? (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu) :
						      (byte(0) & 0xfu) << 12 |
							      (byte(1) & 0x3fu) << 6 |
							      (byte(2) & 0x3fu);

	return character.size() < 4 && std::ranges::any_of(
					       ranges,
					       [code](const auto &range) {
						       return code >= range.first &&
							      code <= range.last;
					       });
}

// Returns the length of the colour that the text begins with, as Paint writes it, or 0.
size_t colour_length(std::string_view text)
{
	const size_t end =
		text.starts_with("\033[") ? text.find_first_not_of("0123456789;", 2) : text.npos;

	return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

} // namespace

std::string printable(std::string_view text)
{
	std::string made;

	for (size_t at = 0; at < text.size();) {
		const size_t length = utf8_length(text.substr(at));
		const std::string_view character = text.substr(at, length ? length : 1);

		made += !length ? "\xef\xbf\xbd" : steers(character) ? "?" : character;
		at += character.size();
	}
	return made;
}

std::string printable_lines(std::string_view text, bool has_colours)
{
	std::string made;

	while (!text.empty()) {
		const size_t end = std::min(text.find_first_of("\n\t\033"), text.size());
		const std::string_view rest = text.substr(end);
		const size_t keep = rest.starts_with('\n') || rest.starts_with('\t') ? 1 :
				    has_colours ? colour_length(rest) :
						  0;

		made += printable(text.substr(0, end));
		made += rest.substr(0, keep);
		if (!keep && !rest.empty())
			made += '?';
		text.remove_prefix(std::min(end + std::max<size_t>(keep, 1), text.size()));
	}
	return made;
}

} // namespace grtrace
