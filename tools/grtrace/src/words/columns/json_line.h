// SPDX-License-Identifier: GPL-2.0
//
// JsonLine: values as a line of JSON.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace grtrace {

// Text in quotes. JSON has no bytes: anything that is not UTF-8 becomes U+FFFD, a sequence
// that is cut or too long one for each of its bytes.
void append_json_text(fmt::memory_buffer &out, std::string_view text);

// One object, with its keys in the order they come. Appends to the buffer and
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
	// A number as a string: readers of JSON may use doubles, which would
	// round this one.
	void digits(std::string_view key, uint64_t value)
	{
		fmt::format_int made(value);

		text(key, {made.data(), made.size()});
	}
	// With three digits; finite.
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
