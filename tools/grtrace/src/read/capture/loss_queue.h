// SPDX-License-Identifier: GPL-2.0
//
// LossQueue: keeps LOST records until their time comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "read/stream/event.h"

namespace grtrace {

// A LOST has no number: a merger only knows the record before it on its CPU, which may have
// been written long before anything was lost. So a LOST waits here for the first event, of
// any CPU, that is not older than the loss. The next record of the same CPU also ends the
// wait of a LOST, because the time of the LOST may be damaged.
class LossQueue {
public:
	// Without damage at most one per CPU waits.
	static constexpr size_t limit = 4096;

	bool empty() const { return waiting_.empty(); }
	bool full() const { return waiting_.size() >= limit; }

	// Copies the event and its bytes.
	void add(const Event &lost);
	// Returns how many events of the run come before any waiting LOST.
	size_t before(std::span<const Event> run) const;
	// Returns the LOST that comes before this event, or the first LOST if next is
	// nullptr; at least one must be waiting. It stays valid until the next call.
	const Event &take(const Event *next);

private:
	struct Waiting {
		Event event;
		std::vector<uint8_t> raw;
	};

	std::multimap<uint64_t, Waiting> waiting_; // by time
	std::vector<uint32_t> of_cpu_; // how many of each CPU wait
	Waiting taken_ = {};
};

} // namespace grtrace
