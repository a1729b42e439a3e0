// SPDX-License-Identifier: GPL-2.0
//
// WaitSplit: assigns each ns of one job's wait to its root cause.
//
//	SUBMIT      BLOCKED       PICK   COMMIT          START
//	  |-- X ran --|-- by K ----|------|---- Y ran -----|
//	              K waited: |-- Z ran --|-- K ran --|
//
// While a fence blocks the job, or an earlier job of its context, the fence's job K is the cause
// while K ran; while K waited itself, the cause of K's wait is the cause, and so on to the end of
// the chain. A fence that only a DEP names also blocks, even if the scheduler has not checked it
// yet; among several such fences, the last one to be complete counts. In the remaining time, the
// job that ran on the ring is the cause. If several jobs ran, the cause is the one that ended
// last before this job began. The remaining time belongs to the steps of the job itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "read/stream/ring_map.h"
#include "words/data/spans.h"
#include "words/delays/blocked_window.h"
#include "words/delays/exec_window.h"
#include "words/findings/cause.h"
#include "words/findings/job_log.h"

namespace grtrace {

// A job's time on its ring, and the waiting that it caused: one cache line.
struct alignas(64) RingExecution {
	uint64_t start = 0;
	uint64_t end = 0;
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint32_t process = 0;
	uint32_t hang = 0; // number of the hang, from 1; 0: it did not hang
	// How jobs that waited depended on it.
	enum Role : uint8_t { other, own, dependency };
	std::array<uint64_t, 3> caused = {}; // ns, by role

	static Role role_of(CauseKind kind)
	{
		static constexpr std::array<Role, nr_cause_kinds> roles = [] {
			std::array<Role, nr_cause_kinds> all = {};

			all[static_cast<size_t>(CauseKind::own_queue)] = own;
			all[static_cast<size_t>(CauseKind::dependency)] = dependency;
			return all;
		}();

		return roles[static_cast<size_t>(kind)];
	}
};

// The remembered past of a ring.
struct WaitRing {
	ExecWindow<RingExecution> executions;
	BlockedWindow fences;
	BlockedWindow needs; // waits for fences in DEPs that held jobs, kept until they are over
	bool is_virtual = false; // a host executes its jobs
	bool is_mixed = false; // a job need not wait for others of it: they may be another GPU's
	bool ended = false; // a job left it
	uint64_t longest = 0; // time of one there; of a host's, from SUBMIT on
};

// The caller owns and fills the rings, the jobs and the losses.
class WaitSplit {
public:
	// A longer chain is not followed.
	static constexpr size_t deepest = 16;

	using Rings = RingMap<std::unique_ptr<WaitRing>>; // nullptr: none

	// All arguments must outlive it.
	WaitSplit(Rings &rings, JobLog &jobs, const LossSpans &losses)
		: rings_(rings), jobs_(jobs), losses_(losses)
	{
	}

	// Splits the time from SUBMIT to START; both times must be known. The sink's
	// intervals cover exactly that time, without gaps or overlaps.
	void split(const WaitingJob &job, CauseSink &sink);

private:
	void wait(const WaitingJob &job, uint64_t from, uint64_t to);
	void wait_seen(const WaitingJob &job, uint64_t from, uint64_t to);
	uint64_t blocked(const WaitingJob &job, const BlockedSpan &by, uint64_t from, uint64_t to);
	uint64_t behind(const WaitingJob &on, uint64_t from, uint64_t to);
	void ran(const WaitingJob &on, uint64_t from, uint64_t to);
	void queued(const WaitingJob &job, uint64_t from, uint64_t to);
	void on_ring(const WaitingJob &job, uint64_t from, uint64_t to);
	static uint64_t handed_over_by(const WaitingJob &job);
	void idle(const WaitingJob &job, uint64_t from, uint64_t to);
	void charge(CauseKind kind, const WaitingJob &root, uint64_t from, uint64_t to,
		    RingExecution *execution = nullptr);
	void charge_execution(const WaitingJob &job, RingExecution &execution, uint64_t from,
			      uint64_t to);
	WaitRing *ring_of(const WaitingJob &job) const
	{
		const std::unique_ptr<WaitRing> *known = rings_.find(job.name.ring);

		return known ? known->get() : nullptr;
	}

	Rings &rings_;
	JobLog &jobs_;
	const LossSpans &losses_;
	CauseSink *sink_ = nullptr;
	std::vector<JobName> via_;
	// One vector for each job of a chain, so that nothing is allocated.
	std::vector<std::vector<BlockedSpan>> spans_;
	std::vector<BlockedSpan> needs_;
	size_t depth_ = 0;
};

} // namespace grtrace
