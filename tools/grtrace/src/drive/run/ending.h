// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"

#include <chrono>

namespace grtrace {

// Waits for the events that can end a recording: a signal, the stopwatch, the end of a
// program, a failed thread. Signals are read from a descriptor, so a signal that arrives
// while the channel is drained interrupts nothing.
class Ending {
public:
	enum class Event {
		tick, // nothing happened for a while
		signal, // a signal asked to stop
		time, // the stopwatch ran out
		child, // a child may have ended
		failure, // the watched descriptor became readable
	};

	// Blocks the signals; call it before threads are started.
	Status prepare();

	// Starts the stopwatch; 0 seconds: no stopwatch.
	void start(unsigned int seconds);

	// @watched: a descriptor, or -1
	Event wait(int watched, int tick_ms);

	// Returns the signal of the last Event::signal if a process sent it only to this
	// process. A terminal sends a signal to a whole group, so our child got the signal as
	// well.
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
