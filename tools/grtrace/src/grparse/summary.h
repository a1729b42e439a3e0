// SPDX-License-Identifier: GPL-2.0
//
// Summary: prints blkparse's tables at the end of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "grparse/counting.h"
#include "grparse/event_counts.h"
#include "read/capture/capture_set.h"
#include "read/stream/event.h"

namespace grtrace {

// Counts every printed event of one capture; prints at the end. Memory grows with CPUs and
// rings.
class Summary {
public:
	// Events must be of this capture, which must outlive the summary.
	explicit Summary(Capture &capture) : capture_(capture) {}

	void add(const Event &event);
	// jobs: nothing if they were not counted.
	void print(fmt::memory_buffer &out, const std::optional<JobTexts> &jobs);

private:
	void print_rings(fmt::memory_buffer &out);
	void print_end(fmt::memory_buffer &out);

	Capture &capture_;
	std::vector<EventCounts> cpus_;
	RingMap<EventCounts> rings_;
	uint64_t entries_ = 0; // recorded events, without their weights
};

} // namespace grtrace
