// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/tracefs/sched_jobs.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace grtrace {

// The jobs that tasks are running. The scheduler says that it takes a job; then,
// in the same task, amdgpu says which one by its key and makes the job's
// hardware fence, and the scheduler signals the job's first fence. Memory: one
// job of each such task, up to this number of tasks.
class RunningJobs {
public:
	// The scheduler's name of a job whose beginning was not seen.
	struct Stranger {
		uint64_t address = 0; // of its fence; 0: the job is known
		uint64_t id = 0; // on its ring
	};

	// The scheduler takes a job.
	void take(uint32_t pid, const Stranger &stranger);

	// The driver got it.
	Stranger begin(uint32_t pid, std::string_view ring, const FenceId &key);

	// The driver made a fence of a ring.
	void made(uint32_t pid, std::string_view ring, const FenceId &fence);

	// The job is on its ring, as this fence of the hardware's; @otherwise if
	// the driver has not reported.
	FenceId end(uint32_t pid, const FenceId &key, const FenceId &otherwise);

private:
	struct Run {
		Stranger stranger;
		std::string ring;
		FenceId key;
		FenceId fence;
		bool has_fence = false;
	};

	Run &of(uint32_t pid);

	std::unordered_map<uint32_t, Run> tasks_;
};

} // namespace grtrace
