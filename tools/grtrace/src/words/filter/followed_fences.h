// SPDX-License-Identifier: GPL-2.0
//
// FollowedFences: remembers the jobs that a filter let through, by their fences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/tracker/fence_index.h"

namespace grtrace {

// A set of {ctx, seqno}. Memory is bounded: when it is full, the oldest fence is forgotten.
// This affects a job only if that many other fences came while the job was in flight.
class FollowedFences {
public:
	static constexpr size_t capacity = 1 << 17;

	bool has(uint64_t ctx, uint32_t seqno) const { return index_.find(ctx, seqno); }
	void add(uint64_t ctx, uint32_t seqno);

private:
	struct Fence {
		uint64_t ctx;
		uint32_t seqno;
	};

	FenceIndex index_;
	std::vector<Fence> order_; // a circle once it is full
	size_t next_ = 0;
};

} // namespace grtrace
