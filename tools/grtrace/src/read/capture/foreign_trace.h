// SPDX-License-Identifier: GPL-2.0
//
// Traces that other programs recorded: `grtrace import` reads them for every reader.
#pragma once

#include <string>

#include "lib/run/command.h"
#include "lib/text/status.h"

namespace grtrace {

// Returns whether the file's first bytes are those of another program's trace, or of any
// text. For a pipe it waits until something comes; nothing is consumed.
bool is_foreign_trace(int fd);

// Runs grtrace-import, and replaces the file by a stream with the capture that it makes.
// Returns an error if grtrace-import makes no capture.
Status import_trace(const std::string &path, bool live, int *fd, Command *import);

} // namespace grtrace
