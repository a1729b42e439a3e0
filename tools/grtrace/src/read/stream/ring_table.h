// SPDX-License-Identifier: GPL-2.0
//
// RingTable: finds the name and device of a ring by its id.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "read/stream/event.h"

namespace grtrace {

struct Ring {
	uint32_t id = GRTRACE_RING_NONE;
	uint32_t engine_class = GRTRACE_CLASS_COUNT; // "not known"
	uint32_t device = UINT32_MAX; // index of the device in order of appearance
	bool known = false;
	std::string device_name;
	std::string driver;
	std::string name;
};

// Learns from RING records, wherever they are; accepts any id. Memory grows with rings. The
// kernel assigns no id above max_id, so a greater id is damage; it is treated like the id
// of a ring without a RING record.
class RingTable {
public:
	static constexpr uint32_t max_id = GRTRACE_RING_ID_MAX;

	RingTable();

	// record points to a whole RING record.
	void learn(const uint8_t *record);

	// Never fails: known is false if the ring has no RING record.
	const Ring &find(uint32_t id) const { return id < rings_.size() ? rings_[id] : rings_[0]; }

	const std::vector<Ring> &all() const { return rings_; }
	const std::vector<std::string> &devices() const { return devices_; }

private:
	uint32_t device_index(const std::string &device);

	std::vector<Ring> rings_; // by id; [0] means "no ring"
	std::vector<std::string> devices_;
	std::unordered_map<std::string, uint32_t> device_ids_; // by name
};

} // namespace grtrace
