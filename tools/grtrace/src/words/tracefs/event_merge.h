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
	explicit EventMerge(std::vector<std::unique_ptr<EventBuffer>> &buffers) : buffers_(buffers)
	{
	}

	// Returns the buffer with the next event; nullptr if it is not known yet.
	EventBuffer *next();

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
};

} // namespace grtrace
