// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/tracefs/record_sink.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace grtrace {

class DeviceNames;

// A ring as its events name it.
struct TraceRing {
	uint32_t id;
	uint32_t engine_class;
	std::string device; // "?": unknown
	std::string driver;
	std::string name;
	uint32_t ctx; // a context for rings whose jobs have none of their own
	bool wanted = true; // by the filters
	bool is_used = false; // a job was submitted to it

	RingFacts facts() const { return {id, engine_class, device, driver, name}; }
};

// The rings that were met, by device and name: events have nothing else of
// them. A driver with several rings of one name (nouveau) has one here. Memory
// grows with rings.
class RingNames {
public:
	explicit RingNames(DeviceNames &devices) : devices_(devices) {}

	// The id of one; a new one if it was not met yet.
	TraceRing &find(std::string_view device, std::string_view name);
	TraceRing &find_virtio(uint64_t number, std::string_view name);
	TraceRing &find_i915(uint64_t card, uint64_t engine_class, uint64_t instance);

	// The only ring of this name, of whatever device; nullptr if there is
	// none, or more than one.
	TraceRing *find_only(std::string_view name);

	// By id, from 1 on; nullptr for no ring.
	TraceRing *at(uint32_t id) { return id && id <= rings_.size() ? &rings_[id - 1] : nullptr; }
	uint32_t size() const { return rings_.size(); }

	// A queue was made again under the name of an old one.
	void retire(const TraceRing &ring);

private:
	TraceRing *known();
	TraceRing &add(std::string_view device, std::string_view driver, std::string_view name,
		       uint32_t engine_class);

	DeviceNames &devices_;
	std::deque<TraceRing> rings_;
	std::unordered_map<std::string, uint32_t> ids_;
	std::string key_; // of the look-up in progress
};

// The kind of work that a scheduler's ring is named after.
uint32_t ring_name_class(std::string_view name);

} // namespace grtrace
