// SPDX-License-Identifier: GPL-2.0
//
// EventCounts: the number of events of each type.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "format/vocabulary.h"
#include "read/stream/event.h"

namespace grtrace {

// Counts for one CPU, ring or process; each event counts by its weight.
struct EventCounts {
	std::array<uint64_t, GRTRACE_TYPE_LIMIT> by_type = {};
	uint64_t with_error = 0; // COMPLETEs that have an error

	void add(const Event &event)
	{
		if (!is_known_event(event.type))
			return;
		by_type[event.type] += event.weight;
		if (event.type == GRTRACE_COMPLETE && event.error())
			with_error += event.weight;
	}
	void add(const EventCounts &other)
	{
		for (size_t i = 0; i < by_type.size(); i++)
			by_type[i] += other.by_type[i];
		with_error += other.with_error;
	}
	bool any() const
	{
		return std::any_of(by_type.begin(), by_type.end(),
				   [](uint64_t count) { return count != 0; });
	}
};

} // namespace grtrace
