// SPDX-License-Identifier: GPL-2.0
//
// Marks in the kernel's own trace that show a session's time, so that a trace by another
// program can be put on its clock.
#pragma once

#include <string>

namespace grtrace {

// Writes a few lines "grtrace_sync mono=NS boot=NS tai=NS" to the trace_marker of the
// tracefs that is mounted beside debugfs. Each clock is read after the previous line and
// before its own line is written: an event's true time is between the values of two lines.
// Nothing is written where there is no tracefs; the kernel drops the lines while tracing is
// off.
void write_clock_marks(const std::string &debugfs);

} // namespace grtrace
