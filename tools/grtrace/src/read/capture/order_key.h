// SPDX-License-Identifier: GPL-2.0
//
// OrderKey: the place of an event in the order of its session.
#pragma once

#include <cstdint>

#include "read/stream/event.h"

namespace grtrace {

// Events are ordered by gseq or, if the session has no gseq, by time and then CPU. Each
// stream is ordered, so cseq never has to be compared. A LOST comes before other records of
// the same time.
struct OrderKey {
	uint64_t major;
	uint64_t minor;

	bool operator<(const OrderKey &other) const
	{
		return major != other.major ? major < other.major : minor < other.minor;
	}
};

inline OrderKey order_key(const Event &event, bool order_clock)
{
	return order_clock ? OrderKey{event.ts, event.sequenced ? event.cpu + 1 : 0} :
			     OrderKey{event.gseq, event.cpu};
}

} // namespace grtrace
