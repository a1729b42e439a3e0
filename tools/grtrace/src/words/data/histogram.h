// SPDX-License-Identifier: GPL-2.0
//
// Histogram: the distribution of durations in bounded memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace grtrace {

// Log-linear buckets: values below 64 are exact; above that there are 32 buckets to the
// octave, so a percentile is at most 1/32 (3 %) off. Minimum, maximum, sum and count are
// exact. There are at most 1920 buckets.
//
// A report has hundreds of histograms and switches between them, so nearly each bucket is a
// cache miss. So values wait until there are several: by then most of their buckets are in
// the cache, and the loads of the rest overlap.
class Histogram {
public:
	struct Value {
		uint64_t value;
		uint32_t weight;
	};

	// weight: how many values of this size it represents.
	void add(uint64_t value, uint32_t weight = 1)
	{
		expect(value);
		waiting_[nr_waiting_++] = {value, weight};
		if (nr_waiting_ == waiting_.size())
			settle();
	}

	// Prefetches the bucket of a value that will be added soon. The bucket may not
	// exist yet, so its place is a number and not a pointer.
	void expect(uint64_t value) const
	{
		const uintptr_t begin = reinterpret_cast<uintptr_t>(buckets_.data());

		__builtin_prefetch(reinterpret_cast<const void *>(
					   begin + bucket_of(value) * sizeof(buckets_[0])),
				   1);
	}
	// Adds several values in this order.
	void add(std::span<const Value> values)
	{
		settle();
		add_now(values);
	}

	uint64_t count() const { return settled().count; }
	// All of these return 0 for an empty histogram.
	uint64_t min() const { return settled().count ? sums_.min : 0; }
	uint64_t max() const { return settled().max; }
	uint64_t average() const;
	// Returns the value that `permille` of 1000 values do not exceed.
	uint64_t percentile(unsigned int permille) const;

	// Returns counts by powers of two: [0] is below 1 us, [n] is 2^(n-1) to 2^n us. Up
	// to 3 % of a row may be counted in its neighbour.
	std::vector<uint64_t> by_microseconds() const;

	// Public, so that a class that keeps more than counts can use the same buckets.
	static size_t bucket_of(uint64_t value)
	{
		// The first 32 values of an octave use the buckets of the previous octave,
		// so exact values need no branch.
		const int width = static_cast<int>(std::bit_width(value | exact / 2));
		const int shift = width - 6;

		return static_cast<size_t>(shift) * 32 + (value >> shift);
	}

	// Returns the greatest value of a bucket.
	static uint64_t top_of(size_t bucket);

private:
	static constexpr uint64_t exact = 64;

	struct Sums {
		uint64_t count = 0;
		__uint128_t sum = 0;
		uint64_t min = UINT64_MAX;
		uint64_t max = 0;
	};

	void settle() const;
	uint64_t bucket(size_t at) const
	{
		const uint64_t wraps = at < wraps_.size() ? wraps_[at] : 0;

		return wraps << bucket_bits | buckets_[at];
	}
	void wrap(size_t at, uint64_t times) const;
	void add_now(std::span<const Value> values) const;
	const Sums &settled() const
	{
		settle();
		return sums_;
	}

	// Values that wait already count: every function that reads adds them first.
	// Buckets have 16 bits, so that a cache line holds an octave. Each wrap of a
	// bucket is counted.
	static constexpr unsigned int bucket_bits = 16;
	mutable std::vector<uint16_t> buckets_;
	mutable std::vector<uint64_t> wraps_; // empty while no bucket has wrapped
	mutable Sums sums_;
	mutable std::array<Value, 16> waiting_;
	mutable uint32_t nr_waiting_ = 0;
};

} // namespace grtrace
