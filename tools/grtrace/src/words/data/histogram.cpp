// SPDX-License-Identifier: GPL-2.0
#include "words/data/histogram.h"

#include <algorithm>

namespace grtrace {

uint64_t Histogram::top_of(size_t bucket)
{
	if (bucket < exact)
		return bucket;

	unsigned int octave = static_cast<unsigned int>(bucket - exact) / 32 + 6;
	uint64_t part = (bucket - exact) % 32;
	uint64_t width = 1ull << (octave - 5);

	return (1ull << octave) + part * width + (width - 1);
}

void Histogram::add_now(std::span<const Value> values) const
{
	if (values.empty())
		return;

	// A local copy, because the compiler must assume that buckets and sums_ may
	// overlap.
	Sums sums = sums_;

	for (const auto &[value, weight] : values) {
		sums.count += weight;
		sums.sum += static_cast<__uint128_t>(value) * weight;
		sums.min = std::min(sums.min, value);
		sums.max = std::max(sums.max, value);
	}
	sums_ = sums;
	if (bucket_of(sums.max) >= buckets_.size())
		buckets_.resize(bucket_of(sums.max) + 1);

	uint16_t *buckets = buckets_.data();

	for (const auto &[value, weight] : values) {
		uint16_t &bucket = buckets[bucket_of(value)];
		const uint64_t sum = uint64_t(bucket) + weight;

		bucket = static_cast<uint16_t>(sum);
		if (sum >> bucket_bits)
			wrap(bucket_of(value), sum >> bucket_bits);
	}
}

void Histogram::wrap(size_t at, uint64_t times) const
{
	if (wraps_.size() < buckets_.size())
		wraps_.resize(buckets_.size());
	wraps_[at] += times;
}

void Histogram::settle() const
{
	if (!nr_waiting_)
		return;
	add_now(std::span(waiting_).first(nr_waiting_));
	nr_waiting_ = 0;
}

uint64_t Histogram::average() const
{
	const Sums &sums = settled();

	if (!sums.count)
		return 0;
	return static_cast<uint64_t>((sums.sum + sums.count / 2) / sums.count);
}

uint64_t Histogram::percentile(unsigned int permille) const
{
	const Sums &sums = settled();
	uint64_t wanted = (sums.count * permille + 999) / 1000;
	uint64_t seen = 0;

	for (size_t i = 0; i < buckets_.size(); i++) {
		seen += bucket(i);
		if (seen >= wanted && seen)
			return std::clamp(top_of(i), sums.min, sums.max);
	}
	return sums.max;
}

std::vector<uint64_t> Histogram::by_microseconds() const
{
	std::vector<uint64_t> rows;

	settle();
	for (size_t i = 0; i < buckets_.size(); i++) {
		if (!bucket(i))
			continue;
		size_t row = static_cast<size_t>(std::bit_width(top_of(i) / 1000));
		if (row >= rows.size())
			rows.resize(row + 1);
		rows[row] += bucket(i);
	}
	return rows;
}

} // namespace grtrace
