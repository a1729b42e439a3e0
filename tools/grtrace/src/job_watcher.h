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

	// job.phase is the new phase. A job that leaves without COMPLETE moves
	// to over, too.
	virtual void moved(const Job &job, JobPhase from, uint64_t ts) = 0;

	// A dependency was told. on is the job whose fence it is, nullptr if
	// that is not in flight or no job's.
	virtual void depends(const Job &, uint64_t ctx, uint32_t seqno,
			     const Job *on)
	{
		(void)ctx, (void)seqno, (void)on;
	}

	// From one BLOCKED to the next, or to the end of being blocked. The
	// fence is that of job.blocker_*.
	virtual void blocked(const Job &, uint64_t from, uint64_t to)
	{
		(void)from, (void)to;
	}

	// All of its execution is known, START told or inferred; once a job.
	// What is known of it later (COMPLETE, waits) is still missing.
	virtual void executed(const Job &) {}

	// A task waited for the job.
	virtual void waited(const Job &, uint32_t pid, uint64_t from,
			    uint64_t to)
	{
		(void)pid, (void)from, (void)to;
	}

	// Records were lost between these times. From here on all jobs in
	// flight are unseen until their next record.
	virtual void lost(uint64_t from, uint64_t to) { (void)from, (void)to; }
};

} // namespace grtrace
