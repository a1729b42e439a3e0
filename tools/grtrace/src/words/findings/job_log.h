// SPDX-License-Identifier: GPL-2.0
//
// JobLog: the last jobs that were over, by their fences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/findings/cause.h"

namespace grtrace {

// Keeps the last `limit` jobs: 2 MiB, and an index of 256 KiB. A job is found by the
// context and the low 32 bits of the seqno of its finished fence, which is how a
// BLOCKED record names it.
class JobLog {
public:
	static constexpr size_t limit = 16384;

	JobLog() : index_(places) {}

	void add(const WaitingJob &job);
	// The newest of that name; nullptr if there is none, or no more.
	const WaitingJob *find(uint64_t ctx, uint64_t seqno);

private:
	static constexpr size_t ways = 4;
	static constexpr size_t places = limit;
	// Numbers of jobs, the newest first; 0: none.
	using Place = std::array<uint32_t, ways>;

	static size_t place_of(uint64_t ctx, uint64_t seqno);
	void index_last();

	std::vector<WaitingJob> jobs_; // number n - 1 at its rest by limit
	std::vector<Place> index_;
	uint32_t added_ = 0;
	// The place of the last job, prefetched before the next one comes.
	size_t last_place_ = 0;
	uint32_t indexed_ = 0;
};

} // namespace grtrace
