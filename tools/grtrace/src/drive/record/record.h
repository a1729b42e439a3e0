// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

struct CaptureOptions;

// grtrace record, with its exit code: a whole recording from the first check
// to the end table.
int record_main(const CaptureOptions &options);

// Whether grtrace-tracefs is to record in its stead: as asked for, else where the module
// is not loaded, which is said. Naming a debugfs asks for the module.
bool records_from_tracefs(const CaptureOptions &options);

// grtrace stop -o: ends a session without a recorder and saves what its
// channel holds.
int save_main(const CaptureOptions &options);

} // namespace grtrace
