// SPDX-License-Identifier: GPL-2.0
//
// Tournament: which of many streams has the least key.
#pragma once

#include <bit>
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

	// The least one; number is that of left when there is none.
	const Player &front() const { return front_; }
	bool empty() const { return front_.number == left.number; }

	// In place of the one in front: its next key, or left.
	void replace_front(Player player);

private:
	static bool before(const Player &a, const Player &b);

	std::vector<Player> losers_; // by node; 1 is the top
	size_t leaves_ = 0; // a power of 2
	Player front_ = left;
};

inline bool Tournament::before(const Player &a, const Player &b)
{
	using Key = unsigned __int128;

	auto key = [](const Player &player) {
		uint64_t minor = uint64_t(player.minor) << 32 | player.number;

		return Key(player.major) << 64 | minor;
	};
	return key(a) < key(b);
}

// The winner of all games from the leaf to the top comes to the front.
inline void Tournament::replace_front(Player player)
{
	for (size_t node = (leaves_ + front_.number) / 2; node; node /= 2) {
		Player &other = losers_[node];
		bool lost = before(other, player);
		uint64_t mask = -static_cast<uint64_t>(lost);
		uint32_t low = static_cast<uint32_t>(mask);
		uint64_t major = (player.major ^ other.major) & mask;
		uint32_t number = (player.number ^ other.number) & low;
		uint32_t minor = (player.minor ^ other.minor) & low;

		player = {player.major ^ major, player.number ^ number,
			  player.minor ^ minor};
		other = {other.major ^ major, other.number ^ number,
			 other.minor ^ minor};
	}
	front_ = player;
}

// From the leaves up: who wins goes on, who loses stays.
inline void Tournament::begin(const std::vector<Player> &players)
{
	leaves_ = std::bit_ceil(players.size());
	losers_.assign(leaves_, left);

	std::vector<Player> winners(2 * leaves_, left);
	for (size_t i = 0; i < players.size(); i++)
		winners[leaves_ + i] = players[i];
	for (size_t node = leaves_ - 1; node; node--) {
		const Player &one = winners[2 * node];
		const Player &other = winners[2 * node + 1];
		const bool swap = before(other, one);

		winners[node] = swap ? other : one;
		losers_[node] = swap ? one : other;
	}
	front_ = winners[1];
}

} // namespace grtrace
