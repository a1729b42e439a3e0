// SPDX-License-Identifier: GPL-2.0
//
// DelaySplit: one job's wait, split among those who caused it.
//
//	SUBMIT      BLOCKED      BLOCKED       PICK          START
//	  |-- executing --|-- by A --|-- by B --|-- executing --|
//
// While a fence blocks the job, or one that its context queued before it, that
// fence's owner alone is charged. For the rest the owners of the jobs that
// executed on the ring then and were done when this one began are charged. A
// process that executed on several hardware queues at once is charged once, for
// its job with the greatest weight. Where several processes executed at once, they
// share that moment equally; so no more than the wait is ever charged. The rest is
// charged to "nobody".
//
// With sampling, an execution counts with its weight, as far as the wait is
// long enough.
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
	bool blocked = false; // mostly by its fence; else it executed
	uint64_t ns = 0;
};

// The job that caused most of a share.
struct DelayCause {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
};

// Used again for each job, so that nothing is allocated. Memory grows with
// processes.
class DelaySplit {
public:
	// blocked: in order, none overlaps another, there may be time between
	// them. ended: those that ended by
	// `start` at the latest. Both must outlive the next call of due_to().
	void split(uint64_t submit, uint64_t start, std::span<const BlockedSpan> blocked,
		   std::span<const Execution> ended);

	// None of them is empty; in no order. The sum is SUBMIT to START.
	const std::vector<DelayShare> &shares() const { return shares_; }
	uint64_t nobody() const { return nobody_; }
	// Goes through the wait again, because this is rarely asked.
	DelayCause due_to(const DelayShare &share) const;

private:
	// A time for which the wait is blocked, and how much is up to its end.
	struct Hold {
		uint64_t from = 0;
		uint64_t to = 0;
		uint64_t sum = 0;
	};
	using Wide = __uint128_t; // which all our compilers have

	// One process while the wait is gone through.
	struct Part {
		uint64_t wait = 0; // for which the rest is
		uint64_t covered_from = 0; // on the way down
		uint64_t blocked = 0;
		Wide executed = 0; // ns, or in parts of one
	};
	// Where an execution begins or ends.
	struct Edge {
		uint64_t ts;
		uint32_t process;
		uint32_t weight;
		bool ends;
	};
	// A process that executes at a moment: as its job of the greatest weight.
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
	std::vector<uint32_t> met_; // processes that have a part
	std::vector<DelayShare> shares_;
	std::vector<Edge> edges_;
	std::vector<Edge> executing_; // jobs, at a moment
	std::vector<Sharer> sharers_; // of that moment
	Wide executed_ = 0; // while anybody did
	bool mixed_ = false; // jobs of different weights
	uint64_t nobody_ = 0;
};

} // namespace grtrace
