// SPDX-License-Identifier: GPL-2.0
//
// HeldJobs: queued jobs behind a blocked one of their context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/data/id_map.h"
#include "words/tracker/job.h"

namespace grtrace {

// The scheduler looks only at the first job of a context's queue. While a dependency blocks
// this job, the others behind it are also blocked, though no record says so.
//
// Receives each step of a job that has a ring. Memory grows with the contexts that have
// jobs queued or blocked at a time, and with the jobs in flight.
class HeldJobs {
public:
	// The effect of a job's step on other jobs, and the job's own state.
	struct Step {
		bool was_held = false; // the job itself before the step
		bool is_held = false; // and after it
		// The weight of other jobs that become held, and the weight of jobs
		// that are no longer held.
		uint64_t caught = 0;
		uint64_t freed = 0;
	};

	// job.phase is the new phase.
	Step move(const Job &job, JobPhase from)
	{
		// Only jobs in these two phases are in a queue.
		if (!in_queue(from) && !in_queue(job.phase))
			return {};
		return move_in_queue(job, from);
	}
	// Forgets all jobs in flight, because records were lost.
	void forget();

private:
	// The jobs of one context on one ring.
	struct Queue {
		uint64_t ctx = 0;
		uint32_t ring = GRTRACE_RING_NONE;
		uint32_t blocked = 0; // number of jobs
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
	size_t drop_at_ = few; // number of queues at which to drop unused ones
	std::vector<uint32_t> queue_of_; // by slot, for jobs that are in a queue
};

} // namespace grtrace
