// SPDX-License-Identifier: GPL-2.0
//
// Numbers of a sequence: which can be true, and sums that never overflow.
#pragma once

#include <algorithm>
#include <cstdint>

namespace grtrace {

// gseq and cseq count records, and no machine writes, or loses, more than one in
// a nanosecond. Numbers that are further apart than their records are in time,
// and than this, are damage.
inline constexpr uint64_t near_numbers = 1 << 24;
// A number that no later one confirms is believed only up to this distance: one
// wrong number must not make everything that its CPU wrote later look like the
// past.
inline constexpr uint64_t unwitnessed_numbers = 1 << 12;
// 146 years of them.
inline constexpr uint64_t most_numbers = 1ull << 62;

inline uint64_t add_up(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

inline uint64_t take_off(uint64_t a, uint64_t b)
{
	return a - std::min(a, b);
}

// How many numbers there can be between two times.
inline uint64_t numbers_between(uint64_t a, uint64_t b)
{
	return add_up(a > b ? a - b : b - a, near_numbers);
}

// Numbers that a record can have.
struct NumberRange {
	uint64_t least;
	uint64_t most;

	bool has(uint64_t number) const { return number >= least && number <= most; }
};

} // namespace grtrace
