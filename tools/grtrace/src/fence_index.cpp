// SPDX-License-Identifier: GPL-2.0
#include "fence_index.h"

namespace grtrace {

using Entry = FenceIndex::Entry;

static bool any(const Entry &)
{
	return true;
}

// In an order in which equal ones stay in theirs: a row of them may go on at the
// table's begin, so it starts behind a free place.
template <typename Fn>
static void for_each(const std::vector<Entry> &entries, Fn fn)
{
	size_t begin = 0;

	while (entries[begin].used)
		begin++;
	for (size_t i = 0; i < entries.size(); i++)
		if (const Entry &entry = entries[(begin + i) % entries.size()];
		    entry.used)
			fn(entry);
}

bool FenceIndex::is_crowded() const
{
	if (homes_.size() < roomy_max && nr_others_ * 16 > size_ + 64)
		return true;
	return (size_ + 1) * 4 > homes_.size();
}

void FenceIndex::insert(uint64_t ctx, uint32_t seqno, uint32_t job,
			FenceRole role)
{
	Entry entry;

	if (is_crowded())
		grow();
	entry.ctx = ctx;
	entry.seqno = seqno;
	entry.job = job % job_limit;
	entry.role = role;
	entry.used = 1;
	place(entry);
}

void FenceIndex::place(const Entry &entry)
{
	Entry &first = homes_[home(entry.ctx, entry.seqno)];

	size_++;
	if (first.used ||
	    (nr_others_ && find_other(entry.ctx, entry.seqno, any)))
		place_other(entry);
	else
		first = entry;
}

void FenceIndex::place_other(const Entry &entry)
{
	if ((nr_others_ + 1) * 4 > others_.size()) {
		std::vector<Entry> old(others_.size() * 2);

		old.swap(others_);
		nr_others_ = 0;
		for_each(old, [this](const Entry &one) { place_other(one); });
	}

	size_t i = other_home(entry.ctx, entry.seqno);
	while (others_[i].used)
		i = (i + 1) & mask();
	others_[i] = entry;
	nr_others_++;
}

void FenceIndex::grow()
{
	std::vector<Entry> homes(homes_.size() * 2);
	std::vector<Entry> others(64);

	homes.swap(homes_);
	others.swap(others_);
	size_ = nr_others_ = 0;
	for_each(homes, [this](const Entry &one) { place(one); });
	for_each(others, [this](const Entry &one) { place(one); });
}

void FenceIndex::erase(uint64_t ctx, uint32_t seqno, uint32_t job,
		       FenceRole role)
{
	Entry &first = homes_[home(ctx, seqno)];

	if (first.is(ctx, seqno) && first.job == job && first.role == role) {
		first.used = 0;
		size_--;
	} else if (nr_others_) {
		erase_other(ctx, seqno, job, role);
	}
}

// Moves the followers back instead of leaving a mark, so it stays fast however
// many come and go.
void FenceIndex::erase_other(uint64_t ctx, uint32_t seqno, uint32_t job,
			     FenceRole role)
{
	const Entry *found = find_other(ctx, seqno, [&](const Entry &entry) {
		return entry.job == job && entry.role == role;
	});

	if (!found)
		return;
	size_t hole = static_cast<size_t>(found - others_.data());

	size_--;
	nr_others_--;
	for (size_t i = (hole + 1) & mask(); others_[i].used;
	     i = (i + 1) & mask()) {
		// May the entry at i stand in the hole? Not if its home lies
		// after the hole.
		size_t from = other_home(others_[i].ctx, others_[i].seqno);
		if (((i - from) & mask()) < ((i - hole) & mask()))
			continue;
		others_[hole] = others_[i];
		hole = i;
	}
	others_[hole].used = 0;
}

} // namespace grtrace
