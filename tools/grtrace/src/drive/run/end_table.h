// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// What the end table tells of one CPU.
struct CpuCapture {
	CpuCounts counts;
	uint64_t saved = 0; // bytes that went to its output
};

// blktrace's table at the end of a run, its format kept to the byte. The
// events are the kernel's own counts, never estimated from bytes.
std::string end_table(const std::string &name, const std::vector<CpuCapture> &cpus);

// Of the events that were lost: refused on purpose.
struct Refused {
	uint64_t limited = 0; // by the rate limit
	uint64_t pressure = 0; // by backpressure
};

// blktrace's sentence about dropped events and its advice, or nothing.
std::string loss_advice(const std::vector<CpuCapture> &cpus, const Refused &refused);

} // namespace grtrace
