// SPDX-License-Identifier: GPL-2.0
//
// FenceIndex: from a fence to the job in flight that it belongs to.
#pragma once

#include <cstdint>
#include <vector>

#include "event.h"
#include "id_map.h"

namespace grtrace {

// What a fence is to its job.
enum class FenceRole : uint8_t { key, hardware, out };

// A hash by {ctx, seqno} with linear probing. Several jobs may stand under one
// fence (the key of a job includes its ring), so a lookup can ask for a ring;
// GRTRACE_RING_NONE asks for any. Erasing moves the followers back instead of
// leaving a mark, so the table stays fast however many jobs pass through.
class FenceIndex {
public:
	struct Entry {
		uint64_t ctx;
		uint32_t seqno;
		uint32_t ring;
		uint32_t job;
		FenceRole role;
		bool used;
	};

	FenceIndex() : entries_(1024) {}

	const Entry *find(uint64_t ctx, uint32_t seqno, uint32_t ring) const
	{
		for (size_t i = home(ctx, seqno);; i = (i + 1) & mask()) {
			const Entry &entry = entries_[i];

			if (!entry.used)
				return nullptr;
			if (entry.ctx == ctx && entry.seqno == seqno &&
			    (ring == GRTRACE_RING_NONE || entry.ring == ring))
				return &entry;
		}
	}

	void insert(const Entry &entry);
	void erase(uint64_t ctx, uint32_t seqno, uint32_t job, FenceRole role);

private:
	size_t mask() const { return entries_.size() - 1; }
	size_t home(uint64_t ctx, uint32_t seqno) const
	{
		return hash_id(ctx * 0x100000001b3ull + seqno) & mask();
	}
	void grow();

	std::vector<Entry> entries_;
	size_t size_ = 0;
};

} // namespace grtrace
