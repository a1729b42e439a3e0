// SPDX-License-Identifier: GPL-2.0
//
// OrderKey: the place of an event in the order of its session.
#pragma once

#include <cstdint>

#include "read/stream/event.h"

namespace grtrace {

// Each stream is ordered, so cseq never has to be compared. A LOST has the number of the
// record before it on its CPU, 0 if there is none; of equal numbers the lower CPU comes first.
struct OrderKey {
	uint64_t gseq;
	uint32_t cpu;

	bool operator<(const OrderKey &other) const
	{
		return gseq != other.gseq ? gseq < other.gseq : cpu < other.cpu;
	}
};

inline OrderKey order_key(const Event &event)
{
	return {event.gseq, event.cpu};
}

} // namespace grtrace
