// SPDX-License-Identifier: GPL-2.0
//
// JSON has text and no bytes, but a capture can contain any bytes: those that are not UTF-8
// are replaced.
#include "words/columns/json_line.h"

#include <cstdint>

#include "lib/text/print_to.h"
#include "lib/text/utf8_text.h"

namespace grtrace {

namespace {

void append_control(fmt::memory_buffer &out, char c)
{
	static constexpr std::string_view short_forms = "\b\f\n\r\t";
	const size_t which = short_forms.find(c);

	out.push_back('\\');
	if (which != short_forms.npos)
		out.push_back("bfnrt"[which]);
	else
		print_to(out, "u{:04x}", static_cast<unsigned int>(c));
}

} // namespace

void append_json_text(fmt::memory_buffer &out, std::string_view text)
{
	out.push_back('"');
	for (size_t at = 0; at < text.size();) {
		const char c = text[at];
		const size_t length = utf8_length(text.substr(at));

		if (c == '"' || c == '\\') {
			out.push_back('\\');
			out.push_back(c);
		} else if (static_cast<uint8_t>(c) < 0x20) {
			append_control(out, c);
		} else if (length) {
			out.append(text.data() + at, text.data() + at + length);
		} else {
			print_to(out, "\\ufffd");
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
	// Keys come from the table and contain nothing that needs an escape.
	out_.push_back('"');
	append(key);
	append("\":");
	append(value);
}

void JsonLine::made(std::string_view members)
{
	if (!first_)
		out_.push_back(',');
	first_ = false;
	append(members);
}

void JsonLine::text(std::string_view key, std::string_view value)
{
	put(key, "");
	append_json_text(out_, value);
}

} // namespace grtrace
