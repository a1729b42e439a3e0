// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// Where the events of a session went, by the kernel's `stats`: each that was
// offered was written, or left out for one reason.
struct Accounting {
	uint64_t offered = 0;
	uint64_t written = 0;
	std::vector<std::pair<std::string, uint64_t>> reasons; // not 0
	uint64_t lost = 0; // by the reasons that are losses
	uint64_t lost_told = 0;

	uint64_t accounted() const;
	bool adds_up() const { return offered == accounted() && lost == lost_told; }
};

Accounting account(const std::vector<NamedText> &stats);

// The sum as a line, and what is wrong with it. While a session runs, the
// counters are not read at one moment.
std::string accounting_text(const Accounting &accounting, bool running);

} // namespace grtrace
