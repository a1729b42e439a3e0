// SPDX-License-Identifier: GPL-2.0
//
// CsvLine: values as a line of CSV.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <string_view>

#include <fmt/format.h>

namespace grtrace {

// Adds the commas, and quotes where RFC 4180 requires them; bytes do not change. A
// missing value is printed as NA, or as another given text, so a real value with the
// same text is quoted. Appends to the buffer and keeps nothing.
class CsvLine {
public:
	explicit CsvLine(fmt::memory_buffer &out, std::string_view null = "NA")
		: out_(out), null_(null)
	{
	}

	void text(std::string_view value);
	void na() { put(null_); }
	// Adds cells that another CsvLine has made.
	void made(std::string_view cells) { put(cells); }
	void number(std::integral auto value)
	{
		char *const place = make_room(max_digits);

		out_.resize(std::to_chars(place, place + max_digits, value).ptr - out_.data());
	}
	void end() { out_.push_back('\n'); }

private:
	static constexpr size_t max_digits = 20;

	// Returns the place of a cell of this size, after its comma.
	char *make_room(size_t size)
	{
		const size_t at = out_.size();

		out_.resize(at + !first_ + size);
		if (!first_)
			out_[at] = ',';
		first_ = false;
		return out_.end() - size;
	}
	void put(std::string_view bytes) { std::ranges::copy(bytes, make_room(bytes.size())); }

	fmt::memory_buffer &out_;
	std::string_view null_;
	bool first_ = true;
};

} // namespace grtrace
