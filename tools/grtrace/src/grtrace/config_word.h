// SPDX-License-Identifier: GPL-2.0
#pragma once

namespace grtrace {

struct CaptureOptions;

// grtrace config, with its exit code: shows the configuration, changes it,
// saves and loads it.
int config_main(const CaptureOptions &options);

} // namespace grtrace
