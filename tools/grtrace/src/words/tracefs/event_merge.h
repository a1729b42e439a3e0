// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/tracefs/event_buffer.h"

#include <memory>
#include <vector>

namespace grtrace {

// The events of all CPUs in the order of their time. The events of one CPU
// wait until no other can have anything older.
class EventMerge {
public:
	explicit EventMerge(std::vector<std::unique_ptr<EventBuffer>> &buffers) : buffers_(buffers)
	{
	}

	// The buffer with the next event; nullptr: not known yet.
	EventBuffer *next();

	// Nothing more will be read.
	void finish()
	{
		finished_ = true;
		current_ = nullptr;
	}

private:
	std::vector<std::unique_ptr<EventBuffer>> &buffers_;
	EventBuffer *current_ = nullptr; // had the event before
	uint64_t bound_ = 0; // of all others
	bool finished_ = false;
};

} // namespace grtrace
