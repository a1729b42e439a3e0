// SPDX-License-Identifier: GPL-2.0
//
// LossSpans: when records were lost, to mark the figures that it touches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Times in ns of the session's clock. Keeps at most `limit` spans; when there are
// more, each two neighbours become one, so no time with a loss looks complete.
class LossSpans {
public:
	static constexpr size_t limit = 4096;

	void add(uint64_t from, uint64_t to);
	// Was anything lost at some time from `from` to `to`?
	bool touch(uint64_t from, uint64_t to) const;
	bool empty() const { return spans_.empty(); }

	struct Span {
		uint64_t from;
		uint64_t to;
	};

	// By their start, none overlaps another.
	const std::vector<Span> &all() const { return spans_; }

private:
	void coarsen();

	std::vector<Span> spans_;
};

} // namespace grtrace
