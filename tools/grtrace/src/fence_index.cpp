// SPDX-License-Identifier: GPL-2.0
#include "fence_index.h"

namespace grtrace {

void FenceIndex::insert(uint64_t ctx, uint32_t seqno, uint32_t job,
			FenceRole role)
{
	Entry entry;

	if ((size_ + 1) * 4 > entries_.size())
		grow();
	entry.ctx = ctx;
	entry.seqno = seqno;
	entry.job = job % job_limit;
	entry.role = role;
	entry.used = true;
	place(entry);
	size_++;
}

void FenceIndex::place(const Entry &entry)
{
	size_t i = home(entry.ctx, entry.seqno);

	while (entries_[i].used)
		i = (i + 1) & mask();
	entries_[i] = entry;
}

void FenceIndex::grow()
{
	std::vector<Entry> old(entries_.size() * 2);

	old.swap(entries_);
	for (const Entry &entry : old)
		if (entry.used)
			place(entry);
}

void FenceIndex::erase(uint64_t ctx, uint32_t seqno, uint32_t job,
		       FenceRole role)
{
	size_t hole = home(ctx, seqno);

	for (;; hole = (hole + 1) & mask()) {
		const Entry &entry = entries_[hole];

		if (!entry.used)
			return;
		if (entry.ctx == ctx && entry.seqno == seqno &&
		    entry.job == job && entry.role == role)
			break;
	}

	size_--;
	for (size_t i = (hole + 1) & mask(); entries_[i].used;
	     i = (i + 1) & mask()) {
		// May the entry at i stand in the hole? Not if its home lies
		// after the hole.
		size_t from = home(entries_[i].ctx, entries_[i].seqno);
		if (((i - from) & mask()) < ((i - hole) & mask()))
			continue;
		entries_[hole] = entries_[i];
		hole = i;
	}
	entries_[hole].used = 0;
}

} // namespace grtrace
