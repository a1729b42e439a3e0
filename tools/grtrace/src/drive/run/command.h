// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace grtrace {

// A program that runs while we record. It is forked before the session starts
// and the recorder has threads, and held back until release().
class Command {
public:
	Command() = default;
	Command(const Command &) = delete;
	Command &operator=(const Command &) = delete;
	~Command();

	// Whether there is such a program. Asked before an output of an earlier
	// recording is emptied; that it can be executed is seen only then.
	static Status find(const std::vector<std::string> &words);

	// With quiet_stdout what it prints goes to stderr: stdout is ours.
	Status fork(const std::vector<std::string> &words, bool quiet_stdout);

	// Lets it run; fails if it could not be executed.
	Status release();

	// Whether it has ended; collects its status if so.
	bool has_ended();
	bool is_running() const { return pid_ > 0; }
	void forward(int signal) const;

	// As a shell reports it: its exit status, or 128 and the signal.
	int exit_code() const { return exit_code_; }

private:
	pid_t pid_ = 0;
	int exit_code_ = 0;
	Fd gate_; // closing it unread means: do not run
	Fd error_; // errno of a failed exec, or closed by exec
};

} // namespace grtrace
