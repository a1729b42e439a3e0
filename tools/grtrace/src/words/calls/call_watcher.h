// SPDX-License-Identifier: GPL-2.0
//
// CallWatcher: the ioctls of tasks, and the jobs that they submitted.
#pragma once

#include <cstdint>
#include <span>

#include "read/jobs/job.h"

namespace grtrace {

// An ioctl that returned. Times are ns of the session's clock.
struct Call {
	uint64_t enter = 0;
	uint64_t exit = 0;
	int64_t result = 0; // -errno where it failed
	uint32_t pid = 0;
	uint32_t kind = 0; // of CallKinds
	uint32_t handles = 0; // GRTRACE_HANDLES_UNKNOWN: not recorded

	uint64_t duration() const { return exit - enter; }
	bool failed() const { return result < 0; }
};

// A job as its SUBMIT names it.
struct JobKey {
	uint64_t ctx;
	uint32_t seqno; // its low half
	uint32_t ring;
};

// A SYNC_WAIT of a task.
struct Wait {
	uint64_t from = 0;
	uint64_t to = Job::none; // none: no end of it was seen
	JobKey fence = {}; // the job's key where it is a job's
	uint32_t pid = 0;
	bool of_job = false;
	bool end_lost = false; // its task did something else, so it was over
};

// Calls come in the order in which ioctls return and waits end.
class CallWatcher {
public:
	virtual ~CallWatcher() = default;

	// An ioctl, with the jobs that its task submitted in it.
	virtual void called(const Call &, std::span<const JobKey>) {}
	virtual void wait_over(const Wait &) {}
	// Once for each job: nothing more can come for it, nor for the ioctl
	// in which it was submitted, nullptr where none is known. The time is
	// the return of the first task that waited until the job was complete,
	// none without one.
	virtual void submitted(const Job &, const Call *, uint64_t) {}
};

} // namespace grtrace
