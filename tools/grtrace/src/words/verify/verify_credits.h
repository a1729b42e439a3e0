// SPDX-License-Identifier: GPL-2.0
//
// VerifyCredits: does a ring take more jobs than it has credits for?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/verify/verify_findings.h"

namespace grtrace {

// --credits RING=N: the stream tells what a job costs (PICK's arg), but not how
// much a ring has.
struct CreditLimit {
	std::string ring; // its name, or device and name
	uint64_t credits;
};

// A job has its credits from PICK to END or COMPLETE, whichever is first. The
// scheduler gives them back a moment before that is recorded, so only what
// lasts is a fault. After a loss it counts anew: an END may have been lost.
class VerifyCredits {
public:
	static constexpr uint64_t slack_ns = 1000 * 1000;

	// What a job has of its ring's.
	struct Share {
		uint64_t losses = 0; // the count it belongs to
		uint32_t ring = 0;
		uint32_t credits = 0; // 0: none
	};

	// All of them must outlive it.
	VerifyCredits(const Capture &capture, VerifyFindings &findings,
		      const std::vector<CreditLimit> &limits)
		: capture_(capture), findings_(findings), limits_(limits)
	{
	}

	void enter(Share &share, const Event &pick);
	void leave(Share &share, uint64_t ts);
	void notice_losses(uint64_t ts);
	void finish();
	// Limits that no ring was found for.
	std::vector<std::string> unused() const;

private:
	struct Ring {
		bool looked_up = false;
		uint64_t limit = 0; // 0: not known
		uint64_t used = 0;
		uint64_t most = 0; // while it was too much
		bool over = false;
		RecordPlace since; // the PICK that was too much
	};

	Ring *ring_of(uint32_t id);
	void judge(Ring &ring, uint64_t ts);

	const Capture &capture_;
	VerifyFindings &findings_;
	const std::vector<CreditLimit> &limits_;
	std::vector<bool> found_;
	std::vector<Ring> rings_; // by id
	uint64_t losses_ = 0; // seen so far
	uint64_t counts_since_ = 0; // ts
	uint64_t now_ = 0;
};

} // namespace grtrace
