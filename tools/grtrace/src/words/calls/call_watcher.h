// SPDX-License-Identifier: GPL-2.0
//
// CallWatcher: receives the ioctls of tasks, and the jobs that they submitted.
#pragma once

#include <cstdint>
#include <span>

#include "words/tracker/job.h"

namespace grtrace {

// An ioctl that returned. Times are ns of the session's clock.
struct Call {
	uint64_t enter = 0;
	uint64_t exit = 0;
	int64_t result = 0; // -errno if it failed
	uint32_t pid = 0;
	uint32_t kind = 0; // number from CallKinds
	uint32_t handles = 0; // GRTRACE_HANDLES_UNKNOWN: not recorded

	uint64_t duration() const { return exit - enter; }
	bool failed() const { return result < 0; }
};

// The key of a job, taken from its SUBMIT.
struct JobKey {
	uint64_t ctx;
	uint32_t seqno; // low half
	uint32_t ring;
};

// A task's SYNC_WAIT.
struct Wait {
	uint64_t from = 0;
	uint64_t to = Job::none; // none: no record has its end
	JobKey fence = {}; // the job's key if the fence belongs to a job
	uint32_t pid = 0;
	bool of_job = false;
	bool end_lost = false; // its task did something else afterwards, so the wait was over
};

// Calls come in the order in which ioctls return and waits end.
class CallWatcher {
public:
	virtual ~CallWatcher() = default;

	// Receives an ioctl, with the jobs that its task submitted during the call.
	virtual void called(const Call &, std::span<const JobKey>) {}
	virtual void wait_over(const Wait &) {}
	// Called once for each job, when no more records can come for it or for the ioctl
	// that submitted it. The ioctl is nullptr if it is not known. The time is when the
	// first task that had waited until the job was complete returned; none if no task
	// had waited.
	virtual void submitted(const Job &, const Call *, uint64_t) {}
};

} // namespace grtrace
