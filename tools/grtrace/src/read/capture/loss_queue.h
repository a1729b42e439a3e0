// SPDX-License-Identifier: GPL-2.0
//
// LossQueue: LOST records that come out of their stream before their time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "read/stream/event.h"

namespace grtrace {

// A LOST has no number, so a merger knows only which record it follows on its
// CPU, and that one may have been written long before anything was lost. Here it
// waits for the first event, of any CPU, that is not older than the loss, or for
// the record that its CPU wrote next, whose time may be damaged.
class LossQueue {
public:
	// One for each CPU wait where nothing is damaged.
	static constexpr size_t limit = 4096;

	bool empty() const { return waiting_.empty(); }
	bool full() const { return waiting_.size() >= limit; }

	// Copies the event and its bytes.
	void add(const Event &lost);
	// How many events of the run come before any LOST that waits.
	size_t before(std::span<const Event> run) const;
	// The LOST that comes before this event, or the first one if there is
	// none; at least one waits. It stays good until the next call.
	const Event &take(const Event *next);

private:
	struct Waiting {
		Event event;
		std::vector<uint8_t> raw;
	};

	std::multimap<uint64_t, Waiting> waiting_; // by time
	std::vector<uint32_t> of_cpu_; // how many wait
	Waiting taken_ = {};
};

} // namespace grtrace
