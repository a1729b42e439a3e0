// SPDX-License-Identifier: GPL-2.0
//
// JobWatcher: what happens to jobs, while it happens.
#pragma once

#include <cstdint>

#include "job.h"

namespace grtrace {

// A JobSink sees a job when all is over; a watcher sees each step when its
// record comes, in the order of the events. Times are ns of the session's
// clock. They may be a little older than those of earlier calls: CPUs take
// their time before their sequence number.
class JobWatcher {
public:
	virtual ~JobWatcher() = default;

	// Who is told of moves and of executions, nullptr: nobody. Both are
	// many, so a watcher that does not want them, or only hands them on to
	// another one, is spared them.
	virtual JobWatcher *watcher_of_moves() { return this; }
	virtual JobWatcher *watcher_of_executions() { return this; }

	// job.phase is the new phase. A job that leaves without COMPLETE moves
	// to over, too.
	virtual void moved(const Job &job, JobPhase from, uint64_t ts) = 0;

	// A dependency was told, by the ctx and seqno of its fence; with the
	// job whose fence it is, nullptr if that is not in flight or no job's.
	virtual void depends(const Job &, uint64_t, uint32_t, const Job *) {}

	// From one BLOCKED to the next, or to the end of being blocked: the two
	// times. The fence is that of job.blocker_*.
	virtual void blocked(const Job &, uint64_t, uint64_t) {}

	// All of its execution is known, START told or inferred; once a job.
	// What is known of it later (COMPLETE, waits) is still missing.
	virtual void executed(const Job &) {}

	// A task waited for the job: its pid, from, to.
	virtual void waited(const Job &, uint32_t, uint64_t, uint64_t) {}

	// Records were lost between these times. From here on all jobs in
	// flight are unseen until their next record.
	virtual void lost(uint64_t, uint64_t) {}
};

} // namespace grtrace
