// SPDX-License-Identifier: GPL-2.0
//
// Durations for people, in columns.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace grtrace {

// Stands for a time or a duration that is not known. It is greater than any other.
inline constexpr uint64_t no_time = UINT64_MAX;

// Returns 11 columns: "     123 ns", "  12.345 us", "   1.234 ms", "   2.500 s "; NA for
// no_time.
inline std::string duration_text(uint64_t ns)
{
	double value = static_cast<double>(ns);

	if (ns == no_time)
		return fmt::format("{:>11}", "NA");
	if (ns < 1000)
		return fmt::format("{:>8} ns", ns);
	if (ns < 1000000)
		return fmt::format("{:>8.3f} us", value / 1e3);
	if (ns < 1000000000)
		return fmt::format("{:>8.3f} ms", value / 1e6);
	return fmt::format("{:>8.3f} s ", value / 1e9);
}

// Returns the same text without padding.
inline std::string trimmed_duration(uint64_t ns)
{
	std::string text = duration_text(ns);

	text.erase(0, text.find_first_not_of(' '));
	text.erase(text.find_last_not_of(' ') + 1);
	return text;
}

} // namespace grtrace
