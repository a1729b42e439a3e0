// SPDX-License-Identifier: GPL-2.0
//
// Tournament: which of many streams has the least key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// A tournament whose nodes keep the *losers*. The player who was in front plays
// again on its way from its leaf to the top, against the loser of each earlier
// game: one comparison per level, whose outcome no processor can foresee, so it
// moves the players without a branch. Memory: two players for each stream.
class Tournament {
public:
	// By major, then minor; of equal ones the first player wins.
	struct Player {
		uint64_t major;
		uint32_t number; // its leaf
		uint32_t minor;
	};

	// The place of a player that left.
	static constexpr Player left = {UINT64_MAX, UINT32_MAX, UINT32_MAX};

	// players: number i at place i, or left.
	void begin(const std::vector<Player> &players);

	// The player with the least key; its number is left's if there is none.
	const Player &front() const { return front_; }
	bool empty() const { return front_.number == left.number; }

	// Replaces the key of the player in front, by its next one or by left.
	void replace_front(Player player);

private:
	static bool before(const Player &a, const Player &b);

	std::vector<Player> losers_; // by node; 1 is the top
	size_t leaves_ = 0; // a power of 2
	Player front_ = left;
};

} // namespace grtrace
