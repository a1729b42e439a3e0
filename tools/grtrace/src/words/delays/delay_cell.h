// SPDX-License-Identifier: GPL-2.0
//
// DelayCell: the delay of one victim by one culprit on one ring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

struct DelayProcess {
	uint32_t tgid = 0;
	std::string comm;
};

// The culprit of a delay, if it is not another process.
enum class Culprit : uint8_t {
	process,
	itself, // another job of the victim's own process
	unknown, // a job of an unknown process
	others, // processes beyond the limit
	nobody, // no job: the scheduler, the driver, the host
};

// A delayed job. Times are in ns, not weighted.
struct DelayProof {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint64_t submit_ts = 0;
	uint64_t wait = 0; // SUBMIT to START
	uint64_t part = 0; // the part of it that the culprit caused
	// The culprit's job that caused most of this time; 0:0 if there is
	// none.
	uint64_t culprit_ctx = 0;
	uint64_t culprit_seqno = 0;
	bool blocked = false; // that job's fence blocked it; false: that job executed
	bool touched = false; // records were lost in that time
};

// The time for which jobs of `victim` on `ring` waited because of `culprit`.
struct DelayCell {
	uint32_t ring = 0;
	Culprit kind = Culprit::process;
	DelayProcess victim;
	DelayProcess culprit; // valid with Culprit::process
	uint64_t ns = 0; // weighted
	uint64_t jobs = 0; // jobs of the victim, weighted
	bool touched = false; // records were lost while they waited
	std::vector<DelayProof> proofs; // the worst jobs, the worst first
};

// The rings that a report includes.
enum class DelayRings : uint8_t {
	none,
	shared, // used by more than one process
	all,
};

// Other figures of a ring.
struct DelayRing {
	uint32_t id = 0;
	uint32_t processes = 0; // known processes whose jobs executed there
	// An upper limit, weighted, for waits that were so long that the execution or fence
	// behind them is no longer remembered.
	uint64_t forgotten = 0;
	uint64_t unseen = 0; // jobs whose time of execution is not known
};

} // namespace grtrace
