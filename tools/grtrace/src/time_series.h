// SPDX-License-Identifier: GPL-2.0
//
// TimeSeries: how a number went up and down, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// At most `limit` buckets of equal width from the first time on: when time
// runs out of them, each two become one. Times are ns of the session's clock
// and come in order.
class TimeSeries {
public:
	static constexpr size_t limit = 128;

	struct Bucket {
		double integral = 0; // of the value, over ns
		uint64_t max = 0;
	};

	// It had this value from one time to the other.
	void hold(uint64_t from, uint64_t to, uint64_t value);

	uint64_t start() const { return start_; }
	uint64_t width() const { return 1ull << shift_; } // ns
	const std::vector<Bucket> &buckets() const { return buckets_; }

private:
	void halve();

	std::vector<Bucket> buckets_;
	uint64_t start_ = 0;
	unsigned int shift_ = 10;
};

} // namespace grtrace
