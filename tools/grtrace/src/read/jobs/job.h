// SPDX-License-Identifier: GPL-2.0
//
// Job: one submission from its first record to its last.
#pragma once

#include <cstdint>

#include "read/stream/event.h"

namespace grtrace {

// The state of a job. A source that reports less skips steps; none goes back, but
// to committed when the job is handed over again.
enum class JobPhase : uint8_t {
	unseen, // no record yet, or records were lost since the last one
	queued, // SUBMIT
	blocked, // BLOCKED, not yet picked
	picked, // PICK
	committed, // COMMIT
	started, // START
	ended, // END
	over, // COMPLETE, or it left for another reason
};

// Passive data, filled by the JobTracker. Times are ns of the session's clock,
// none where no record has it.
struct Job {
	static constexpr uint64_t none = UINT64_MAX;
	static constexpr uint32_t no_arg = UINT32_MAX;
	static constexpr uint32_t nr_error_kinds = 8; // 7 are known

	// Members that nearly each record needs come first: see JobTracker::Slot.
	uint64_t ctx = 0;
	uint64_t seqno = 0; // widened
	uint32_t ring = GRTRACE_RING_NONE;
	JobPhase phase = JobPhase::unseen;
	uint8_t error_kinds = 0; // bit n: an ERROR of kind n, the last: other
	uint8_t hand_overs = 0; // COMMITs: several after a reset
	uint8_t completes = 0; // COMPLETEs: a second one is a driver's fault
	bool failed = false; // its error is not 0
	bool preempted = false; // the ring left it before its end
	bool start_inferred = false; // not recorded: worked out from others
	bool time_inferred = false; // a record said its own time is derived
	bool slow_queue : 1 = false; // a record was marked so
	bool slow_exec : 1 = false;
	bool cut : 1 = false; // a change of sampling left records of it out
	bool has_out_fence : 1 = false; // SUBMIT named a fence that completes it
	bool touched : 1 = false; // records were lost while it was in flight
	bool handed_over : 1 = false; // the hardware had it
	bool settled : 1 = false; // START, and when it left, are final
	bool begun_before : 1 = false; // the capture
	bool ring_tells_commit : 1 = false; // when it left
	bool ring_tells_preempted : 1 = false; // at its END, or its COMPLETE
	uint32_t pid = 0; // of SUBMIT
	uint32_t weight = 1; // jobs it stands for, of its first record
	uint32_t arg = no_arg; // of SUBMIT, else PICK: credits or a command
	// Its number, unique among jobs in flight; a later job may get it.
	uint32_t slot = 0;

	uint64_t submit_ts = none;
	uint64_t pick_ts = none;
	uint64_t commit_ts = none; // the first
	uint64_t last_commit_ts = none;
	uint64_t start_ts = none;
	uint64_t end_ts = none;
	uint64_t complete_ts = none;
	// When the job that was on the ring before this one left it.
	uint64_t previous_left_ts = none;

	uint64_t blocked_ts = none; // first BLOCKED
	// The fence of the last BLOCKED, 0:0 if there was none, and the pid of
	// the SUBMIT of the job behind it, 0 where that is not known.
	uint64_t blocker_ctx = 0;
	uint32_t blocker_seqno = 0;
	uint32_t blocker_pid = 0;

	uint64_t client = 0; // DRM client, 0: not known

	uint64_t wait_ns = 0; // sum of tasks' SYNC_WAITs for it
	uint32_t waits = 0;
	uint32_t dependencies = 0;
	int32_t error = 0; // -errno or the device's code
	int32_t complete_error = 0; // COMPLETE's: 0 or -errno

	uint32_t seqno_low() const { return static_cast<uint32_t>(seqno); }

	bool complete() const { return complete_ts != none; }
	// Complete or, where no fence completes it, at least ended.
	bool over() const { return complete() || end_ts != none; }
	// When it left its ring: COMPLETE stands for an END that no record has,
	// but only if the hardware had the job at all.
	uint64_t left_ts() const
	{
		if (end_ts != none)
			return end_ts;
		return handed_over ? complete_ts : none;
	}
	// When it had left all queues, of software and hardware.
	uint64_t gone_ts() const { return left_ts() == none ? complete_ts : left_ts(); }

	// b - a, or none if one is missing or they are in the wrong order.
	static uint64_t between(uint64_t a, uint64_t b)
	{
		// A missing value is the greatest of all.
		return b == none || b < a ? none : b - a;
	}

	uint64_t submit_to_commit() const { return between(submit_ts, commit_ts); }
	// Until a reset handed it over again; none without a reset.
	uint64_t reset() const
	{
		return hand_overs > 1 ? between(commit_ts, last_commit_ts) : none;
	}
	// In the hardware's own queue. On a ring without COMMIT, PICK is the
	// CPU's last step.
	uint64_t dispatch() const
	{
		return between(ring_tells_commit ? last_commit_ts : pick_ts, start_ts);
	}
	uint64_t queue() const { return between(submit_ts, start_ts); }
	uint64_t exec() const { return between(start_ts, end_ts); }
	uint64_t completion() const { return between(end_ts, complete_ts); }
	uint64_t total() const { return between(submit_ts, complete_ts); }
	// Time for which the scheduler reported it as blocked by a fence.
	uint64_t blocked() const { return between(blocked_ts, pick_ts); }
	// Time that someone waited: tasks for the job, the job for a fence.
	uint64_t gpu_wait() const
	{
		uint64_t blocked_ns = blocked();

		if (!waits && blocked_ns == none)
			return none;
		return wait_ns + (blocked_ns == none ? 0 : blocked_ns);
	}
};

// Takes each job once, when nothing more can come for it.
class JobSink {
public:
	virtual ~JobSink() = default;
	virtual void job(const Job &job) = 0;
};

} // namespace grtrace
