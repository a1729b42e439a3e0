// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

struct CaptureOptions;

// Runs record --source tracefs, which uses the kernel's own events and no module. Returns
// the exit code.
int trace_record_main(const CaptureOptions &options);

} // namespace grtrace
