// SPDX-License-Identifier: GPL-2.0
//
// What reading came to, in sentences: the end of every summary and report.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "capture.h"
#include "capture_set.h"

namespace grtrace {

// 1234567 as 1,234,567, whatever the locale.
std::string thousands(uint64_t value);

// Records read, lost (and where), skipped, damaged. A trace without loss says
// so.
void print_losses(fmt::memory_buffer &out, const Capture &capture);

// Says on stderr, in blktrace's words, what each capture lost and what to do;
// returns how many records that were in all.
uint64_t tell_losses(const CaptureSet &captures);

// Which sources fed the capture, and what no source can see.
void print_coverage(fmt::memory_buffer &out, const Capture &capture);

} // namespace grtrace
