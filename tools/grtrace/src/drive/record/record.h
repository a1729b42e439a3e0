// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

struct CaptureOptions;

// Runs grtrace record, from the first check to the end table, and returns its exit code.
int record_main(const CaptureOptions &options);

// Returns whether grtrace-tracefs is to record instead, because the user chose it or
// because the module is not loaded. The second reason is reported. The option -r always
// chooses the module.
bool records_from_tracefs(const CaptureOptions &options);

// Runs grtrace stop -o: ends a session without a recorder and saves the content of its
// channel.
int save_main(const CaptureOptions &options);

} // namespace grtrace
