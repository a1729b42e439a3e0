// SPDX-License-Identifier: GPL-2.0
//
// The result of reading, in sentences: the end of every summary and report.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/capture/capture_set.h"

namespace grtrace {

// 1234567 as 1,234,567, whatever the locale.
std::string thousands(uint64_t value);

// Records read, lost (and where), skipped, damaged. A trace without loss says
// so.
void print_losses(fmt::memory_buffer &out, const Capture &capture);

// "CPU 3"; "a CPU" where it is not known.
std::string cpu_text(uint32_t cpu);

// Their numbers: reported, found to be missing or in no file, and those that
// only the kernel counted.
uint64_t lost_records(const Capture &capture);

// Says on stderr, in blktrace's words, what each capture lost and what to do;
// returns how many records that were in all.
uint64_t tell_losses(const CaptureSet &captures);

// One line if only some jobs were recorded: sums are then estimates for all of
// them.
void print_sampling(fmt::memory_buffer &out, const Capture &capture);

// The session's peculiarities: its clock, if that is not the usual one, that the
// capture is a snapshot, and the models of its devices.
void print_session(fmt::memory_buffer &out, const Capture &capture);

// A line for each device whose model the capture has.
void print_models(fmt::memory_buffer &out, const Session &session);

// Which sources fed the capture, and what no source can see.
void print_coverage(fmt::memory_buffer &out, const Capture &capture);

} // namespace grtrace
