// SPDX-License-Identifier: GPL-2.0
//
// Averages and sums of durations, some of which may not be known.
#pragma once

#include <cstdint>

#include "lib/text/duration.h"

namespace grtrace {

// Returns the rounded average; no_time if number is 0.
inline uint64_t average_of(uint64_t sum, uint64_t number)
{
	if (!number)
		return no_time;
	const uint64_t rest = sum % number;
	return sum / number + (rest >= number - rest);
}

// Returns the sum, or no_time if none of its parts is known.
inline uint64_t sum_of(uint64_t sum, uint64_t number)
{
	return number ? sum : no_time;
}

} // namespace grtrace
