// SPDX-License-Identifier: GPL-2.0
#include "words/data/id_map.h"

#include <gtest/gtest.h>

using namespace grtrace;

template <bool consecutive> static void fill(uint64_t first, uint64_t step)
{
	IdMap<uint64_t, consecutive> map;

	EXPECT_EQ(map.find(first), nullptr);
	for (uint64_t i = 0; i < 5000; i++)
		map.get(first + i * step) = i;
	EXPECT_EQ(map.size(), 5000u);
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t *value = map.find(first + i * step);

		ASSERT_NE(value, nullptr);
		EXPECT_EQ(*value, i);
	}
	EXPECT_EQ(map.find(first - step), nullptr);
	EXPECT_EQ(map.find(first + 5000 * step), nullptr);
	map.clear();
	EXPECT_EQ(map.find(first), nullptr);
	map.get(first) = 7;
	EXPECT_EQ(*map.find(first), 7u);
}

TEST(IdMap, finds_what_was_put_in)
{
	for (uint64_t step : {1ull, 8ull, 4096ull, 1ull << 32, 1ull << 48}) {
		fill<false>(0, step);
		fill<true>(0, step);
		fill<true>(UINT64_MAX - 100, step);
	}
}

// The id that has this hash.
static uint64_t id_of(uint64_t hash)
{
	uint64_t inverse = golden_odd;
	uint64_t product = hash;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - golden_odd * inverse;
	for (int i = 0; i < 3; i++)
		product = hash ^ product >> 29;
	product *= inverse;
	return product ^ product >> 32;
}

template <bool consecutive> static void fill_one_place(int shift)
{
	static constexpr uint64_t ids = 20000;
	IdMap<uint64_t, consecutive> map;
	auto id = [shift](uint64_t i) {
		return consecutive ? id_of(i ^ i >> 29) : id_of(i << shift);
	};

	for (uint64_t i = 1; i <= ids; i++)
		map.get(id(i)) = i;
	EXPECT_EQ(map.size(), ids);
	for (uint64_t i = 1; i <= ids; i++) {
		uint64_t *value = map.find(id(i));

		ASSERT_NE(value, nullptr);
		EXPECT_EQ(*value, i);
	}
	// It would be nearly all of them.
	EXPECT_LE(map.longest_row(), 1024u);
}

TEST(IdMap, ids_chosen_to_meet)
{
	ASSERT_EQ(hash_id(id_of(12345)), 12345u);
	fill_one_place<false>(24);
	fill_one_place<false>(40);
	fill_one_place<true>(0);
}

// None of these ids is chosen, and the order in which they are listed is not
// left to chance.
TEST(IdMap, order_is_the_same_each_time)
{
	std::vector<uint64_t> orders[2];

	for (std::vector<uint64_t> &order : orders) {
		IdMap<int> map;

		for (uint64_t i = 0; i < 100000; i++)
			map.get(i * 4096);
		EXPECT_LE(map.longest_row(), 500u);
		map.for_each([&](uint64_t id, int) { order.push_back(id); });
	}
	EXPECT_EQ(orders[0], orders[1]);
}
