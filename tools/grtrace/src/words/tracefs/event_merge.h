// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/tracefs/event_buffer.h"

#include <memory>
#include <vector>

namespace grtrace {

// Returns the events of all CPUs in the order of their time. Events of one CPU wait until
// no other CPU can have an older one.
class EventMerge {
public:
	// A round is 1 ms, and a time stamp may be 2 ms late.
	static constexpr unsigned int stalled_most = 10;

	explicit EventMerge(std::vector<std::unique_ptr<EventBuffer>> &buffers) : buffers_(buffers)
	{
	}

	// Returns the buffer with the next event; nullptr if it is not known yet.
	EventBuffer *next();

	// A round of reading is over. Events that are ahead of the clock, because it was set
	// back, wait for it as long as there is room for others; a few rounds later all that
	// was read is due. Returns whether to wait a moment before the next round.
	bool end_round(bool moved)
	{
		stalled_ = moved ? 0 : stalled_ + 1;
		current_ = nullptr;
		return !moved;
	}

	// No more events will be read.
	void finish()
	{
		finished_ = true;
		current_ = nullptr;
	}

private:
	std::vector<std::unique_ptr<EventBuffer>> &buffers_;
	EventBuffer *current_ = nullptr; // the buffer of the previous event
	uint64_t bound_ = 0; // lower limit for all other buffers
	bool finished_ = false;
	unsigned int stalled_ = 0; // rounds in which nothing could be read or taken
};

} // namespace grtrace
