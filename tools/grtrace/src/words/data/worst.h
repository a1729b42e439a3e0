// SPDX-License-Identifier: GPL-2.0
//
// worst: keeps the N worst of many entries, by any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace grtrace {

// The worst entries are a heap of the standard library, with the least bad in front, so
// that thousands of lists cost no more than a vector each. limit must not be 0.
// Afterwards std::sort() by `worse` puts the worst entry first.

// Returns whether an entry is among the worst so far. Most entries are not, so they need
// not be built.
template <typename Entry, typename Worse>
bool is_among_worst(const std::vector<Entry> &worst, size_t limit, const Entry &entry, Worse worse)
{
	return worst.size() < limit || worse(entry, worst.front());
}

// Adds such an entry, and removes the least bad one if there are too many.
template <typename Entry, typename Worse>
void keep_worst(std::vector<Entry> &worst, size_t limit, Entry entry, Worse worse)
{
	if (worst.size() == limit) {
		std::pop_heap(worst.begin(), worst.end(), worse);
		worst.pop_back();
	}
	worst.push_back(std::move(entry));
	std::push_heap(worst.begin(), worst.end(), worse);
}

} // namespace grtrace
