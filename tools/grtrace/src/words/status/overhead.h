// SPDX-License-Identifier: GPL-2.0
//
// The trace's own cost, from the kernel's views.
#pragma once

#include <string>

#include "drive/control/views.h"

namespace grtrace {

// The texts of the views that are used; a view that does not exist is empty.
struct OverheadViews {
	std::string stats;
	std::string pc_stats;
	std::string sec_stats;
	std::string latency_hist;
};

class Control;

OverheadViews read_overhead(const Control &control);

// Returns rates, the time that writes take (with profile=1), the number of events
// without a record for each reason, and how uneven the CPUs are. Lines begin with a
// name, as counters do.
std::string overhead_text(const OverheadViews &views);

} // namespace grtrace
