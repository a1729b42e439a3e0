// SPDX-License-Identifier: GPL-2.0
//
// OctaveHistogram: counts in powers of two, and their drawing.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "words/terminal/terminal.h"

namespace grtrace {

// A bucket counts values below its bound that are not in the previous bucket,
// as in the kernel's histograms.
class OctaveHistogram {
public:
	// In the unit that is drawn.
	void add(uint64_t value, uint64_t weight = 1)
	{
		counts_[static_cast<size_t>(std::bit_width(value))] += weight;
	}
	// Some without a recorded value.
	void add_not_told(uint64_t weight) { not_told_ += weight; }

	struct Heading {
		std::string title;
		const char *unit;
		const char *what; // is counted
	};

	// From the first bucket with a value to the last, but at least 12
	// buckets.
	void print(fmt::memory_buffer &out, const Heading &heading, const Terminal &terminal) const;

private:
	static constexpr size_t rows_min = 12;

	// [0] is below 1 unit, [n] is 2^(n-1) to 2^n.
	std::array<uint64_t, 65> counts_ = {};
	uint64_t not_told_ = 0;
};

} // namespace grtrace
