// SPDX-License-Identifier: GPL-2.0
#include "lib/data/tournament.h"

#include <algorithm>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

namespace grtrace {

using Player = Tournament::Player;

// Each stream has its players in order; they come out as sorting all of them
// says, and of equal ones that of the first stream.
TEST(Tournament, merges_as_sorting_does)
{
	std::mt19937 random(1);

	for (size_t streams : {1, 2, 3, 5, 8, 33}) {
		std::vector<std::vector<Player>> of(streams);
		std::vector<Player> all, merged, first;
		std::vector<size_t> at(streams, 1);
		Tournament tournament;

		for (uint32_t i = 0; i < streams; i++) {
			uint64_t major = 0;

			for (size_t n = random() % 50; n; n--) {
				major += random() % 3;
				of[i].push_back({major, i, i % 2});
			}
			all.insert(all.end(), of[i].begin(), of[i].end());
			first.push_back(of[i].empty() ? Tournament::left : of[i][0]);
		}
		std::ranges::stable_sort(all, {}, [](const Player &player) {
			return std::tuple(player.major, player.minor, player.number);
		});
		tournament.begin(first);
		while (!tournament.empty()) {
			const Player front = tournament.front();
			size_t &next = at[front.number];

			merged.push_back(front);
			tournament.replace_front(next < of[front.number].size() ?
							 of[front.number][next++] :
							 Tournament::left);
		}
		ASSERT_EQ(merged.size(), all.size());
		for (size_t i = 0; i < all.size(); i++) {
			EXPECT_EQ(merged[i].major, all[i].major);
			EXPECT_EQ(merged[i].number, all[i].number);
		}
	}
}

TEST(Tournament, the_largest_key_is_no_stream_that_left)
{
	Tournament tournament;

	tournament.begin({{UINT64_MAX, 0, UINT32_MAX}, Tournament::left});
	EXPECT_FALSE(tournament.empty());
	tournament.replace_front(Tournament::left);
	EXPECT_TRUE(tournament.empty());
}

} // namespace grtrace
