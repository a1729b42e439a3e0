// SPDX-License-Identifier: GPL-2.0
#include "id_map.h"

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
