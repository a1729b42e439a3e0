// SPDX-License-Identifier: GPL-2.0
//
// DiffSeries: durations in the order in which they came, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// One job is like the one before it: queues fill and empty, clocks go up and
// down. Drawing single jobs at random destroys that and gives
// intervals that are too narrow. So the series is kept as *blocks* of jobs that followed each
// other, each with its own histogram; a block can be drawn as a whole.
//
// There are at most `most_blocks`. When there would be one more, each two
// neighbours become one and blocks are twice as long from then on: all jobs are
// in, however many there are, and blocks grow with the capture. Below
// most_blocks jobs, each is a block of its own.
//
// Buckets are those of Histogram; as each remembers its least and its greatest
// value, a percentile is not rounded to 3 % as there: it is exact where the
// values of a bucket are equal, else it is interpolated between the two.
class DiffSeries {
public:
	static constexpr size_t most_blocks = 128;

	struct Block {
		size_t first = 0; // bucket of counts[0]
		// A count saturates; only a forged weight reaches that.
		std::vector<uint32_t> counts;
		double jobs = 0; // that its values stand for
		double sum = 0; // ns
		uint64_t values = 0;
	};

	// weight: how many jobs it stands for.
	void add(uint64_t value, uint64_t weight);

	// Values that were recorded, and jobs that they stand for.
	uint64_t values() const { return values_; }
	uint64_t jobs() const { return jobs_; }
	// For an empty series both are 0.
	uint64_t min() const { return values_ ? min_ : 0; }
	uint64_t max() const { return max_; }

	const std::vector<Block> &blocks() const { return blocks_; }
	// The first bucket in use, and one more than the last.
	size_t end_bucket() const { return ends_.size(); }
	size_t first_bucket() const { return first_bucket_; }

	// The value below which the share `part` (0 to 1) of a bucket lies.
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
	uint64_t block_values_ = 1; // that a block takes
	size_t first_bucket_ = SIZE_MAX;
	uint64_t values_ = 0;
	uint64_t jobs_ = 0;
	uint64_t min_ = UINT64_MAX;
	uint64_t max_ = 0;
};

} // namespace grtrace
