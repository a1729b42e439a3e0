// SPDX-License-Identifier: GPL-2.0
//
// JobWatcher: receives each step of a job as it happens.
#pragma once

#include <cstdint>

#include "words/tracker/job.h"

namespace grtrace {

// A JobSink receives a job when it is over; a watcher receives each step when its record
// comes, in the order of the events. Times are ns of the session's clock. Times may be
// slightly older than the times of earlier calls, because CPUs read the clock before they
// get a sequence number.
class JobWatcher {
public:
	virtual ~JobWatcher() = default;

	// Return the watcher that receives moves, executions or steps; nullptr if these
	// are not wanted. These calls are frequent, so a watcher that does not need them,
	// or only forwards them, is left out.
	virtual JobWatcher *watcher_of_moves() { return this; }
	virtual JobWatcher *watcher_of_executions() { return this; }
	virtual JobWatcher *watcher_of_steps() { return nullptr; }

	// job.phase is the new phase. A job that ends without COMPLETE also moves to over.
	virtual void moved(const Job &job, JobPhase from, uint64_t ts) = 0;

	// Receives the step that a record of a job reports, in the order of the records.
	virtual void stepped(const Job &, JobPhase, uint64_t) {}

	// A dependency was recorded. The arguments are the ctx and seqno of its fence, and
	// the job that owns the fence; that is nullptr if it is not in flight or does not
	// exist.
	virtual void depends(const Job &, uint64_t, uint32_t, const Job *) {}

	// The job was blocked between the two times: from one BLOCKED to the next, or to
	// its PICK. The fence is in job.blocker_*.
	virtual void blocked(const Job &, uint64_t, uint64_t) {}

	// START and job.left_ts() of the job are final. Called once for each job; the jobs of a
	// ring come in the order in which they left it. A job that never left its ring, or that
	// the hardware never had, comes when the tracker passes it to the sink.
	virtual void executed(const Job &) {}

	// A task waited for the job. The arguments are its pid and the two times.
	virtual void waited(const Job &, uint32_t, uint64_t, uint64_t) {}
	// A task waited for a fence. The arguments are the job of the fence, or nullptr if
	// it is no longer known; ctx and seqno of the fence, the pid and the two times.
	// waited() follows if there is a job.
	virtual void waited_for_fence(const Job *, uint64_t, uint32_t, uint32_t, uint64_t, uint64_t)
	{
	}

	// A task still waits for a fence when the capture ends. The arguments are the job of the
	// fence, or nullptr if there is none in flight, ctx and seqno of the fence, the pid and
	// since when it waits. Comes before the jobs that are in flight then.
	virtual void still_waits(const Job *, uint64_t, uint32_t, uint32_t, uint64_t) {}

	// Records were lost between these times. All jobs in flight are unseen from here
	// on, until their next record.
	virtual void lost(uint64_t, uint64_t) {}

	// No job that is yet to be passed to the sink has a record before this time.
	// Spans that ended before it need not be remembered.
	virtual void forget_before(uint64_t) {}
};

} // namespace grtrace
