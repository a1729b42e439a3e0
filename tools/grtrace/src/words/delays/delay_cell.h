// SPDX-License-Identifier: GPL-2.0
//
// DelayCell: one victim, one culprit, one ring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

struct DelayProcess {
	uint32_t tgid = 0;
	std::string comm;
};

// The party charged with a delay, where it is not another process.
enum class Culprit : uint8_t {
	process,
	itself, // another job of the victim's own process
	unknown, // a job, but it is not known whose
	others, // processes for which there was no room
	nobody, // no job: the scheduler, the driver, the host
};

// A job that was delayed. Times in ns, not weighted.
struct DelayProof {
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint64_t submit_ts = 0;
	uint64_t wait = 0; // SUBMIT to START
	uint64_t part = 0; // what of it the culprit is charged with
	// The culprit's job that most of it is due to; 0:0 if there is none.
	uint64_t culprit_ctx = 0;
	uint64_t culprit_seqno = 0;
	bool blocked = false; // by that job's fence; else it executed
	bool touched = false; // records were lost in that time
};

// The time that jobs of `victim` on `ring` waited for `culprit`.
struct DelayCell {
	uint32_t ring = 0;
	Culprit kind = Culprit::process;
	DelayProcess victim;
	DelayProcess culprit; // with Culprit::process
	uint64_t ns = 0; // weighted
	uint64_t jobs = 0; // of the victim, weighted
	bool touched = false; // records were lost while they waited
	std::vector<DelayProof> proofs; // the worst, the worst first
};

// The rings that a report shows.
enum class DelayRings : uint8_t {
	none,
	shared, // of more than one process
	all,
};

// Other figures of a ring.
struct DelayRing {
	uint32_t id = 0;
	uint32_t processes = 0; // known ones, whose jobs executed there
	// An upper limit, weighted, of waits too long to remember what
	// executed, or what blocked the job.
	uint64_t forgotten = 0;
	uint64_t unseen = 0; // jobs that executed, but it is not known when
};

} // namespace grtrace
