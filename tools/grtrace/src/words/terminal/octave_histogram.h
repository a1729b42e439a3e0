// SPDX-License-Identifier: GPL-2.0
//
// OctaveHistogram: counts values in powers of two, and draws the counts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "words/terminal/terminal.h"

namespace grtrace {

// As in the kernel's histograms, a bucket counts the values below its bound that no
// earlier bucket counts.
class OctaveHistogram {
public:
	// value is in the unit that is drawn.
	void add(uint64_t value, uint64_t weight = 1)
	{
		counts_[static_cast<size_t>(std::bit_width(value))] += weight;
	}
	// Counts jobs without a recorded value.
	void add_not_told(uint64_t weight) { not_told_ += weight; }

	struct Heading {
		std::string title;
		const char *unit;
		const char *what; // the counted value
	};

	// Draws from the first bucket with a value to the last, but at least 12 buckets.
	void print(fmt::memory_buffer &out, const Heading &heading, const Terminal &terminal) const;

private:
	static constexpr size_t rows_min = 12;

	// [0] counts values below 1 unit, and [n] counts values from 2^(n-1) to 2^n.
	std::array<uint64_t, 65> counts_ = {};
	uint64_t not_told_ = 0;
};

} // namespace grtrace
