// SPDX-License-Identifier: GPL-2.0
//
// Job: one submission from its first record to its last.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "lib/text/duration.h"
#include "read/stream/event.h"

namespace grtrace {

// The state of a job. A job whose source reports fewer events skips states. A job
// never goes back to an earlier state, except to committed when it is handed over
// again.
enum class JobPhase : uint8_t {
	unseen, // no record yet, or records were lost since the last one
	queued, // SUBMIT
	blocked, // BLOCKED, not yet picked
	picked, // PICK
	committed, // COMMIT
	started, // START
	ended, // END
	over, // COMPLETE, or it ended in another way
};

// Passive data, filled by the JobTracker. Times are ns of the session's clock, or none if
// they are in no record.
struct Job {
	static constexpr uint64_t none = no_time;
	static constexpr uint32_t nr_error_kinds = 8; // 7 are known

	// Members that nearly each record needs come first; JobTracker::Slot says why.
	uint64_t ctx = 0;
	uint64_t seqno = 0; // widened
	uint32_t ring = GRTRACE_RING_NONE;
	JobPhase phase = JobPhase::unseen;
	uint8_t error_kinds = 0; // bit n: an ERROR of kind n; the last bit: any other kind
	uint8_t hand_overs = 0; // number of COMMITs; a reset adds one
	uint8_t completes = 0; // number of COMPLETEs; a second one is a bug in the driver
	bool failed = false; // its error is not 0
	bool preempted = false; // the ring left it before its end
	bool start_inferred = false; // computed from other times, not recorded
	bool time_inferred = false; // a record is flagged as having a derived time
	bool slow_queue : 1 = false; // a record has the flag
	bool slow_exec : 1 = false;
	bool cut : 1 = false; // some of its records were left out when the sampling changed
	bool has_out_fence : 1 = false; // SUBMIT named a fence that completes it
	bool touched : 1 = false; // records were lost while it was in flight
	bool handed_over : 1 = false; // the hardware got it
	bool settled : 1 = false; // START and the time it left the ring are final
	bool begun_before : 1 = false; // it began before the capture
	bool overtaken : 1 = false; // a later job of its context left first
	bool at_end : 1 = false; // it was in flight when the capture ended
	bool ring_tells_commit : 1 =
		false; // whether its ring reports COMMIT, as known when it left
	bool ring_tells_preempted : 1 =
		false; // whether its ring reports preemptions, as known at its END or COMPLETE
	uint32_t pid = 0; // of SUBMIT
	uint32_t weight = 1; // jobs that it represents, from its first record
	uint16_t priority = 0; // of SUBMIT, + 1; 0: not known
	uint16_t credits = 0; // of PICK; 0: not known
	// The job's number, unique among jobs in flight; a later job may reuse it.
	uint32_t slot = 0;

	uint64_t submit_ts = none;
	uint64_t pick_ts = none;
	uint64_t commit_ts = none; // of the first COMMIT
	uint64_t last_commit_ts = none;
	uint64_t start_ts = none;
	uint64_t end_ts = none;
	uint64_t complete_ts = none;
	// When the previous job on the ring left it.
	uint64_t previous_left_ts = none;

	uint64_t blocked_ts = none; // of the first BLOCKED
	// The fence of the last BLOCKED, 0:0 if there was none, and the pid from the SUBMIT
	// of the job that owns the fence, 0 if it is not known.
	uint64_t blocker_ctx = 0;
	uint32_t blocker_seqno = 0;
	uint32_t blocker_pid = 0;
	uint64_t blocker_since = 0; // when that fence began to block it
	// When a later job of its context was complete, if nothing shows when this one was:
	// fences of a context are signalled in order, so it was over by then.
	uint64_t passed_ts = none;
	// Since when a job that is at_end has had the ring, recorded or inferred.
	uint64_t has_ring_since = none;

	uint64_t client = 0; // DRM client, 0: not known

	uint64_t wait_ns = 0; // sum of the tasks' SYNC_WAITs for this job
	uint32_t waits = 0;
	uint32_t dependencies = 0;
	int32_t error = 0; // -errno or the device's code
	int32_t complete_error = 0; // from COMPLETE: 0 or -errno
	uint64_t error_ts = none; // of the first ERROR
	uint32_t guilty_pid = 0; // task to blame, from the first ERROR that names one

	// Returns whether it ran until its timeout.
	bool timed_out() const
	{
		return error_kinds & 1 << GRTRACE_ERROR_TIMEOUT || error == -ETIME ||
		       error == -ETIMEDOUT;
	}
	// Returns whether it ran until its timeout, or was found hanging.
	bool hung() const { return error_kinds & 1 << GRTRACE_ERROR_HANG || timed_out(); }

	uint32_t seqno_low() const { return static_cast<uint32_t>(seqno); }

	bool complete() const { return complete_ts != none; }
	// The job is complete or, if it has no fence, at least ended.
	bool over() const { return complete() || end_ts != none; }
	// Returns when it left its ring: at END, or at COMPLETE if no record has the END.
	// COMPLETE only counts if the hardware had the job.
	uint64_t left_ts() const
	{
		if (end_ts != none)
			return end_ts;
		return handed_over ? complete_ts : none;
	}
	// Returns when it had left all queues at the latest, if it was there no longer when the
	// capture ended.
	uint64_t over_by() const { return std::min(gone_ts(), passed_ts); }
	// Returns the time of its first record, BLOCKED excluded; none if there is none.
	uint64_t first_ts() const
	{
		return std::min({submit_ts, pick_ts, commit_ts, start_ts, end_ts, complete_ts});
	}
	// Returns when it had left all queues, of software and hardware.
	uint64_t gone_ts() const { return left_ts() == none ? complete_ts : left_ts(); }

	// Returns b - a, or none if one is missing or they are in the wrong order.
	static uint64_t between(uint64_t a, uint64_t b)
	{
		// none is greater than any time.
		return b == none || b < a ? none : b - a;
	}

	uint64_t submit_to_commit() const { return between(submit_ts, commit_ts); }
	// Returns the time until a reset handed the job over again; none without a reset.
	uint64_t reset() const
	{
		return hand_overs > 1 ? between(commit_ts, last_commit_ts) : none;
	}
	// Returns the time in the hardware's own queue. On a ring without COMMIT, PICK is
	// the CPU's last step.
	uint64_t dispatch() const
	{
		return between(ring_tells_commit ? last_commit_ts : pick_ts, start_ts);
	}
	uint64_t queue() const { return between(submit_ts, start_ts); }
	uint64_t exec() const { return between(start_ts, end_ts); }
	uint64_t completion() const { return between(end_ts, complete_ts); }
	uint64_t total() const { return between(submit_ts, complete_ts); }
	// Returns for how long the scheduler reported the job as blocked by a fence.
	uint64_t blocked() const { return between(blocked_ts, pick_ts); }
	// Returns the time of all waiting: of tasks for the job, and of the job for a
	// fence.
	uint64_t gpu_wait() const
	{
		uint64_t blocked_ns = blocked();

		if (!waits && blocked_ns == none)
			return none;
		return wait_ns + (blocked_ns == none ? 0 : blocked_ns);
	}
};

// Receives each job once, when no more records of it can come.
class JobSink {
public:
	virtual ~JobSink() = default;
	virtual void job(const Job &job) = 0;
};

} // namespace grtrace
