// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/translate/record_sink.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace grtrace {

class DeviceNames;

// A ring, with the names that events give it.
struct TraceRing {
	uint32_t id;
	uint32_t engine_class;
	std::string device; // "?": unknown
	std::string driver;
	std::string name;
	uint32_t ctx; // for rings whose jobs have no context of their own
	uint32_t flags; // GRTRACE_RING_*, as far as the names show them
	bool wanted = true; // by the filters
	bool is_used = false; // a job was submitted to it
	bool is_mixed = false; // its jobs may be those of several rings of this name

	RingFacts facts() const
	{
		return {id,     engine_class, device,
			driver, name,         flags | (is_mixed ? GRTRACE_RING_MIXED : 0),
			0};
	}
};

// The known rings, found by device and name, because events have no other facts about
// rings. If a driver has several rings of the same name (nouveau), they are one ring here.
// Memory grows with rings.
class RingNames {
public:
	explicit RingNames(DeviceNames &devices) : devices_(devices) {}

	// Returns the ring, and adds it if it is not known yet.
	TraceRing &find(std::string_view device, std::string_view name);
	// A ring of this name that no device was known for is this device's: some events have
	// none. Returns it, or nullptr if there is none.
	TraceRing *adopt(std::string_view device, std::string_view name);
	TraceRing &find_virtio(uint64_t number, std::string_view name);
	TraceRing &find_i915(uint64_t card, uint64_t engine_class, uint64_t instance);

	// Returns the only ring of this name on any device; nullptr if no ring or
	// several rings have the name.
	TraceRing *find_only(std::string_view name);

	// Returns the ring with this id, from 1 on; nullptr for no ring.
	TraceRing *at(uint32_t id) { return id && id <= rings_.size() ? &rings_[id - 1] : nullptr; }
	const TraceRing *at(uint32_t id) const
	{
		return id && id <= rings_.size() ? &rings_[id - 1] : nullptr;
	}
	uint32_t size() const { return rings_.size(); }

	// A new queue has got the name of an old one.
	void retire(const TraceRing &ring);

private:
	TraceRing *known();
	TraceRing &add(std::string_view device, std::string_view driver, std::string_view name,
		       uint32_t engine_class);

	DeviceNames &devices_;
	std::deque<TraceRing> rings_;
	std::unordered_map<std::string, uint32_t> ids_;
	std::string key_; // key of the current lookup
	TraceRing *last_ = nullptr; // that find() returned
	std::string last_device_; // as it was named then
};

// Returns GRTRACE_RING_* as far as the names of a ring show them. An event does not show
// which of nouveau's schedulers has VM_BIND's jobs, nor which of xe's.
uint32_t ring_name_flags(std::string_view driver, std::string_view name);

// Returns the class of engine that the name of a scheduler's ring suggests.
uint32_t ring_name_class(std::string_view name);

} // namespace grtrace
