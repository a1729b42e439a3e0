// SPDX-License-Identifier: GPL-2.0
//
// Counting: follows jobs from event to event, for the summary and for -t.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/stream/event.h"
#include "read/stream/stream_stats.h"

namespace grtrace {

// The jobs of one capture, as text of its summary.
struct JobTexts {
	std::string programs = {}; // the table of -s
	std::string totals = {};
};

class Counting {
public:
	virtual ~Counting() = default;

	// Records were found missing before the next event.
	virtual void lose(uint32_t capture, const std::vector<Gap> &gaps) = 0;
	// Times need every event, and sums those that count; the table of programs
	// needs only the events that are shown.
	virtual void feed(const Event &event, bool counts) = 0;
	virtual void show(const Event &event) = 0;

	// Returns the time from the previous step to the last event fed, or no_time.
	virtual uint64_t elapsed(uint32_t capture) const = 0;
	// To be called once, when everything was read.
	virtual JobTexts texts(uint32_t capture) = 0;
};

} // namespace grtrace
