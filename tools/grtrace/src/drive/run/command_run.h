// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/run/command.h"
#include "drive/run/ending.h"

#include <functional>
#include <string>
#include <vector>

namespace grtrace {

// The run of a word that watches the machine: beside a command, if the user names
// one, and until a signal, the stopwatch or the end of the command.
class CommandRun {
public:
	// With quiet_stdout what the command prints goes to stderr.
	CommandRun(const std::vector<std::string> &words, unsigned int seconds,
		   bool quiet_stdout = false)
		: words_(words), seconds_(seconds), quiet_stdout_(quiet_stdout)
	{
	}

	// Whether the command is there; from here on a signal is a way to end. Call it
	// before there are threads.
	Status prepare();

	// Each starts one of them; start() both.
	void start_stopwatch() { ending_.start(seconds_); }
	Status start_command();
	Status start();

	// Waits for a tick, or until the descriptor @watched, if any, is readable;
	// whether the run goes on.
	bool goes_on(int watched, int tick_ms) { return goes_on(ending_.wait(watched, tick_ms)); }

	// Waits until the run is over or the descriptor is readable. @tick: now and
	// then; whether to go on
	void wait_for_end(int failure_fd, const std::function<bool()> &tick);

	// The word is done and the command continues: waits for its status, or for
	// the next signal, which makes it false.
	bool wait_for_command();

	Ending &ending() { return ending_; }
	Command &command() { return command_; }
	int exit_code() const { return command_.exit_code(); }

private:
	bool goes_on(Ending::Event event);

	const std::vector<std::string> &words_;
	const unsigned int seconds_;
	const bool quiet_stdout_;
	Command command_;
	Ending ending_;
};

} // namespace grtrace
