// SPDX-License-Identifier: GPL-2.0
#include "histogram.h"

namespace grtrace {

uint64_t Histogram::top_of(size_t bucket)
{
	if (bucket < exact)
		return bucket;

	unsigned int octave =
		static_cast<unsigned int>(bucket - exact) / 32 + 6;
	uint64_t part = (bucket - exact) % 32;
	uint64_t width = 1ull << (octave - 5);

	return (1ull << octave) + part * width + (width - 1);
}

// A sum is rounded: it may say more than any of its values, and more than 64 bits
// have.
uint64_t Histogram::average() const
{
	if (!count_)
		return 0;
	const double mean = sum_ / static_cast<double>(count_);
	return mean < static_cast<double>(max_) ? static_cast<uint64_t>(mean) :
						  max_;
}

uint64_t Histogram::percentile(unsigned int permille) const
{
	uint64_t wanted = (count_ * permille + 999) / 1000;
	uint64_t seen = 0;

	for (size_t i = 0; i < buckets_.size(); i++) {
		seen += buckets_[i];
		if (seen >= wanted && seen)
			return std::clamp(top_of(i), min_, max_);
	}
	return max_;
}

std::vector<uint64_t> Histogram::by_microseconds() const
{
	std::vector<uint64_t> rows;

	for (size_t i = 0; i < buckets_.size(); i++) {
		if (!buckets_[i])
			continue;
		size_t row =
			static_cast<size_t>(std::bit_width(top_of(i) / 1000));
		if (row >= rows.size())
			rows.resize(row + 1);
		rows[row] += buckets_[i];
	}
	return rows;
}

} // namespace grtrace
