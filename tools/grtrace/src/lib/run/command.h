// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/run/run_user.h"
#include "lib/text/status.h"

#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace grtrace {

// The streams of a program, unless they are the same as those of this one.
struct CommandStreams {
	int in = STDIN_FILENO;
	int out = STDOUT_FILENO;
	int err = STDERR_FILENO;
};

// Another program, which runs beside this one.
class Command {
public:
	// Checks whether the program exists. Call this before the output of an
	// earlier recording is emptied; whether the program can be executed is known only
	// when it starts.
	static Status find(const std::vector<std::string> &words);

	// With a user it runs as that one. Sets errno if it fails.
	Status start(const std::vector<std::string> &words, const CommandStreams &streams = {},
		     const RunUser *user = nullptr);

	// Returns whether it has ended, and if so collects its status.
	bool has_ended();
	// Waits until it has ended; returns exit_code().
	int wait();
	bool is_running() const { return pid_ > 0; }
	void forward(int signal) const;

	// Returns the status as a shell reports it: the exit status, or 128 plus the
	// signal.
	int exit_code() const { return exit_code_; }

private:
	bool collect(int options);

	pid_t pid_ = 0;
	int exit_code_ = 0;
};

} // namespace grtrace
