// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

struct CaptureOptions;

// The words that act on the session without recording. Each returns its exit code.
int start_main(const CaptureOptions &options);
int stop_main(const CaptureOptions &options);
int unload_main(const CaptureOptions &options);
int kill_main(const CaptureOptions &options); // record -k
int msg_main(const CaptureOptions &options);

} // namespace grtrace
