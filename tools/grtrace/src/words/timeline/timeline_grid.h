// SPDX-License-Identifier: GPL-2.0
//
// TimelineGrid: time of any length, divided into slices. TimelineSums: a sum for each
// slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// The length of a capture that comes through a pipe is known only at its end. So there is a
// fixed number of slices, which begin with a width of 1 ns; when they are used up, each
// pair of neighbours is joined into a slice of twice the width. In the end a column of the
// drawing is a whole number of slices, from 8 to 16, so its value is exact. In return the
// drawing may be up to a ninth narrower than the terminal.
class TimelineGrid {
public:
	static constexpr size_t slices_per_column = 16;

	// columns: the maximum.
	explicit TimelineGrid(size_t columns) : columns_max_(columns) {}

	// Sets the first moment.
	void begin(uint64_t origin) { origin_ = end_ = origin; }
	// Extends the interval to at least this moment.
	void reach(uint64_t ts);

	uint64_t origin() const { return origin_; }
	uint64_t end() const { return end_; }
	uint64_t span() const { return end_ - origin_; } // ns

	// A slice is 2^shift ns wide.
	unsigned int shift() const { return shift_; }
	size_t capacity() const { return columns_max_ * slices_per_column; }
	size_t slices() const;

	// Return the form of the drawing.
	size_t group() const; // slices in a column
	size_t columns() const;
	uint64_t column_ns() const { return uint64_t(group()) << shift_; }
	uint64_t column_start(size_t column) const { return origin_ + column * column_ns(); }
	// Returns the width of a column within the interval; the last one may be shorter.
	uint64_t column_length(size_t column) const;

private:
	size_t columns_max_;
	uint64_t origin_ = 0;
	uint64_t end_ = 0;
	unsigned int shift_ = 0;
};

// The time for which something lasted, in each slice: overlapping jobs count several times.
// The sums are adapted to the grid when they are read. Adding takes constant time, because
// slices that are covered completely are counted only at the first and after the last one.
// Sums are modulo 2^64.
class TimelineSums {
public:
	// Adds the time between two moments `weight` times; the grid must have reached
	// `to`. Times before its origin are ignored.
	void add(const TimelineGrid &grid, uint64_t from, uint64_t to, uint64_t weight);

	// Returns ns by column.
	std::vector<uint64_t> columns(const TimelineGrid &grid);

private:
	struct Slice {
		uint64_t part = 0; // ns of what covers the slice in part
		uint64_t more = 0; // what covers it completely, minus what covers the previous one
	};

	void settle();
	void follow(const TimelineGrid &grid);

	std::vector<Slice> slices_;
	unsigned int shift_ = 0;
};

} // namespace grtrace
