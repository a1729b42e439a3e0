// SPDX-License-Identifier: GPL-2.0
//
// window_finder: finds the parts of a capture that have the events of an interval.
#pragma once

#include <cstdint>

#include "read/capture/capture_input.h"

namespace grtrace {

// Finds the packets of an interval by their times, without reading the packets before it, so
// that a second of a long capture is read in little time. The lines that are printed of the
// interval are the same as when all is read. So it chooses the whole capture unless all of
// this is certain:
//
// - On a CPU the times of events do not go back: each is between the times of its packet and
//   of the next one, give or take what the adjustment of a clock does. The
//   kernel's do; other recorders' need not.
// - The rings of the interval are in the tables at the start or at the end. The recorder
//   writes both; if it was killed, the end is missing.
// - Nothing was lost. A loss anywhere is reported with its place, so all has to be read.
//
// - Where needs_names says so: the kernel repeats the names of tasks in each sub-buffer. An
//   event in an interrupt has the pid of a task that may be named elsewhere.
//
// The bounds are in ns since the start of the session.
PartFinder window_finder(uint64_t from_ns, uint64_t to_ns, bool needs_names);

} // namespace grtrace
