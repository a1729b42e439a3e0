// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <chrono>

namespace grtrace {

// Events that can end a recording: a signal, the stopwatch, the end of
// a program, a thread that failed. Signals become something to wait for, so
// one that comes while the channel is drained disturbs nothing.
class Ending {
public:
	enum class Event {
		tick, // nothing happened for a while
		signal, // asked to stop
		time, // the stopwatch ran out
		child, // some child may have ended
		failure, // the descriptor to watch became readable
	};

	// Blocks the signals: call it before there are threads.
	Status prepare();

	// Starts the stopwatch; 0 seconds: no stopwatch.
	void start(unsigned int seconds);

	// @watched: a descriptor, or -1
	Event wait(int watched, int tick_ms);

	// The signal of the last Event::signal, if a process sent it to us
	// alone: the terminal's go to a whole group, our child included.
	int signal_for_child() const { return signal_for_child_; }
	double seconds_since_start() const;

private:
	Event take_signal();
	int timeout_ms(int tick_ms) const;

	using Clock = std::chrono::steady_clock;

	Fd signals_;
	Clock::time_point start_;
	Clock::time_point deadline_ = Clock::time_point::max();
	int signal_for_child_ = 0;
};

} // namespace grtrace
