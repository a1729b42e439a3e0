// SPDX-License-Identifier: GPL-2.0
//
// Sentences about losses and other facts of a capture, for the end of each report.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/capture/capture_set.h"

namespace grtrace {

// Formats 1234567 as 1,234,567, whatever the locale.
std::string thousands(uint64_t value);

// Prints how many records were read, lost (and where), skipped and damaged. A trace without
// loss is reported as such.
void print_losses(fmt::memory_buffer &out, const Capture &capture);

// Returns "CPU 3", or "a CPU" if it is not known.
std::string cpu_text(uint32_t cpu);

// Returns how many records were lost: records reported as lost, records found missing,
// and records that only the kernel counted.
uint64_t lost_records(const Capture &capture);

// Returns the CPUs whose end a finished recording lacks, "1 3"; empty if there is none.
std::string cpus_without_end(const Capture &capture);
// Returns "the end of CPU 1 is missing", "the ends of 2 CPUs are missing"; empty if none is.
std::string missing_ends(const Capture &capture);

// Reports on stderr, in blktrace's words, what each capture lost and how to prevent it;
// returns the number of lost records of all captures.
uint64_t tell_losses(const CaptureSet &captures);

// Prints a line if only a sample of the jobs was recorded, because sums are then estimates
// for all jobs.
void print_sampling(fmt::memory_buffer &out, const Capture &capture);

// Prints unusual facts of the session: that the clock is not the default or that the capture
// is a snapshot, and the models of its devices.
void print_session(fmt::memory_buffer &out, const Capture &capture);

// Prints a line for each device whose model the capture has.
void print_models(fmt::memory_buffer &out, const Session &session);

} // namespace grtrace
