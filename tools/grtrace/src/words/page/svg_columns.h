// SPDX-License-Identifier: GPL-2.0
//
// SvgColumns: a ring's series at the width of a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "words/page/picture.h"

namespace grtrace {

// Averages over columns of `width` pixels: how many jobs of each process were on
// the ring, and how many were on it or queued for it.
class SvgColumns {
public:
	static constexpr double width = 2;

	// The picture begins at from and has so many ns on `plot` pixels.
	SvgColumns(const PictureSeries &series, uint64_t from, double length,
		   double plot);

	size_t size() const { return sums_.size() / values; }
	double busy(size_t column, size_t slot) const
	{
		return sums_[column * values + slot] / ns_;
	}
	double depth(size_t column) const;
	double most_busy() const;
	double most_deep() const;

private:
	static constexpr size_t values = PictureRing::queued + 1;

	double sum(size_t column, size_t last) const;
	void add(double from, double to, size_t value, double ns);

	double ns_; // of a column
	std::vector<double> sums_; // ns
};

// Ticks of an axis: 1, 2 or 5 of some power of ten.
struct AxisStep {
	double ns;
	double unit; // ns
	const char *unit_name;
	int digits;

	std::string label(double at) const;
};

// For an axis of so many ns with about `ticks` ticks.
AxisStep axis_step(double length, double ticks);

} // namespace grtrace
