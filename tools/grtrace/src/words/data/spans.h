// SPDX-License-Identifier: GPL-2.0
//
// LossSpans: the times of losses, for marking the figures that they affect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Times in ns of the session's clock. Keeps at most `limit` spans; when there are more,
// each pair of neighbours is joined, so that no time with a loss looks complete.
class LossSpans {
public:
	static constexpr size_t limit = 4096;

	void add(uint64_t from, uint64_t to);
	// Returns whether anything was lost between `from` and `to`.
	bool touch(uint64_t from, uint64_t to) const;
	bool empty() const { return spans_.empty(); }

	struct Span {
		uint64_t from;
		uint64_t to;
	};

	// Returns the spans in the order of their start; no two overlap.
	const std::vector<Span> &all() const { return spans_; }

private:
	void coarsen();

	std::vector<Span> spans_;
};

} // namespace grtrace
