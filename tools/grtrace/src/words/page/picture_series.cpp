// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture_series.h"

#include <algorithm>

namespace grtrace {

void PictureSeries::coarsen(unsigned int shift)
{
	// Long before a shift of 64, few enough buckets are left.
	if (shift <= shift_ || shift > 63)
		return;
	if (empty()) {
		shift_ = shift;
		return;
	}

	const unsigned int by = shift - shift_;
	const uint64_t last = (first_ + size() - 1) >> by;
	const uint64_t first = first_ >> by;
	std::vector<double> sums((last - first + 1) * columns_);

	for (size_t i = 0; i < size(); i++) {
		const size_t to = static_cast<size_t>(((first_ + i) >> by) - first);

		for (size_t c = 0; c < columns_; c++)
			sums[to * columns_ + c] += at(i, c);
	}
	sums_.swap(sums);
	first_ = first;
	shift_ = shift;
}

// Makes buckets for all times from..to, in both directions.
void PictureSeries::cover(uint64_t from, uint64_t to)
{
	auto begin = [&] { return empty() ? from >> shift_ : std::min(first_, from >> shift_); };
	auto end = [&] {
		return empty() ? to >> shift_ : std::max(first_ + size() - 1, to >> shift_);
	};

	while (end() - begin() >= limit)
		coarsen(shift_ + 1);

	uint64_t first = begin();
	const uint64_t last = end();
	if (!empty() && first < first_) {
		// Reserves more room, so that times that go back bucket by bucket do not
		// move all buckets each time.
		const uint64_t room = limit - (last - first + 1);

		first -= std::min({first, room, uint64_t(size() / 2)});
		sums_.insert(sums_.begin(), static_cast<size_t>(first_ - first) * columns_, 0.0);
	}
	first_ = first;
	sums_.resize(static_cast<size_t>(last - first + 1) * columns_);
}

void PictureSeries::add_span(size_t column, uint64_t from, uint64_t to, uint64_t weight)
{
	if (from >= to)
		return;
	cover(from, to - 1);

	const uint64_t last = (to - 1) >> shift_;
	const uint64_t width = uint64_t(1) << shift_;
	for (uint64_t i = from >> shift_; i <= last; i++) {
		const uint64_t begin = i << shift_;
		// The last bucket may end at the limit of 64 bits.
		const uint64_t left = std::max(from, begin) - begin;
		const uint64_t right = i == last ? to - begin : width;

		sums_[(i - first_) * columns_ + column] +=
			static_cast<double>(right - left) * static_cast<double>(weight);
	}
}

void PictureSeries::add_moment(size_t column, uint64_t at, uint64_t weight)
{
	cover(at, at);
	sums_[((at >> shift_) - first_) * columns_ + column] += static_cast<double>(weight);
}

void PictureSeries::fold(size_t column, size_t into)
{
	for (size_t i = 0; i < size(); i++) {
		sums_[i * columns_ + into] += at(i, column);
		sums_[i * columns_ + column] = 0;
	}
}

} // namespace grtrace
