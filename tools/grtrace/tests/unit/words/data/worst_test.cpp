// SPDX-License-Identifier: GPL-2.0
#include "words/data/worst.h"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace grtrace {

// Against sorting all of them.
TEST(Worst, are_those_that_come_first_in_order)
{
	std::mt19937 random(1);

	for (size_t limit : {1, 3, 10, 200}) {
		std::vector<unsigned int> all, worst;

		for (int i = 0; i < 100; i++) {
			const unsigned int one = random() % 50;

			all.push_back(one);
			if (is_among_worst(worst, limit, one, std::greater<>()))
				keep_worst(worst, limit, one, std::greater<>());
			EXPECT_LE(worst.size(), limit);
		}
		std::sort(all.begin(), all.end(), std::greater<>());
		all.resize(std::min(all.size(), limit));
		std::sort(worst.begin(), worst.end(), std::greater<>());
		EXPECT_EQ(worst, all);
	}
}

// The first of two equal ones stays: the second is not worse.
TEST(Worst, are_not_replaced_by_their_equals)
{
	using Entry = std::pair<int, char>;
	auto worse = [](const Entry &a, const Entry &b) { return a.first > b.first; };
	std::vector<Entry> worst = {{5, 'a'}};

	EXPECT_FALSE(is_among_worst(worst, 1, Entry{5, 'b'}, worse));
	EXPECT_TRUE(is_among_worst(worst, 1, Entry{6, 'b'}, worse));
}

} // namespace grtrace
