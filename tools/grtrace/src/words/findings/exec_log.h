// SPDX-License-Identifier: GPL-2.0
//
// ExecLog: what a ring executed last, and who waited for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "words/findings/cause.h"

namespace grtrace {

// A job's time on its ring, and what it is charged with.
struct RingExecution {
	uint64_t start = 0;
	uint64_t end = 0;
	uint64_t ctx = 0;
	uint64_t seqno = 0;
	uint32_t process = 0;
	uint32_t hang = 0; // its number, from 1; 0: it did not hang
	// ns, by what it was to those that waited.
	uint64_t own = 0;
	uint64_t other = 0;
	uint64_t dependency = 0;
};

// Takes executions about in the order in which they end and keeps the last `limit`
// at most, half of it at least: 288 KiB.
class ExecLog {
public:
	static constexpr size_t limit = 4096;

	bool full() const { return executions_.size() == limit; }
	void add(const RingExecution &execution);
	// The older half, which will be dropped.
	std::span<RingExecution> old_half() { return {executions_.data(), limit / 2}; }
	void drop_old_half();
	std::span<RingExecution> all() { return executions_; }
	// In the order of their ends.
	std::span<RingExecution> ended_by(uint64_t ts);
	// nullptr: it is not there.
	RingExecution *find(const JobName &job, uint64_t end);
	// It may have dropped some of what ended until then.
	uint64_t forgot_until() const { return forgot_until_; }

private:
	std::vector<RingExecution> executions_; // by end
	uint64_t forgot_until_ = 0;
	size_t near_ = 0; // where ended_by() ended last
};

} // namespace grtrace
