// SPDX-License-Identifier: GPL-2.0
//
// DiffSeries: durations in the order of the jobs, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// A job resembles the one before it: queues fill and empty, clocks go up and down. Drawing
// single jobs at random loses that resemblance and gives intervals that are too narrow. So
// the series is kept as *blocks* of consecutive jobs, each with its own histogram; a block
// can be drawn as a whole.
//
// There are at most `most_blocks`. When there would be one more, each pair of neighbours is
// joined, and from then on blocks are twice as long. So all jobs are included, however many
// there are, and blocks grow with the capture. Up to most_blocks jobs, each is a block of
// its own.
//
// The buckets are those of Histogram. Each bucket also remembers its least and its greatest
// value, so a percentile is not rounded to 3 %: it is exact if all values of the bucket are
// equal, and otherwise interpolated between these two.
class DiffSeries {
public:
	static constexpr size_t most_blocks = 128;

	struct Block {
		size_t first = 0; // bucket number of counts[0]
		// A count saturates; only a forged weight is that large.
		std::vector<uint32_t> counts;
		double jobs = 0; // jobs that the values represent
		double sum = 0; // ns
		uint64_t values = 0;
	};

	// weight: how many jobs the value represents.
	void add(uint64_t value, uint64_t weight);

	// Return the number of recorded values, and of the jobs that they represent.
	uint64_t values() const { return values_; }
	uint64_t jobs() const { return jobs_; }
	// Both are 0 for an empty series.
	uint64_t min() const { return values_ ? min_ : 0; }
	uint64_t max() const { return max_; }

	const std::vector<Block> &blocks() const { return blocks_; }
	// Return the first bucket in use, and one above the last.
	size_t end_bucket() const { return ends_.size(); }
	size_t first_bucket() const { return first_bucket_; }

	// Returns the value below which a fraction `part` (0 to 1) of a bucket's values lie.
	double value_in(size_t bucket, double part) const
	{
		const Ends &ends = ends_[bucket];

		return static_cast<double>(ends.least) +
		       part * static_cast<double>(ends.greatest - ends.least);
	}

private:
	struct Ends {
		uint64_t least = UINT64_MAX;
		uint64_t greatest = 0;
	};

	Block &open_block();
	void halve();

	std::vector<Block> blocks_;
	std::vector<Ends> ends_; // by bucket
	uint64_t block_values_ = 1; // values that fit into a block
	size_t first_bucket_ = SIZE_MAX;
	uint64_t values_ = 0;
	uint64_t jobs_ = 0;
	uint64_t min_ = UINT64_MAX;
	uint64_t max_ = 0;
};

} // namespace grtrace
