// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <string>

namespace grtrace {

class CommandRun;

// The end of a recording, the same for all sources.

// "grtrace: ..." on stderr.
void complain(const std::string &sentence);

// Both failures, each once.
Status join(const Status &first, const Status &second);

// Whether a terminal would get the capture, which is said.
bool is_for_terminal(const std::string &output);

// A directory for the capture, one level, as blktrace's -D.
Status make_output_directory(const std::string &path);

// The recording is over and the program continues: waits for its status, or for
// the next signal.
void wait_for_command(CommandRun &run);

// The exit code of a recording that went well.
int recording_exit_code(const CommandRun &run, bool strict, bool has_lost);

} // namespace grtrace
