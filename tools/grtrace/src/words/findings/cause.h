// SPDX-License-Identifier: GPL-2.0
//
// Cause: what a job waited for in an interval.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "read/jobs/job.h"

namespace grtrace {

// The cause to blame. The order has no meaning.
enum class CauseKind : uint8_t {
	hang, // a job that ran until its timeout, or was found hanging
	own_queue, // jobs of its own process ran on the ring
	other_process, // jobs of another process did
	unknown_process, // a job did, and no record says whose
	dependency, // a job ran whose fence it had to wait for
	host, // the host of a virtual machine had a job of the ring
	scheduler, // nothing held it, and it was not picked
	driver, // picked, and not yet handed to the ring
	hardware, // the ring had it, was idle, and did not begin
	completion, // what it depends on had ended, and was not yet complete
	late_submit, // what it depends on was not yet submitted
	reset, // the ring was reset and got it once more
	fence, // of no job that was recorded
	loss, // records were lost
	untold, // no record says what it did
	forgotten, // more jobs at a time than are remembered
};
constexpr size_t nr_cause_kinds = 16;

// One word, for programs.
const char *cause_word(CauseKind kind);

struct JobName {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint32_t ring = GRTRACE_RING_NONE;

	bool operator==(const JobName &) const = default;
};

// The facts about a finished job that are needed to find what it waited for.
// Times as in Job.
struct WaitingJob {
	JobName name;
	uint32_t process = 0; // number of a ProcessList
	uint64_t submit = Job::none;
	uint64_t pick = Job::none;
	uint64_t commit = Job::none; // the first
	uint64_t last_commit = Job::none;
	uint64_t start = Job::none;
	uint64_t left = Job::none; // its ring
	uint64_t complete = Job::none;
	uint32_t weight = 1;
	bool touched = false; // records were lost while it was in flight

	WaitingJob() = default;
	WaitingJob(const Job &job, uint32_t of_process)
		: name({job.ctx, job.seqno, job.ring}), process(of_process), submit(job.submit_ts),
		  pick(job.pick_ts), commit(job.commit_ts), last_commit(job.last_commit_ts),
		  start(job.start_ts), left(job.left_ts()), complete(job.complete_ts),
		  weight(job.weight), touched(job.touched)
	{
	}
	// If a step is recorded long before the job's first one, its times are damaged
	// and unknown.
	bool in_order() const
	{
		constexpr uint64_t slack = 1000000; // CPUs take their time before they write
		uint64_t last = 0;

		for (const uint64_t step : {submit, pick, start, left, complete})
			if (step != Job::none) {
				if (step < last && last - step > slack)
					return false;
				last = std::max(last, step);
			}
		return last_commit == Job::none || pick == Job::none || last_commit >= pick ||
		       pick - last_commit <= slack;
	}
	// It waited until it began or, if it never did, was discarded.
	uint64_t waited_until() const { return start != Job::none ? start : complete; }
};

struct RingExecution;

// From one time to another the job waited for this.
struct Cause {
	CauseKind kind = CauseKind::untold;
	uint64_t from = 0;
	uint64_t to = 0;
	uint32_t ring = GRTRACE_RING_NONE; // where that was
	uint32_t process = 0; // whose job
	JobName root = {}; // that job, 0:0 if there is none
	RingExecution *execution = nullptr; // of the root, if it is remembered
};

// Takes the causes of one job's wait, interval by interval.
class CauseSink {
public:
	virtual ~CauseSink() = default;
	// via: the job that waited, then those on the way to the root.
	virtual void charge(const Cause &cause, const std::vector<JobName> &via) = 0;
	// It is too old to be charged with more.
	virtual void retire(uint32_t, const RingExecution &) {}
};

} // namespace grtrace
