// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace grtrace {

// A program that runs while we record.
class Command {
public:
	// Whether there is such a program. Asked before an output of an earlier
	// recording is emptied; that it can be executed is seen only then.
	static Status find(const std::vector<std::string> &words);

	// With quiet_stdout what it prints goes to stderr: stdout is ours.
	Status start(const std::vector<std::string> &words, bool quiet_stdout);

	// Whether it has ended; collects its status if so.
	bool has_ended();
	// Until it has; returns exit_code().
	int wait();
	bool is_running() const { return pid_ > 0; }
	void forward(int signal) const;

	// As a shell reports it: its exit status, or 128 and the signal.
	int exit_code() const { return exit_code_; }

private:
	bool collect(int options);

	pid_t pid_ = 0;
	int exit_code_ = 0;
};

} // namespace grtrace
