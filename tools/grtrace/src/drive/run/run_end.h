// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <string>

namespace grtrace {

class CommandRun;

// Functions for the end of a recording, the same for all sources.

// Prints "grtrace: ..." on stderr.
void complain(const std::string &sentence);

// Returns whether the capture would be written to a terminal, and if so prints an error.
bool is_for_terminal(const std::string &output);

// Creates a directory for the capture, one level, like blktrace's -D.
Status make_output_directory(const std::string &path);

// The recording is over but the program continues: waits for its status, or for the next
// signal.
void wait_for_command(CommandRun &run);

// Returns the exit code of a recording without errors.
int recording_exit_code(const CommandRun &run, bool strict, bool has_lost);

} // namespace grtrace
