// SPDX-License-Identifier: GPL-2.0
//
// DelaySplit: divides the wait of one job among the processes that caused it.
//
//	SUBMIT      BLOCKED      BLOCKED       PICK          START
//	  |-- executing --|-- by A --|-- by B --|-- executing --|
//
// While a fence blocks the job, or an earlier job of its context, only the owner of the
// fence is charged. The rest is charged to the owners of the jobs that executed on the ring
// at that time and had ended when this job began. A process that executed on several
// hardware queues at once is charged only once, for its job with the greatest weight. If
// several processes executed at once, they share the time equally, so the sum never exceeds
// the wait. The remaining time is charged to "nobody".
//
// With sampling, an execution counts with its weight, but never for more than the whole
// wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "words/delays/blocked_window.h"
#include "words/delays/exec_window.h"

namespace grtrace {

// The time that a process is charged with.
struct DelayShare {
	uint32_t process = 0;
	bool blocked = false; // mostly by its fence; false: it executed
	uint64_t ns = 0;
};

// The job that caused most of a share.
struct DelayCause {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
};

// Reused for each job, so that nothing is allocated. Memory grows with processes.
class DelaySplit {
public:
	// blocked: in order and without overlaps, but perhaps with gaps. ended: executions
	// that ended before or at `start`. Both must outlive the next call of due_to().
	void split(uint64_t submit, uint64_t start, std::span<const BlockedSpan> blocked,
		   std::span<const Execution> ended);

	// Returns the shares in no order. No share is empty; together they are the time
	// from SUBMIT to START.
	const std::vector<DelayShare> &shares() const { return shares_; }
	uint64_t nobody() const { return nobody_; }
	// Computes the split again, because this is rarely called.
	DelayCause due_to(const DelayShare &share) const;

private:
	// An interval in which the job was blocked, and the sum of such time up to its end.
	struct Hold {
		uint64_t from = 0;
		uint64_t to = 0;
		uint64_t sum = 0;
	};
	using Wide = __uint128_t; // all supported compilers have it

	// A process while the wait is being split.
	struct Part {
		uint64_t wait = 0; // the wait that remains for it
		uint64_t covered_from = 0; // while going backwards in time
		uint64_t blocked = 0;
		Wide executed = 0; // ns, or fractions of ns
	};
	// The beginning or end of an execution.
	struct Edge {
		uint64_t ts;
		uint32_t process;
		uint32_t weight;
		bool ends;
	};
	// A process that executes at a moment, with its job of the greatest weight.
	struct Sharer {
		uint32_t process;
		uint32_t weight;
	};

	Part &part_of(uint32_t process);
	Part &new_part(uint32_t process);
	uint64_t free_before(uint64_t ts) const;
	template <typename Wants, typename Fn> void for_each_executed(Wants wants, Fn fn) const;
	void add_executed();
	bool shares_moments() const;
	void share_moments();
	void turn(const Edge &edge);
	void share_out(uint64_t executed);

	uint64_t submit_ = 0;
	uint64_t start_ = 0;
	std::span<const BlockedSpan> blocked_;
	std::span<const Execution> ended_;
	std::vector<Hold> holds_;

	uint64_t nr_waits_ = 0;
	std::vector<Part> parts_; // by process
	std::vector<uint32_t> met_; // processes with a part
	std::vector<DelayShare> shares_;
	std::vector<Edge> edges_;
	std::vector<Edge> executing_; // jobs at a moment
	std::vector<Sharer> sharers_; // processes at that moment
	Wide executed_ = 0; // time in which any job executed
	bool mixed_ = false; // jobs have different weights
	uint64_t nobody_ = 0;
};

} // namespace grtrace
