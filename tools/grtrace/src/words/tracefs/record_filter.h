// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

struct TraceRing;

// The events that are recorded: as the module filters, by the type and by
// what is known of the ring.
struct RecordFilter {
	uint64_t types = UINT64_MAX; // bit n: events of type n
	uint64_t engines = UINT64_MAX; // bit n: rings of class n
	std::vector<std::string> devices; // empty: all
	std::vector<std::string> rings; // names; empty: all

	bool wants(const TraceRing &ring) const;

	// @ring: nullptr where it is not known
	bool passes(uint16_t type, const TraceRing *ring) const;
};

} // namespace grtrace
