// SPDX-License-Identifier: GPL-2.0
//
// TimeSeries: a number over time, in bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// Has at most `limit` buckets of equal width from the first time on, each with the greatest
// value in it. When the buckets are full, each pair of neighbours is joined. Times are ns
// of the session's clock and come in order.
class TimeSeries {
public:
	static constexpr size_t limit = 128;

	// The number had this value between the two times.
	void hold(uint64_t from, uint64_t to, uint64_t value)
	{
		const uint64_t begin = from - last_from_;
		const uint64_t end = to - last_from_;

		// Most times are in the bucket that was used last.
		if (begin >= end || end > last_width_)
			return hold_long(from, to, value);
		buckets_[last_] = std::max(buckets_[last_], value);
	}

	uint64_t start() const { return start_; }
	uint64_t width() const { return 1ull << shift_; } // ns
	const std::vector<uint64_t> &buckets() const { return buckets_; }

private:
	void hold_long(uint64_t from, uint64_t to, uint64_t value);
	void halve();

	std::vector<uint64_t> buckets_;
	uint64_t start_ = 0;
	unsigned int shift_ = 10;
	// The bucket that was used last, and its beginning.
	size_t last_ = 0;
	uint64_t last_from_ = 0;
	uint64_t last_width_ = 0; // 0: there is no bucket yet
};

} // namespace grtrace
