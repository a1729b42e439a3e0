// SPDX-License-Identifier: GPL-2.0
//
// PictureSeries: sums over time, as fine as bounded memory allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// A few columns of sums, in buckets of 2^shift ns that are aligned to time 0. The length of
// a capture is not known beforehand: when there would be more than `limit` buckets, each
// pair of neighbours is joined. So the buckets always cover everything that was added, and
// there are at least limit / 2 of them after the first join. Sums are exact up to 2^53 ns;
// no time overflows.
class PictureSeries {
public:
	static constexpr size_t limit = 1 << 14;
	static constexpr unsigned int finest = 10; // 1 us

	explicit PictureSeries(size_t columns) : columns_(columns) {}

	// Adds weight times the overlap with from..to, in ns, to each bucket.
	void add_span(size_t column, uint64_t from, uint64_t to, uint64_t weight);
	// Adds the weight to the bucket of a moment.
	void add_moment(size_t column, uint64_t at, uint64_t weight);
	// Moves the content of one column to another one.
	void fold(size_t column, size_t into);
	// Makes buckets at least 2^shift ns wide.
	void coarsen(unsigned int shift);

	bool empty() const { return sums_.empty(); }
	size_t size() const { return sums_.size() / columns_; }
	size_t columns() const { return columns_; }
	unsigned int shift() const { return shift_; }
	// Returns the number of the first bucket, which begins at first() << shift().
	uint64_t first() const { return first_; }
	double at(size_t bucket, size_t column) const { return sums_[bucket * columns_ + column]; }

private:
	void cover(uint64_t from, uint64_t to);

	size_t columns_;
	unsigned int shift_ = finest;
	uint64_t first_ = 0;
	std::vector<double> sums_; // by bucket, then by column
};

} // namespace grtrace
