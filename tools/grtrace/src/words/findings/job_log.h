// SPDX-License-Identifier: GPL-2.0
//
// JobLog: keeps the last finished jobs, found by their fences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/findings/cause.h"

namespace grtrace {

// Keeps the last `limit` jobs: 2 MiB, and an index of 256 KiB. A job is found by the
// context and the low 32 bits of the seqno of its finished fence, as in a BLOCKED record.
class JobLog {
public:
	static constexpr size_t limit = 16384;

	JobLog() : index_(places) {}

	// Builds the entry in its place: a copy of what was just written would wait until
	// it is in the cache.
	WaitingJob &add(const Job &job, uint32_t process);
	// Returns the newest job of that name; nullptr if there is no such job or it was
	// dropped.
	WaitingJob *find(uint64_t ctx, uint64_t seqno);

private:
	static constexpr size_t ways = 4;
	static constexpr size_t places = limit;
	// Numbers of jobs, the newest first; 0: no job.
	using Place = std::array<uint32_t, ways>;

	static size_t place_of(uint64_t ctx, uint64_t seqno);
	void index_last();

	std::vector<WaitingJob> jobs_; // job n is at place (n - 1) % limit
	std::vector<Place> index_;
	uint32_t added_ = 0;
	// The place of the last job; it is prefetched before the next job comes.
	size_t last_place_ = 0;
	uint32_t indexed_ = 0;
};

} // namespace grtrace
