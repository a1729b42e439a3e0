// SPDX-License-Identifier: GPL-2.0
//
// Tournament: finds the stream with the least key among many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// A tournament whose nodes keep the *losers*. When the player in front changes, it plays
// again from its leaf to the top, against the loser of each earlier game. This takes one
// comparison per level. No processor can predict its outcome, so the players are moved
// without a branch. Memory: two players for each stream.
class Tournament {
public:
	// Players are compared by major, then minor; if they are equal, the first player
	// wins.
	struct Player {
		uint64_t major;
		uint32_t number; // its leaf
		uint32_t minor;
	};

	// This marks the place of a player that left.
	static constexpr Player left = {UINT64_MAX, UINT32_MAX, UINT32_MAX};

	// Player number i is at place i; without a player the place has the value `left`.
	void begin(const std::vector<Player> &players);

	// Returns the player with the least key, or left if there is none.
	const Player &front() const { return front_; }
	bool empty() const { return front_.number == left.number; }

	// Replaces the player in front by its next key, or by left.
	void replace_front(Player player);

private:
	static bool before(const Player &a, const Player &b);

	std::vector<Player> losers_; // by node; 1 is the top
	size_t leaves_ = 0; // a power of 2
	Player front_ = left;
};

} // namespace grtrace
