// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/slot_list.h"

#include <gtest/gtest.h>

using namespace grtrace;

static std::vector<uint32_t> slots_of(const SlotList &list, const std::vector<SlotLink> &links)
{
	std::vector<uint32_t> slots;

	for (uint32_t slot = list.first; slot != SlotList::nil; slot = links[slot].next)
		slots.push_back(slot);
	EXPECT_EQ(slots.size(), list.size);
	EXPECT_EQ(list.last, slots.empty() ? SlotList::nil : slots.back());
	return slots;
}

TEST(SlotList, any_slot_can_leave)
{
	std::vector<SlotLink> links(8);
	SlotList list;

	for (uint32_t slot : {3, 0, 7, 5, 1})
		list.append(links, slot);
	EXPECT_EQ(slots_of(list, links), (std::vector<uint32_t>{3, 0, 7, 5, 1}));
	list.remove(links, 7);
	EXPECT_EQ(slots_of(list, links), (std::vector<uint32_t>{3, 0, 5, 1}));
	list.remove(links, 3);
	EXPECT_EQ(slots_of(list, links), (std::vector<uint32_t>{0, 5, 1}));
	list.remove(links, 1);
	EXPECT_EQ(slots_of(list, links), (std::vector<uint32_t>{0, 5}));
	list.append(links, 3);
	list.remove(links, 0);
	list.remove(links, 5);
	list.remove(links, 3);
	EXPECT_TRUE(slots_of(list, links).empty());
	list.append(links, 2);
	EXPECT_EQ(slots_of(list, links), (std::vector<uint32_t>{2}));
}

TEST(SlotList, lists_share_the_links)
{
	std::vector<SlotLink> links(4);
	SlotList active, lingering;

	for (uint32_t slot = 0; slot < 4; slot++)
		active.append(links, slot);
	for (uint32_t slot : {2, 0}) {
		active.remove(links, slot);
		lingering.append(links, slot);
	}
	EXPECT_EQ(slots_of(active, links), (std::vector<uint32_t>{1, 3}));
	EXPECT_EQ(slots_of(lingering, links), (std::vector<uint32_t>{2, 0}));
}
