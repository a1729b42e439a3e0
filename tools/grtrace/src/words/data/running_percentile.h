// SPDX-License-Identifier: GPL-2.0
//
// RunningPercentile: a percentile of all values so far, known after each of them.
#pragma once

#include <cstdint>
#include <vector>

#include "words/data/histogram.h"

namespace grtrace {

// Uses the buckets of a Histogram, and is as exact. A new value moves the percentile's
// bucket only a little, so that bucket and the count below it are kept.
class RunningPercentile {
public:
	explicit RunningPercentile(unsigned int permille) : permille_(permille) {}

	void add(uint64_t value, uint32_t weight)
	{
		const size_t at = Histogram::bucket_of(value);

		if (at >= counts_.size())
			counts_.resize(at + 1);
		counts_[at] += weight;
		count_ += weight;
		values_++;
		max_ = value > max_ ? value : max_;
		if (at < bucket_)
			below_ += weight;
		settle();
	}

	uint64_t values() const { return values_; }
	// Returns 0 if there are no values.
	uint64_t get() const
	{
		const uint64_t top = Histogram::top_of(bucket_);

		return count_ ? (top < max_ ? top : max_) : 0;
	}

private:
	// Finds the first bucket up to which there are enough values.
	void settle()
	{
		const uint64_t wanted = (count_ * permille_ + 999) / 1000;

		while (below_ + counts_[bucket_] < wanted)
			below_ += counts_[bucket_++];
		while (below_ >= wanted && bucket_)
			below_ -= counts_[--bucket_];
	}

	unsigned int permille_;
	std::vector<uint64_t> counts_;
	uint64_t count_ = 0; // sum of weights
	uint64_t values_ = 0;
	uint64_t max_ = 0;
	size_t bucket_ = 0;
	uint64_t below_ = 0; // values in lower buckets
};

} // namespace grtrace
