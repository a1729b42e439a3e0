// SPDX-License-Identifier: GPL-2.0
//
// SliceLanes: assigns lanes to slices that may overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace grtrace {

// Slices of one track must not overlap, but several tracks of the same name are drawn as
// one. Among the lanes that are free at its beginning, a slice gets the one that was used
// last, so the number of lanes is minimal if slices come in the order of their ends. Memory
// grows with the greatest number of slices at a time.
class SliceLanes {
public:
	static constexpr uint32_t lanes_max = 65535;

	// end: UINT64_MAX if it never ends.
	uint32_t place(uint64_t begin, uint64_t end)
	{
		auto lane = ends_.upper_bound({begin, UINT32_MAX});
		uint32_t number = std::min(static_cast<uint32_t>(ends_.size()), lanes_max);

		if (lane != ends_.begin()) {
			number = std::prev(lane)->second;
			ends_.erase(std::prev(lane));
		}
		ends_.insert({end, number});
		return number;
	}

private:
	std::set<std::pair<uint64_t, uint32_t>> ends_; // time when it is free, lane
};

} // namespace grtrace
