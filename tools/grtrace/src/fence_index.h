// SPDX-License-Identifier: GPL-2.0
//
// FenceIndex: from a fence to the job in flight that it belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "id_map.h"

namespace grtrace {

// What a fence is to its job.
enum class FenceRole : uint32_t { key, hardware, out };

// A hash by {ctx, seqno} with linear probing. Several jobs may stand under one
// fence (the key of a job includes its ring), so a lookup can say which job it
// takes. Erasing moves the followers back instead of leaving a mark, so the
// table stays fast however many jobs pass through.
//
// Each record is looked up, and where it is found is a guess that the processor
// pays for when it is wrong: so the table is at most a quarter full, nearly each
// entry stands where it is looked for first, and none lies in two cache lines.
class FenceIndex {
public:
	static constexpr uint32_t job_limit = 1u << 29;

	struct alignas(16) Entry {
		uint64_t ctx = 0;
		uint32_t seqno = 0;
		uint32_t job : 29 = 0; // below job_limit
		FenceRole role : 2 = FenceRole::key;
		uint32_t used : 1 = 0;
	};

	FenceIndex() : entries_(1024) {}

	// takes(job): is it the one? The first in order of insertion.
	template <typename Takes>
	const Entry *find(uint64_t ctx, uint32_t seqno, Takes takes) const
	{
		for (size_t i = home(ctx, seqno);; i = (i + 1) & mask()) {
			const Entry &entry = entries_[i];

			if (!entry.used)
				return nullptr;
			if (entry.ctx == ctx && entry.seqno == seqno &&
			    takes(entry.job))
				return &entry;
		}
	}
	const Entry *find(uint64_t ctx, uint32_t seqno) const
	{
		return find(ctx, seqno, [](uint32_t) { return true; });
	}

	void insert(uint64_t ctx, uint32_t seqno, uint32_t job,
		    FenceRole role = FenceRole::key);
	// A job has only one fence of a role.
	void erase(uint64_t ctx, uint32_t seqno, uint32_t job,
		   FenceRole role = FenceRole::key);

private:
	size_t mask() const { return entries_.size() - 1; }
	size_t home(uint64_t ctx, uint32_t seqno) const
	{
		return hash_id(ctx * 0x100000001b3ull + seqno) & mask();
	}
	void place(const Entry &entry);
	void grow();

	std::vector<Entry> entries_;
	size_t size_ = 0;
};

} // namespace grtrace
