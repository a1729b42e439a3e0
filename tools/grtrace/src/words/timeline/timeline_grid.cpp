// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_grid.h"

#include <algorithm>

namespace grtrace {

void TimelineGrid::reach(uint64_t ts)
{
	if (ts <= end_)
		return;
	end_ = ts;
	while ((end_ - 1 - origin_) >> shift_ >= capacity())
		shift_++;
}

size_t TimelineGrid::slices() const
{
	return end_ == origin_ ? 1 : ((end_ - 1 - origin_) >> shift_) + 1;
}

size_t TimelineGrid::group() const
{
	return (slices() + columns_max_ - 1) / columns_max_;
}

size_t TimelineGrid::columns() const
{
	return (slices() + group() - 1) / group();
}

uint64_t TimelineGrid::column_length(size_t column) const
{
	return std::min(column_ns(), span() - column * column_ns());
}

// Afterwards no slice is covered by more than its part.
void TimelineSums::settle()
{
	uint64_t whole = 0;

	for (Slice &slice : slices_) {
		whole += slice.more;
		slice.part += whole << shift_;
		slice.more = 0;
	}
}

void TimelineSums::follow(const TimelineGrid &grid)
{
	if (shift_ == grid.shift())
		return;
	settle();
	for (; shift_ < grid.shift(); shift_++) {
		size_t kept = (slices_.size() + 1) / 2;

		for (size_t i = 0; i < kept; i++) {
			uint64_t sum = slices_[2 * i].part;

			if (2 * i + 1 < slices_.size())
				sum += slices_[2 * i + 1].part;
			slices_[i].part = sum;
		}
		slices_.resize(kept);
	}
}

void TimelineSums::add(const TimelineGrid &grid, uint64_t from, uint64_t to, uint64_t weight)
{
	from = std::max(from, grid.origin());
	to = std::min(to, grid.end());
	if (to <= from)
		return;
	follow(grid);
	from -= grid.origin();
	to -= grid.origin();

	size_t first = from >> shift_;
	size_t last = (to - 1) >> shift_;
	if (slices_.size() < last + 1)
		slices_.resize(last + 1);
	if (first == last) {
		slices_[first].part += (to - from) * weight;
		return;
	}
	slices_[first].part += ((uint64_t(first + 1) << shift_) - from) * weight;
	slices_[last].part += (to - (uint64_t(last) << shift_)) * weight;
	slices_[first + 1].more += weight;
	slices_[last].more -= weight;
}

std::vector<uint64_t> TimelineSums::columns(const TimelineGrid &grid)
{
	std::vector<uint64_t> sums(grid.columns());

	follow(grid);
	settle();
	for (size_t i = 0; i < slices_.size(); i++)
		sums[i / grid.group()] += slices_[i].part;
	return sums;
}

} // namespace grtrace
