// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

struct TraceRing;

// Chooses the events to record like the module, by type and by the known facts about the
// ring.
struct RecordFilter {
	uint64_t types = UINT64_MAX; // bit n: events of type n
	uint64_t engines = UINT64_MAX; // bit n: rings of class n
	std::vector<std::string> devices; // empty: all
	std::vector<std::string> rings; // names; empty: all

	bool wants(const TraceRing &ring) const;

	// @ring: nullptr if it is not known
	bool passes(uint16_t type, const TraceRing *ring) const;
};

} // namespace grtrace
