// SPDX-License-Identifier: GPL-2.0
//
// CsvLine: values as a line of CSV.
#pragma once

#include <concepts>
#include <string_view>

#include <fmt/format.h>

namespace grtrace {

// Adds the commas, and quotes where RFC 4180 requires them; bytes do not change. NA is
// printed for a missing value, so a text that reads NA is quoted. Appends to the buffer and
// keeps nothing.
class CsvLine {
public:
	explicit CsvLine(fmt::memory_buffer &out) : out_(out) {}

	void text(std::string_view value);
	void na() { put("NA"); }
	void number(std::integral auto value)
	{
		fmt::format_int digits(value);

		put({digits.data(), digits.size()});
	}
	void end() { out_.push_back('\n'); }

private:
	void comma()
	{
		if (!first_)
			out_.push_back(',');
		first_ = false;
	}
	void put(std::string_view bytes)
	{
		comma();
		out_.append(bytes.data(), bytes.data() + bytes.size());
	}

	fmt::memory_buffer &out_;
	bool first_ = true;
};

} // namespace grtrace
