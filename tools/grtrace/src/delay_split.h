// SPDX-License-Identifier: GPL-2.0
//
// DelaySplit: one job's wait, split among those who caused it.
//
//	SUBMIT      BLOCKED      BLOCKED       PICK          START
//	  |-- executing --|-- by A --|-- by B --|-- executing --|
//
// While a fence blocks the job, that fence's owner is charged, and nobody else.
// In the rest, the owners of the jobs that executed on the ring then and were
// done when this one began. What a process executed on several hardware queues
// at once counts once. If several processes executed at once, they share the
// time in which anything did in proportion to what each executed; so no more
// than the wait is ever charged. What remains is nobody's.
//
// An execution that stands for several (sampling) counts so many times, as far
// as there is room in the wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec_window.h"

namespace grtrace {

// From BLOCKED to the next one, or to the end of being blocked.
struct BlockedSpan {
	uint64_t from = 0;
	uint64_t to = 0;
	uint64_t ctx = 0; // of the fence
	uint64_t seqno = 0;
	uint32_t process = 0; // its owner
};

// What a process is charged with, and its job that most of it is due to.
struct DelayShare {
	uint32_t process = 0;
	uint64_t ns = 0;
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	bool blocked = false; // by its fence; else it executed
};

// Used again for each job, so that nothing is allocated. Memory grows with
// processes.
class DelaySplit {
public:
	// blocked: in order, none overlaps another. ended: those that ended by
	// `start` at the latest.
	void split(uint64_t submit, uint64_t start,
		   std::span<const BlockedSpan> blocked,
		   std::span<const Execution> ended);

	// None of them is empty; in no order. The sum is SUBMIT to START.
	const std::vector<DelayShare> &shares() const { return shares_; }
	uint64_t nobody() const { return nobody_; }

private:
	// One process while the wait is gone through, backwards.
	struct Part {
		uint32_t process = 0;
		uint64_t covered_from = 0; // on the way down
		uint64_t executed = 0;
		uint64_t blocked = 0;
		// Its job with the longest part of each kind.
		uint64_t exec_most = 0, exec_ctx = 0, exec_seqno = 0;
		uint64_t block_most = 0, block_ctx = 0, block_seqno = 0;
	};

	Part &part_of(uint32_t process);
	void add_blocked(const BlockedSpan &span, uint64_t from, uint64_t to);
	void add_executed(std::span<const Execution> ended, uint64_t from,
			  uint64_t to);
	void share_out(uint64_t executed);

	std::vector<Part> parts_;
	std::vector<uint32_t> index_; // by process: place in parts_, plus one
	std::vector<DelayShare> shares_;
	uint64_t executed_ = 0; // while anybody did
	uint64_t nobody_ = 0;
};

} // namespace grtrace
