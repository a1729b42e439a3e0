// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

struct CaptureOptions;

// record --source tracefs: without a module, from the kernel's own events.
// Returns the exit code.
int trace_record_main(const CaptureOptions &options);

} // namespace grtrace
