// SPDX-License-Identifier: GPL-2.0
//
// Functions that nearly no lookup needs: entries whose home is taken, and growing.
#include "words/tracker/fence_index.h"

namespace grtrace {

using Entry = FenceIndex::Entry;

static bool any(const Entry &)
{
	return true;
}

// Goes through the entries in an order that keeps equal ones in theirs. A row of them
// may continue at the beginning of the table, so it starts after a free place.
template <typename Fn> static void for_each(const std::vector<Entry> &entries, Fn fn)
{
	size_t begin = 0;

	while (entries[begin].used())
		begin++;
	for (size_t i = 0; i < entries.size(); i++)
		if (const Entry &entry = entries[(begin + i) % entries.size()]; entry.used())
			fn(entry);
}

bool FenceIndex::is_crowded() const
{
	if (size_ * 4 > home_mask_)
		return true;
	return nr_others_ && homes_.size() < roomy_max && nr_others_ * 16 > size_ + 64;
}

inline void FenceIndex::place(Entry entry)
{
	Entry &first = homes_[home(entry.ctx, entry.seqno)];

	size_++;
	if (first.used() || (nr_others_ && find_other(entry.ctx, entry.seqno, any)))
		place_other(entry);
	else
		first = entry;
}

void FenceIndex::insert(uint64_t ctx, uint32_t seqno, uint32_t job, FenceRole role)
{
	if (is_crowded())
		grow();
	place({ctx, seqno, job, role});
}

void FenceIndex::place_other(Entry entry)
{
	if ((nr_others_ + 1) * 4 > others_.size()) {
		std::vector<Entry> old(others_.size() * 2);

		old.swap(others_);
		nr_others_ = 0;
		for_each(old, [this](const Entry &one) { place_other(one); });
	}

	size_t i = other_home(entry.ctx, entry.seqno);
	while (others_[i].used())
		i = (i + 1) & mask();
	others_[i] = entry;
	nr_others_++;
}

void FenceIndex::grow()
{
	std::vector<Entry> homes(homes_.size() * 2);
	std::vector<Entry> others(64);

	home_mask_ = homes.size() - 1;
	homes.swap(homes_);
	others.swap(others_);
	size_ = nr_others_ = 0;
	for_each(homes, [this](const Entry &one) { place(one); });
	for_each(others, [this](const Entry &one) { place(one); });
}

void FenceIndex::erase(uint64_t ctx, uint32_t seqno, uint32_t job, FenceRole role)
{
	const Entry entry = {ctx, seqno, job, role};
	Entry &first = homes_[home(ctx, seqno)];

	if (first.is(entry)) {
		first.clear();
		size_--;
	} else if (nr_others_) {
		erase_other(entry);
	}
}

// Moves later entries back instead of leaving a mark, so it stays fast however many
// entries come and go.
void FenceIndex::erase_other(const Entry &entry)
{
	const Entry *found = find_other(entry.ctx, entry.seqno,
					[&](const Entry &other) { return other.is(entry); });

	if (!found)
		return;
	size_t hole = static_cast<size_t>(found - others_.data());

	size_--;
	nr_others_--;
	for (size_t i = (hole + 1) & mask(); others_[i].used(); i = (i + 1) & mask()) {
		// May the entry at i move into the hole? Not if its home is after the
		// hole.
		size_t from = other_home(others_[i].ctx, others_[i].seqno);
		if (((i - from) & mask()) < ((i - hole) & mask()))
			continue;
		others_[hole] = others_[i];
		hole = i;
	}
	others_[hole].clear();
}

} // namespace grtrace
