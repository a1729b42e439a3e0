// SPDX-License-Identifier: GPL-2.0
//
// NextActor: which of many is the next to act.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace grtrace {

// A tournament: leaves are the moments of the actors, each node holds the
// winner below it. To change one moment costs a comparison per level. Among
// equal moments the actor with the least number wins.
class NextActor {
public:
	static constexpr uint64_t never = UINT64_MAX;

	explicit NextActor(uint32_t actors)
		: leaves_(std::bit_ceil(actors)), nodes_(leaves_ * 2), moments_(leaves_, never)
	{
		for (uint32_t i = 0; i < leaves_; i++)
			nodes_[leaves_ + i] = i;
		for (uint32_t i = leaves_ - 1; i; i--)
			nodes_[i] = nodes_[2 * i];
	}

	uint32_t actor() const { return nodes_[1]; }
	uint64_t moment() const { return moments_[nodes_[1]]; }
	uint64_t moment_of(uint32_t actor) const { return moments_[actor]; }

	void set(uint32_t actor, uint64_t moment)
	{
		moments_[actor] = moment;
		for (uint32_t i = (leaves_ + actor) / 2; i; i /= 2) {
			uint32_t left = nodes_[2 * i];
			uint32_t right = nodes_[2 * i + 1];

			nodes_[i] = moments_[right] < moments_[left] ? right : left;
		}
	}

private:
	uint32_t leaves_;
	std::vector<uint32_t> nodes_;
	std::vector<uint64_t> moments_;
};

} // namespace grtrace
