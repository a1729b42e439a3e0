// SPDX-License-Identifier: GPL-2.0
//
// A heap would move the front down and compare with two children at each level; here each
// level costs one comparison, and all of them are on one path.
#include "lib/data/tournament.h"

#include <bit>

namespace grtrace {

bool Tournament::before(const Player &a, const Player &b)
{
	using Key = unsigned __int128;

	auto key = [](const Player &player) {
		uint64_t minor = uint64_t(player.minor) << 32 | player.number;

		return Key(player.major) << 64 | minor;
	};
	return key(a) < key(b);
}

// The winner of all games from the leaf to the top comes to the front.
void Tournament::replace_front(Player player)
{
	for (size_t node = (leaves_ + front_.number) / 2; node; node /= 2) {
		Player &other = losers_[node];
		bool lost = before(other, player);
		uint64_t mask = -static_cast<uint64_t>(lost);
		uint32_t low = static_cast<uint32_t>(mask);
		uint64_t major = (player.major ^ other.major) & mask;
		uint32_t number = (player.number ^ other.number) & low;
		uint32_t minor = (player.minor ^ other.minor) & low;

		player = {player.major ^ major, player.number ^ number, player.minor ^ minor};
		other = {other.major ^ major, other.number ^ number, other.minor ^ minor};
	}
	front_ = player;
}

// Goes from the leaves up: a winner moves up, a loser stays.
void Tournament::begin(const std::vector<Player> &players)
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
