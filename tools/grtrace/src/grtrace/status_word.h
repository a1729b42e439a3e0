// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"

#include <string>

namespace grtrace {

struct CaptureOptions;

// grtrace status, with its exit code: how the session and the configuration
// stand, or one of the kernel's tables.
int status_main(const CaptureOptions &options);

// A view for people: a histogram as bars, everything else in columns.
std::string view_text(const std::string &name, const CsvTable &table);

} // namespace grtrace
