// SPDX-License-Identifier: GPL-2.0
//
// JobWatcher: what happens to jobs, while it happens.
#pragma once

#include <cstdint>

#include "read/jobs/job.h"

namespace grtrace {

// A JobSink sees a job when all is over; a watcher sees each step when its
// record comes, in the order of the events. Times are ns of the session's
// clock. They may be a little older than those of earlier calls: CPUs take
// their time before their sequence number.
class JobWatcher {
public:
	virtual ~JobWatcher() = default;

	// The watcher of moves, executions and steps; nullptr: none. These calls are
	// frequent, so a watcher that does not want them, or only passes them on,
	// does not get them.
	virtual JobWatcher *watcher_of_moves() { return this; }
	virtual JobWatcher *watcher_of_executions() { return this; }
	virtual JobWatcher *watcher_of_steps() { return nullptr; }

	// job.phase is the new phase. A job that leaves without COMPLETE also
	// moves to over.
	virtual void moved(const Job &job, JobPhase from, uint64_t ts) = 0;

	// The step that a record of a job reports, in the order of the records.
	virtual void stepped(const Job &, JobPhase, uint64_t) {}

	// A dependency was recorded, by the ctx and seqno of its fence; and the
	// job that owns the fence, nullptr if that is not in flight or there is
	// none.
	virtual void depends(const Job &, uint64_t, uint32_t, const Job *) {}

	// The job was blocked between the two times: from one BLOCKED to the
	// next, or to its end. The fence is that of job.blocker_*.
	virtual void blocked(const Job &, uint64_t, uint64_t) {}

	// Its START and job.left_ts() are final. Called once for each job, for
	// those of a ring in the order in which they left it. A job that never left its ring, or
	// that the hardware never had, comes when the tracker hands it out.
	virtual void executed(const Job &) {}

	// A task waited for the job: its pid, from, to.
	virtual void waited(const Job &, uint32_t, uint64_t, uint64_t) {}
	// A task waited for a fence: the fence's job, or nullptr if that is not
	// known any more; ctx and seqno of the fence, pid, from, to. waited()
	// follows where there is a job.
	virtual void waited_for_fence(const Job *, uint64_t, uint32_t, uint32_t, uint64_t, uint64_t)
	{
	}

	// Records were lost between these times. From here on all jobs in
	// flight are unseen until their next record.
	virtual void lost(uint64_t, uint64_t) {}
};

} // namespace grtrace
