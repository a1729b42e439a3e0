// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// The fate of the events of a session, from the kernel's `stats`: each event that was
// offered was either written or left out for exactly one reason.
struct Accounting {
	uint64_t offered = 0;
	uint64_t written = 0;
	std::vector<std::pair<std::string, uint64_t>> reasons; // without those that are 0
	uint64_t lost = 0; // sum of the reasons that are losses
	uint64_t lost_told = 0;

	uint64_t accounted() const;
	bool adds_up() const { return offered == accounted() && lost == lost_told; }
};

Accounting account(const std::vector<NamedText> &stats);

// Returns the sum as a line, and any error in the sum. While a session runs, the
// counters are not read at the same moment.
std::string accounting_text(const Accounting &accounting, bool running);

} // namespace grtrace
