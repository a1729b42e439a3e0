// SPDX-License-Identifier: GPL-2.0
//
// Plausibility of sequence numbers, and sums that never overflow.
#pragma once

#include <algorithm>
#include <cstdint>

namespace grtrace {

// gseq and cseq count records, and no machine writes or loses more than one per nanosecond.
// If two numbers differ by more than the time between their records, and by more than this,
// one of them is damaged.
inline constexpr uint64_t near_numbers = 1 << 24;
// A number that no later one confirms is accepted only up to this distance: otherwise one
// wrong number would make all later records of its CPU look old.
inline constexpr uint64_t unwitnessed_numbers = 1 << 12;
// No sequence reaches this number: at one per nanosecond that takes 146 years.
inline constexpr uint64_t most_numbers = 1ull << 62;

inline uint64_t add_up(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

inline uint64_t take_off(uint64_t a, uint64_t b)
{
	return a - std::min(a, b);
}

// Returns how many numbers there can be between two times.
inline uint64_t numbers_between(uint64_t a, uint64_t b)
{
	return add_up(a > b ? a - b : b - a, near_numbers);
}

// The numbers that a record can have.
struct NumberRange {
	uint64_t least;
	uint64_t most;

	bool has(uint64_t number) const { return number >= least && number <= most; }
};

} // namespace grtrace
