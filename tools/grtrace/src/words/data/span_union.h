// SPDX-License-Identifier: GPL-2.0
//
// SpanUnion: the time covered by overlapping spans.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Takes spans roughly in the order of time. Spans are kept apart until sum_up(), so that
// a late span still counts only once.
class SpanUnion {
public:
	static constexpr size_t limit = 4096; // at this many spans a sum is worthwhile

	void add(uint64_t from, uint64_t to)
	{
		from = std::max(from, summed_until_);
		if (from >= to)
			return;

		auto first = std::find_if(spans_.rbegin(), spans_.rend(), [&](const Span &span) {
				     return span.to < from;
			     }).base();
		auto last = first;

		for (; last != spans_.end() && last->from <= to; ++last) {
			from = std::min(from, last->from);
			to = std::max(to, last->to);
		}
		if (first == last) {
			spans_.insert(first, {from, to});
			return;
		}
		*first = {from, to};
		spans_.erase(first + 1, last);
	}

	size_t size() const { return spans_.size(); }
	bool full() const { return size() >= limit; }
	// No span will come that begins before until.
	void sum_up(uint64_t until)
	{
		auto last = spans_.begin();

		for (; last != spans_.end() && last->to <= until; ++last) {
			sum_ += last->to - last->from;
			summed_until_ = last->to;
		}
		spans_.erase(spans_.begin(), last);
	}

	uint64_t sum() const
	{
		uint64_t sum = sum_;

		for (const Span &span : spans_)
			sum += span.to - span.from;
		return sum;
	}

private:
	struct Span {
		uint64_t from;
		uint64_t to;
	};

	std::vector<Span> spans_; // in order; no two touch
	uint64_t sum_ = 0;
	uint64_t summed_until_ = 0;
};

} // namespace grtrace
