// SPDX-License-Identifier: GPL-2.0
//
// BlockedWindow: which fences blocked a ring's jobs last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "read/jobs/job.h"

namespace grtrace {

// From BLOCKED to the next one, or to the end of being blocked.
struct BlockedSpan {
	uint64_t from = 0;
	uint64_t to = 0;
	uint64_t ctx = 0; // of the fence
	uint64_t seqno = 0;
	uint32_t process = 0; // its owner
	uint64_t held = 0; // set by find(): seqno of the job that it blocked
};

// A fence that blocks a job also blocks the jobs that its context queued behind
// it. So spans are found by the context of the job. Between half of `limit` and
// `limit` of the last spans are kept: 224 KiB.
class BlockedWindow {
public:
	static constexpr size_t limit = 4096;

	// Calls come roughly in the order of their ends. job: the one that was blocked.
	void add(const Job &job, const BlockedSpan &span);
	// Appends those since its SUBMIT of the job and of the ones before it
	// in its context, in order; none overlaps another. Returns their number.
	uint32_t find(const Job &job, std::vector<BlockedSpan> &found) const
	{
		return find_since({job.ctx, job.seqno, job.submit_ts}, found);
	}
	// A job, and since when it waits.
	struct Since {
		uint64_t ctx;
		uint64_t seqno;
		uint64_t ts;
	};
	uint32_t find_since(const Since &job, std::vector<BlockedSpan> &found) const;
	// It may have forgotten some of those that ended until then.
	uint64_t forgot_until() const { return forgot_until_; }

private:
	struct Entry {
		uint64_t ctx;
		uint64_t seqno;
		BlockedSpan span;
	};

	std::vector<Entry> entries_; // by end
	uint64_t forgot_until_ = 0;
};

} // namespace grtrace
