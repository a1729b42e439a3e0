// SPDX-License-Identifier: GPL-2.0
//
// FenceTable: finds whose fences a context has, if they are no jobs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace grtrace {

// As printable() makes them.
struct FenceNames {
	std::string driver;
	std::string timeline;
};

// Learns from FENCE_NAME records; the latest of a context is valid. Memory grows with
// the contexts that have one.
class FenceTable {
public:
	// record points to a whole FENCE_NAME record.
	void learn(const uint8_t *record);

	// Returns nullptr if no record has named the context.
	const FenceNames *find(uint64_t ctx) const
	{
		const auto found = names_.find(ctx);

		return found == names_.end() ? nullptr : &found->second;
	}

	const std::map<uint64_t, FenceNames> &all() const { return names_; }

private:
	// No hash: the author of a capture may choose contexts that share one.
	std::map<uint64_t, FenceNames> names_;
};

} // namespace grtrace
