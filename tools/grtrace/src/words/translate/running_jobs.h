// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/translate/sched_jobs.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace grtrace {

// The jobs that tasks are passing to the hardware. The scheduler reports that it takes a
// job; then, in the same task, amdgpu reports the job's key and makes its hardware fence,
// and the scheduler signals the job's first fence. Memory: one job of each such task, up to
// this number of tasks.
class RunningJobs {
public:
	// The scheduler's name for a job whose beginning was not seen.
	struct Stranger {
		uint64_t address = 0; // address of its fence; 0: the job is known
		uint64_t id = 0; // its number on its ring
	};

	// The scheduler takes a job.
	void take(uint32_t pid, const Stranger &stranger);

	// The driver got the job.
	Stranger begin(uint32_t pid, std::string_view ring, const FenceId &key);

	// The driver made a fence for a ring.
	void made(uint32_t pid, std::string_view ring, const FenceId &fence);

	// The job is on its ring. Returns the job's hardware fence, or @otherwise if the
	// driver has not reported one.
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
