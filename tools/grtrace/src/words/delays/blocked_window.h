// SPDX-License-Identifier: GPL-2.0
//
// BlockedWindow: the fences that last blocked the jobs of a ring.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/data/id_map.h"
#include "words/tracker/job.h"

namespace grtrace {

// The time from a BLOCKED to the next one, or to the end of being blocked.
struct BlockedSpan {
	uint64_t from = 0;
	uint64_t to = 0;
	uint64_t ctx = 0; // of the fence
	uint64_t seqno = 0;
	uint32_t process = 0; // the fence's owner
	uint64_t held = 0; // set by find(): seqno of the blocked job
};

// A fence that blocks a job also blocks the later jobs in the queue of its context. So
// spans are found by the context of the job. Between half of `limit` and `limit` of the
// last spans are kept: 224 KiB.
class BlockedWindow {
public:
	static constexpr size_t limit = 4096;

	// Calls come roughly in the order of the ends. job: the blocked job.
	void add(const Job &job, const BlockedSpan &span);
	// Drops what ended by ts, because no query goes back further.
	void forget_until(uint64_t ts);
	// Returns false if the window has no span of the context since then: nothing held
	// most jobs.
	bool may_hold(uint64_t ctx, uint64_t since) const
	{
		return held_until_[place_of(ctx)] > since;
	}
	// Appends the spans since the job's SUBMIT that blocked it or earlier jobs of its
	// context, in order and without overlaps. Returns their number.
	uint32_t find(const Job &job, std::vector<BlockedSpan> &found) const
	{
		return find_since({job.ctx, job.seqno, job.submit_ts}, found);
	}
	// A job, and when it began to wait.
	struct Since {
		uint64_t ctx;
		uint64_t seqno;
		uint64_t ts;
	};
	uint32_t find_since(const Since &job, std::vector<BlockedSpan> &found) const
	{
		return may_hold(job.ctx, job.ts) ? find_held(job, found) : 0;
	}
	// Spans that ended before this time may have been forgotten.
	uint64_t forgot_until() const { return forgot_until_; }

private:
	static constexpr size_t places = 8;

	struct Entry {
		uint64_t ctx;
		uint64_t seqno;
		BlockedSpan span;
	};

	static size_t place_of(uint64_t ctx) { return hash_id(ctx) % places; }

	uint32_t find_held(const Since &job, std::vector<BlockedSpan> &found) const;
	void drop(std::vector<Entry>::iterator kept);

	std::vector<Entry> entries_; // by end
	std::array<uint64_t, places> held_until_ = {}; // by a hash of the context
	uint64_t forgot_until_ = 0;
};

} // namespace grtrace
