// SPDX-License-Identifier: GPL-2.0
//
// SlotList: a queue of slots of a table, from which any can leave.
#pragma once

#include <cstdint>
#include <vector>

namespace grtrace {

// Neighbours in a list. The links are beside the table and not in it, so that
// adding or removing a slot does not load its neighbours into the cache.
struct SlotLink {
	uint32_t previous;
	uint32_t next;
};

// A slot is in at most one list, so all lists share the links, one per slot.
struct SlotList {
	static constexpr uint32_t nil = UINT32_MAX;

	void append(std::vector<SlotLink> &links, uint32_t slot)
	{
		links[slot] = {last, nil};
		(last == nil ? first : links[last].next) = slot;
		last = slot;
		size++;
	}

	void remove(std::vector<SlotLink> &links, uint32_t slot)
	{
		const SlotLink link = links[slot];

		(link.previous == nil ? first : links[link.previous].next) = link.next;
		(link.next == nil ? last : links[link.next].previous) = link.previous;
		size--;
	}

	uint32_t first = nil;
	uint32_t last = nil;
	uint32_t size = 0;
};

} // namespace grtrace
