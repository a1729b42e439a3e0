// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/run/ending.h"
#include "lib/run/command.h"

#include <functional>
#include <string>
#include <vector>

namespace grtrace {

// The run of a word that observes the machine. It lasts until a signal, the stopwatch or the
// end of the command, if the user gave one.
class CommandRun {
public:
	// With quiet_stdout the command's output goes to stderr.
	CommandRun(const std::vector<std::string> &words, unsigned int seconds,
		   bool quiet_stdout = false)
		: words_(words), seconds_(seconds), quiet_stdout_(quiet_stdout),
		  user_name_(calling_user())
	{
	}

	// The command runs as this user, a name or a number; empty: as who called sudo.
	void run_as(const std::string &user)
	{
		if (!user.empty())
			user_name_ = user;
	}

	// Checks whether the command exists; from here on a signal ends the run. Call it
	// before threads are started.
	Status prepare();

	// Waits until the wall clock is a multiple of that many seconds, unless that is 0.
	// A signal ends the wait, with an error.
	Status wait_for_start(unsigned int period);

	// Start the stopwatch and the command.
	void start_stopwatch() { ending_.start(seconds_); }
	Status start_command();

	// Waits for a tick, or until the descriptor @watched, if any, is readable. Returns
	// whether the run continues.
	bool goes_on(int watched, int tick_ms) { return goes_on(ending_.wait(watched, tick_ms)); }

	// Waits until the run is over or the descriptor is readable. @tick is called from
	// time to time and returns whether to continue.
	void wait_for_end(int failure_fd, const std::function<bool()> &tick);

	// The word has finished but the command continues: waits for its status and returns
	// true, or returns false at the next signal.
	bool wait_for_command();

	Ending &ending() { return ending_; }
	Command &command() { return command_; }
	int exit_code() const { return command_.exit_code(); }

private:
	bool goes_on(Ending::Event event);

	const std::vector<std::string> &words_;
	const unsigned int seconds_;
	const bool quiet_stdout_;
	std::string user_name_;
	RunUser user_;
	Command command_;
	Ending ending_;
};

} // namespace grtrace
