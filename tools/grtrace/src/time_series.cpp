// SPDX-License-Identifier: GPL-2.0
#include "time_series.h"

namespace grtrace {

void TimeSeries::halve()
{
	size_t kept = (buckets_.size() + 1) / 2;

	for (size_t i = 0; i < kept; i++) {
		Bucket sum = buckets_[2 * i];

		if (2 * i + 1 < buckets_.size()) {
			const Bucket &other = buckets_[2 * i + 1];

			sum.integral += other.integral;
			sum.max = std::max(sum.max, other.max);
		}
		buckets_[i] = sum;
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
	for (size_t i = static_cast<size_t>((from - start_) >> shift_);
	     i <= last; i++) {
		uint64_t begin = start_ + (uint64_t(i) << shift_);
		uint64_t rest = to - std::max(from, begin);
		uint64_t room = begin + width() - std::max(from, begin);

		buckets_[i].add(value, std::min(rest, room));
	}
}

} // namespace grtrace
