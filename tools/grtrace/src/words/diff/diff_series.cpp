// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_series.h"

#include <algorithm>

#include "words/data/histogram.h"

namespace grtrace {

static void count(uint32_t &total, uint64_t more)
{
	total = static_cast<uint32_t>(
		std::min<uint64_t>(total + std::min<uint64_t>(more, UINT32_MAX), UINT32_MAX));
}

static uint32_t &count_of(DiffSeries::Block &block, size_t bucket)
{
	if (block.counts.empty())
		block.first = bucket;
	if (bucket < block.first) {
		block.counts.insert(block.counts.begin(), block.first - bucket, 0);
		block.first = bucket;
	}
	if (bucket - block.first >= block.counts.size())
		block.counts.resize(bucket - block.first + 1);
	return block.counts[bucket - block.first];
}

static void join(DiffSeries::Block &into, const DiffSeries::Block &from)
{
	for (size_t i = 0; i < from.counts.size(); i++)
		if (from.counts[i])
			count(count_of(into, from.first + i), from.counts[i]);
	into.jobs += from.jobs;
	into.sum += from.sum;
	into.values += from.values;
}

void DiffSeries::halve()
{
	for (size_t i = 0; i < blocks_.size() / 2; i++) {
		join(blocks_[2 * i], blocks_[2 * i + 1]);
		if (i)
			blocks_[i] = std::move(blocks_[2 * i]);
	}
	blocks_.resize(blocks_.size() / 2);
	block_values_ *= 2;
}

DiffSeries::Block &DiffSeries::open_block()
{
	static_assert(most_blocks % 2 == 0);

	if (!blocks_.empty() && blocks_.back().values < block_values_)
		return blocks_.back();
	if (blocks_.size() == most_blocks)
		halve();
	return blocks_.emplace_back();
}

void DiffSeries::add(uint64_t value, uint64_t weight)
{
	size_t bucket = Histogram::bucket_of(value);
	Block &block = open_block();

	count(count_of(block, bucket), weight);
	block.jobs += static_cast<double>(weight);
	block.sum += static_cast<double>(value) * static_cast<double>(weight);
	block.values++;

	if (bucket >= ends_.size())
		ends_.resize(bucket + 1);
	ends_[bucket].least = std::min(ends_[bucket].least, value);
	ends_[bucket].greatest = std::max(ends_[bucket].greatest, value);
	first_bucket_ = std::min(first_bucket_, bucket);
	values_++;
	jobs_ += weight;
	min_ = std::min(min_, value);
	max_ = std::max(max_, value);
}

} // namespace grtrace
