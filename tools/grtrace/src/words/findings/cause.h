// SPDX-License-Identifier: GPL-2.0
//
// Cause: the reason why a job waited during an interval.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/tracker/job.h"

namespace grtrace {

// The kinds of reasons. Their order has no meaning.
enum class CauseKind : uint8_t {
	hang, // a job that ran until its timeout, or was found hanging
	own_queue, // jobs of its own process ran on the ring
	other_process, // jobs of another process ran on the ring
	unknown_process, // a job of an unknown process ran on the ring
	dependency, // a job ran on whose fence it depends
	host, // the host of a virtual machine had a job of the ring
	scheduler, // nothing held it back, but it was not picked
	driver, // it was picked, but not yet handed to the ring
	hardware, // the ring had it and was idle, but did not begin
	completion, // its dependency had ended, but was not yet complete
	late_submit, // its dependency was not yet submitted
	late_wake, // not a job: a task ran only long after the COMPLETE that it waited for
	reset, // the ring was reset and got it again
	fence, // a fence that belongs to no recorded job
	loss, // records were lost
	unknown, // no record says what the job did
	forgotten, // a longer chain, or more jobs at a time, than is followed
	not_over, // not over when the capture ended: see NotOver; in no sum
};
constexpr size_t nr_cause_kinds = 18;

// Returns one word, for programs.
const char *cause_word(CauseKind kind);

struct JobName {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint32_t ring = GRTRACE_RING_NONE;

	bool operator==(const JobName &) const = default;
};

// The facts about a finished job that are needed to find the causes of its wait. Times are
// as in Job.
struct WaitingJob {
	JobName name;
	uint32_t process = 0; // number in a ProcessList
	uint64_t submit = Job::none;
	uint64_t pick = Job::none;
	uint64_t commit = Job::none; // of the first COMMIT
	uint64_t last_commit = Job::none;
	uint64_t start = Job::none;
	uint64_t left = Job::none; // when it left its ring
	uint64_t complete = Job::none;
	uint32_t weight = 1;
	bool touched = false; // records were lost while it was in flight
	bool ignored = false; // its waiting does not count

	WaitingJob() = default;
	WaitingJob(const Job &job, uint32_t of_process)
		: name({job.ctx, job.seqno, job.ring}), process(of_process), submit(job.submit_ts),
		  pick(job.pick_ts), commit(job.commit_ts), last_commit(job.last_commit_ts),
		  start(job.start_ts), left(job.left_ts()), complete(job.complete_ts),
		  weight(job.weight), touched(job.touched)
	{
	}
	// Returns false if a step is recorded long before the job's first one: then the
	// times are damaged and count as unknown.
	bool in_order() const
	{
		constexpr uint64_t slack = 1000000; // CPUs read the clock before they write
		uint64_t last = 0;
		bool late = false;

		// A branch on each step would cost more than all comparisons.
#pragma GCC unroll 5
		for (const uint64_t step : {submit, pick, start, left, complete}) {
			late |= (last > step) & (last - step > slack);
			last = std::max(last, step == Job::none ? 0 : step);
		}
		return !late && (last_commit == Job::none || pick == Job::none ||
				 last_commit >= pick || pick - last_commit <= slack);
	}
	// Returns when the job began or, if it never began, when it was
	// discarded.
	uint64_t waited_until() const { return start != Job::none ? start : complete; }
};

struct RingExecution;

// The reason why a job waited between two times.
struct Cause {
	CauseKind kind = CauseKind::unknown;
	uint64_t from = 0;
	uint64_t to = 0;
	uint32_t ring = GRTRACE_RING_NONE; // the ring of the root
	uint32_t process = 0; // the process of the root
	JobName root = {}; // the job that caused it, 0:0 if there is none
	RingExecution *execution = nullptr; // the root's execution, if it is remembered
};

// Receives the causes of one job's wait, interval by interval.
class CauseSink {
public:
	virtual ~CauseSink() = default;
	// via: the job that waited, then the jobs on the way to the root.
	virtual void charge(const Cause &cause, const std::vector<JobName> &via) = 0;
	// A task of cause.process waited for the job, which was complete at cause.from, and
	// ran again at cause.to.
	virtual void charge_wake(const Cause &, uint32_t) {}
	// The execution is too old to be charged with more time.
	virtual void retire(uint32_t, const RingExecution &) {}
};

} // namespace grtrace
