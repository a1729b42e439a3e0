// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// A row of the end table: one CPU.
struct CpuCapture {
	CpuCounts counts;
	uint64_t saved = 0; // bytes written to its output
};

// Returns blktrace's table at the end of a run, byte for byte in its format. The events are
// the kernel's own counts, never estimated from bytes.
std::string end_table(const std::string &name, const std::vector<CpuCapture> &cpus);

// Events that are missing on purpose, not for lack of room.
struct LeftOut {
	uint64_t limited = 0; // lost ones refused by the rate limit
	uint64_t pressure = 0; // lost ones refused by backpressure
	uint64_t overwritten = 0; // events overwritten by newer ones
};

// Returns blktrace's sentence about dropped events with its advice, or an empty text.
std::string loss_advice(const std::vector<CpuCapture> &cpus, const LeftOut &left_out);

// Prints both; the table goes to stderr if the capture went to stdout.
void print_end(const std::string &name, const std::vector<CpuCapture> &cpus,
	       const LeftOut &left_out, bool to_stdout);

} // namespace grtrace
