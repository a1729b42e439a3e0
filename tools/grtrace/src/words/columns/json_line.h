// SPDX-License-Identifier: GPL-2.0
//
// JsonLine: values as a line of JSON.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace grtrace {

// Appends text in quotes. JSON has no bytes: each byte that is not part of valid UTF-8
// becomes U+FFFD, including the bytes of a sequence that is cut or overlong.
void append_json_text(fmt::memory_buffer &out, std::string_view text);

// Writes one object, with its keys in the order of the calls. Appends to the buffer and
// keeps nothing.
class JsonLine {
public:
	explicit JsonLine(fmt::memory_buffer &out) : out_(out) { out_.push_back('{'); }

	void text(std::string_view key, std::string_view value);
	void null(std::string_view key) { put(key, "null"); }
	void number(std::string_view key, std::integral auto value)
	{
		fmt::format_int digits(value);

		put(key, {digits.data(), digits.size()});
	}
	// Writes a number as a string: readers of JSON may use doubles, which would round
	// it.
	void digits(std::string_view key, uint64_t value)
	{
		fmt::format_int made(value);

		text(key, {made.data(), made.size()});
	}
	// Adds members that another JsonLine has made, without its braces.
	void made(std::string_view members);
	// Writes a finite number with three digits after the point.
	void decimal(std::string_view key, double value) { put(key, fmt::format("{:.3f}", value)); }
	void end() { append("}\n"); }

private:
	void append(std::string_view bytes)
	{
		out_.append(bytes.data(), bytes.data() + bytes.size());
	}
	void put(std::string_view key, std::string_view value);

	fmt::memory_buffer &out_;
	bool first_ = true;
};

} // namespace grtrace
