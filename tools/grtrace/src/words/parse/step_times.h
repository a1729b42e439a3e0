// SPDX-License-Identifier: GPL-2.0
//
// StepTimes: the time from a job's previous step to the event being printed.
#pragma once

#include <cstdint>

#include "read/stream/event.h"
#include "words/tracker/job_watcher.h"

namespace grtrace {

// For grparse -t. Watches the tracker, which receives an event before it is printed.
//
//	UN, I	since SUBMIT: in the queue
//	D	since PICK, or SUBMIT where no PICK is recorded
//	B	since COMMIT
//	E, FS	since START, recorded or inferred: on the hardware
//	C	since COMMIT, or PICK where no COMMIT is recorded
//	WX	since the task's WE
//
// If the record of the previous step is missing, there is no time.
class StepTimes : public JobWatcher {
public:
	// To be called before the tracker gets the next event.
	void expect(const Event &event)
	{
		type_ = event.type;
		elapsed_ = Job::none;
	}
	// Returns ns, or Job::none if it is not known.
	uint64_t elapsed() const { return elapsed_; }

	JobWatcher *watcher_of_moves() override { return nullptr; }
	JobWatcher *watcher_of_executions() override { return nullptr; }
	JobWatcher *watcher_of_steps() override { return this; }
	void moved(const Job &, JobPhase, uint64_t) override {}
	void stepped(const Job &job, JobPhase what, uint64_t ts) override;
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override;

private:
	uint16_t type_ = 0;
	uint64_t elapsed_ = Job::none;
};

} // namespace grtrace
