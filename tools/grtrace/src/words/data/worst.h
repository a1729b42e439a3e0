// SPDX-License-Identifier: GPL-2.0
//
// worst: the N worst of many, whatever is worse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace grtrace {

// The worst are a heap with the least bad in front, as the standard library has it, so
// that a user with thousands of them pays for no more than a vector each. limit is not
// 0; std::sort() by worse puts the worst first in the end.

// Whether it is one of the worst so far: most are not, so their entry need not
// be built.
template <typename Entry, typename Worse>
bool is_among_worst(const std::vector<Entry> &worst, size_t limit, const Entry &entry, Worse worse)
{
	return worst.size() < limit || worse(entry, worst.front());
}

// Keeps such an entry, in place of the least bad one if there are too many.
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
