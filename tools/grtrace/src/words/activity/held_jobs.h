// SPDX-License-Identifier: GPL-2.0
//
// HeldJobs: queued jobs behind a blocked one of their context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/data/id_map.h"
#include "read/jobs/job.h"

namespace grtrace {

// The scheduler looks only at the first job of a context's queue. While a
// dependency blocks that one, the others behind it are blocked as well, though
// no record says so.
//
// Fed with each step of a job that has a ring. Memory grows with the contexts
// that have jobs queued or blocked at a time, and with the jobs in flight.
class HeldJobs {
public:
	// The effect of a job's step on other jobs, and the job's own state.
	struct Step {
		bool was_held = false; // the job itself, before
		bool is_held = false; // and after
		// The weight of other jobs that are held from now on, and of
		// those that no longer are.
		uint64_t caught = 0;
		uint64_t freed = 0;
	};

	// job.phase is the new phase.
	Step move(const Job &job, JobPhase from)
	{
		// Only these two are in a queue.
		if (!in_queue(from) && !in_queue(job.phase))
			return {};
		return move_in_queue(job, from);
	}
	// Nothing is known of the jobs in flight any more.
	void forget();

private:
	// The jobs of one context on one ring.
	struct Queue {
		uint64_t ctx = 0;
		uint32_t ring = GRTRACE_RING_NONE;
		uint32_t blocked = 0; // jobs
		uint64_t queued = 0; // weight of jobs

		bool empty() const { return !blocked && !queued; }
	};
	static constexpr size_t few = 1024;
	static constexpr uint32_t nil = UINT32_MAX;

	static bool in_queue(JobPhase phase)
	{
		return phase == JobPhase::queued || phase == JobPhase::blocked;
	}
	static uint64_t key_of(uint64_t ctx, uint32_t ring);
	Step move_in_queue(const Job &job, JobPhase from);
	uint32_t enter(const Job &job);
	uint32_t new_queue(uint64_t key);
	void drop_empty();

	std::vector<Queue> queues_;
	std::vector<uint32_t> free_; // numbers of queues
	IdMap<uint32_t, true> numbers_; // of queues, by key
	size_t drop_at_ = few; // queues
	std::vector<uint32_t> queue_of_; // by slot, of jobs in a queue
};

} // namespace grtrace
