// SPDX-License-Identifier: GPL-2.0
//
// StepTimes: how long a job took to the step that an event tells.
#pragma once

#include <cstdint>

#include "event.h"
#include "job_watcher.h"

namespace grtrace {

// grparse -t. Watches the tracker, which sees an event before it is printed.
//
//	UN, I	since SUBMIT
//	D	since SUBMIT: in the queue
//	B	since COMMIT
//	E, FS	since START, told or inferred: on the hardware
//	C	since COMMIT, or PICK where no COMMIT is told
//	WX	since the task's WE
//
// Where the earlier record is missing there is no time.
class StepTimes : public JobWatcher {
public:
	// Before the tracker is fed with it.
	void expect(const Event &event)
	{
		event_ = &event;
		elapsed_ = Job::none;
	}
	// ns, Job::none where there is nothing to tell.
	uint64_t elapsed() const { return elapsed_; }

	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void executed(const Job &job) override;
	void waited(const Job &job, uint32_t pid, uint64_t from,
		    uint64_t to) override;

private:
	bool is_of(const Job &job) const;

	const Event *event_ = nullptr;
	uint64_t elapsed_ = Job::none;
};

} // namespace grtrace
