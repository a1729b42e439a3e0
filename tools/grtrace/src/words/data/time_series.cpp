// SPDX-License-Identifier: GPL-2.0
#include "words/data/time_series.h"

namespace grtrace {

void TimeSeries::halve()
{
	size_t kept = (buckets_.size() + 1) / 2;

	for (size_t i = 0; i < kept; i++) {
		const size_t second = std::min(2 * i + 1, buckets_.size() - 1);

		buckets_[i] = std::max(buckets_[2 * i], buckets_[second]);
	}
	buckets_.resize(kept);
	shift_++;
}

void TimeSeries::hold_long(uint64_t from, uint64_t to, uint64_t value)
{
	if (buckets_.empty())
		start_ = from;
	if (from < start_ || to <= from)
		return;
	while ((to - 1 - start_) >> shift_ >= limit)
		halve();

	size_t last = static_cast<size_t>((to - 1 - start_) >> shift_);
	if (buckets_.size() <= last)
		buckets_.resize(last + 1);
	for (size_t i = static_cast<size_t>((from - start_) >> shift_); i <= last; i++)
		buckets_[i] = std::max(buckets_[i], value);
	last_ = last;
	last_from_ = start_ + (last << shift_);
	last_width_ = width();
}

} // namespace grtrace
