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
	uint64_t saved = 0; // bytes that went to its output
};

// blktrace's table at the end of a run, its format kept to the byte. The
// events are the kernel's own counts, never estimated from bytes.
std::string end_table(const std::string &name, const std::vector<CpuCapture> &cpus);

// Events that are missing on purpose, not because there was no room.
struct LeftOut {
	uint64_t limited = 0; // of the lost ones, by the rate limit
	uint64_t pressure = 0; // by backpressure
	uint64_t overwritten = 0; // by newer ones
};

// blktrace's sentence about dropped events and its advice, or nothing.
std::string loss_advice(const std::vector<CpuCapture> &cpus, const LeftOut &left_out);

// Prints both, the table on stderr where the capture went to stdout.
void print_end(const std::string &name, const std::vector<CpuCapture> &cpus,
	       const LeftOut &left_out, bool to_stdout);

} // namespace grtrace
