// SPDX-License-Identifier: GPL-2.0
#include "json_line.h"

#include <cstdint>
#include <iterator>

namespace grtrace {

namespace {

// What may stand at the beginning of a character, and what must follow: the
// table of well-formed UTF-8 in the Unicode Standard.
struct Utf8Form {
	uint8_t first_low, first_high;
	uint8_t second_low, second_high;
	uint8_t length;
};
constexpr Utf8Form utf8_forms[] = {
	{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
	{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
	{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

bool within(char c, uint8_t low, uint8_t high)
{
	const uint8_t byte = static_cast<uint8_t>(c);

	return byte >= low && byte <= high;
}

// Bytes of the character beyond ASCII that text begins with, 0 if it is none.
size_t utf8_length(std::string_view text)
{
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

void append_control(fmt::memory_buffer &out, char c)
{
	static constexpr std::string_view short_forms = "\b\f\n\r\t";
	const size_t which = short_forms.find(c);

	out.push_back('\\');
	if (which != short_forms.npos)
		out.push_back("bfnrt"[which]);
	else
		fmt::format_to(std::back_inserter(out), "u{:04x}",
			       static_cast<unsigned int>(c));
}

} // namespace

void append_json_text(fmt::memory_buffer &out, std::string_view text)
{
	out.push_back('"');
	for (size_t at = 0; at < text.size();) {
		const char c = text[at];
		const size_t length =
			within(c, 0, 0x7f) ? 1 : utf8_length(text.substr(at));

		if (c == '"' || c == '\\') {
			out.push_back('\\');
			out.push_back(c);
		} else if (within(c, 0, 0x1f)) {
			append_control(out, c);
		} else if (length) {
			out.append(text.data() + at,
				   text.data() + at + length);
		} else {
			fmt::format_to(std::back_inserter(out), "\\ufffd");
		}
		at += length ? length : 1;
	}
	out.push_back('"');
}

void JsonLine::put(std::string_view key, std::string_view value)
{
	if (!first_)
		out_.push_back(',');
	first_ = false;
	// Keys are the table's words: nothing in them needs an escape.
	out_.push_back('"');
	append(key);
	append("\":");
	append(value);
}

void JsonLine::text(std::string_view key, std::string_view value)
{
	put(key, "");
	append_json_text(out_, value);
}

} // namespace grtrace
