// SPDX-License-Identifier: GPL-2.0
//
// CsvLine: values as a line of CSV.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace grtrace {

// "00" to "99", one after the other.
inline constexpr auto digit_pairs = [] {
	std::array<char, 200> pairs = {};

	for (int i = 0; i < 100; i++) {
		pairs[2 * i] = static_cast<char>('0' + i / 10);
		pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
	}
	return pairs;
}();

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
		char digits[2 * max_digits] = {}; // the second half is not printed
		char *const end = digits + max_digits;
		char *begin = put_digits(end, value < 0 ? -uint64_t(value) : uint64_t(value));

		if (value < 0)
			*--begin = '-';
		// A copy of a fixed size takes two instructions.
		char *const place = make_room(max_digits);
		std::memcpy(place, begin, max_digits);
		out_.resize(static_cast<size_t>(place + (end - begin) - out_.data()));
	}
	void end() { out_.push_back('\n'); }

private:
	static constexpr size_t max_digits = 20; // with a sign

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
	static char *put_digits(char *end, uint64_t number);
	void put(std::string_view bytes) { std::ranges::copy(bytes, make_room(bytes.size())); }

	fmt::memory_buffer &out_;
	std::string_view null_;
	bool first_ = true;
};

// Writes the digits before @end and returns where they begin. Times have 13 to 19 digits. Eight
// digits at once do not wait for each other; those of std::to_chars() would.
inline char *CsvLine::put_digits(char *end, uint64_t number)
{
	constexpr uint64_t eight = 100'000'000;

	while (number >= eight) {
		const uint32_t low = number % eight;
		const uint32_t halves[] = {low / 10000, low % 10000};

		number /= eight;
		end -= 8;
		std::memcpy(end, &digit_pairs[2 * (halves[0] / 100)], 2);
		std::memcpy(end + 2, &digit_pairs[2 * (halves[0] % 100)], 2);
		std::memcpy(end + 4, &digit_pairs[2 * (halves[1] / 100)], 2);
		std::memcpy(end + 6, &digit_pairs[2 * (halves[1] % 100)], 2);
	}
	uint32_t left = number;
	while (left >= 100) {
		end -= 2;
		std::memcpy(end, &digit_pairs[2 * (left % 100)], 2);
		left /= 100;
	}
	if (left < 10) {
		*--end = static_cast<char>('0' + left);
		return end;
	}
	std::memcpy(end - 2, &digit_pairs[2 * left], 2);
	return end - 2;
}

} // namespace grtrace
