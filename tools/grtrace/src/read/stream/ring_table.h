// SPDX-License-Identifier: GPL-2.0
//
// RingTable: finds the name and device of a ring by its id.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "read/stream/event.h"
#include "read/stream/ring_map.h"

namespace grtrace {

struct Ring {
	uint32_t id = GRTRACE_RING_NONE;
	uint32_t engine_class = GRTRACE_CLASS_COUNT; // "not known"
	uint32_t device = UINT32_MAX; // index of the device in order of appearance
	bool known = false;
	std::string device_name;
	std::string driver;
	std::string name;
	uint32_t flags = 0; // GRTRACE_RING_*
	uint32_t timeout_ms = 0; // 0: none, or not known

	bool has(uint32_t flag) const { return flags & flag; }
};

// Returns "shared+user": the names of the flags; empty without any.
std::string ring_flags_text(uint32_t flags);

// Learns from RING records, wherever they are; accepts any id. Memory grows with rings.
class RingTable {
public:
	RingTable();

	// record points to a whole RING record.
	void learn(const uint8_t *record);

	// Never fails: known is false if the ring has no RING record.
	const Ring &find(uint32_t id) const
	{
		const Ring *ring = rings_.find(id);

		return ring ? *ring : none_;
	}

	// Calls what(ring) for each known ring, by id.
	template <class F> void each(F what) const
	{
		rings_.each([&](uint32_t, const Ring &ring) {
			if (ring.known)
				what(ring);
		});
	}
	const std::vector<std::string> &devices() const { return devices_; }

private:
	uint32_t device_index(const std::string &device);

	Ring none_; // "no ring"
	RingMap<Ring> rings_;
	std::vector<std::string> devices_;
	std::unordered_map<std::string, uint32_t> device_ids_; // by name
};

} // namespace grtrace
