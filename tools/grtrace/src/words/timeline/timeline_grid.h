// SPDX-License-Identifier: GPL-2.0
//
// TimelineGrid: time cut into slices, whatever its span. TimelineSums: a sum
// for each slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace grtrace {

// The length of a pipe's capture is known at its end. So there is a fixed number of
// slices, which begin with a width of 1 ns; when time runs out of them, their
// width doubles and each two become one. At the end a column of the drawing is
// a whole number of slices, 8 to 16 of them: what it shows is exact; for that
// the drawing may be up to a ninth narrower than the terminal.
class TimelineGrid {
public:
	static constexpr size_t slices_per_column = 16;

	// The most columns there may be.
	explicit TimelineGrid(size_t columns) : columns_max_(columns) {}

	// The first moment.
	void begin(uint64_t origin) { origin_ = end_ = origin; }
	// The interval lasts at least until this moment.
	void reach(uint64_t ts);

	uint64_t origin() const { return origin_; }
	uint64_t end() const { return end_; }
	uint64_t span() const { return end_ - origin_; } // ns

	// A slice is 2^shift ns wide.
	unsigned int shift() const { return shift_; }
	size_t capacity() const { return columns_max_ * slices_per_column; }
	size_t slices() const;

	// How it is to be drawn.
	size_t group() const; // slices of a column
	size_t columns() const;
	uint64_t column_ns() const { return uint64_t(group()) << shift_; }
	uint64_t column_start(size_t column) const { return origin_ + column * column_ns(); }
	// Width in the interval; the last one may be shorter.
	uint64_t column_length(size_t column) const;

private:
	size_t columns_max_;
	uint64_t origin_ = 0;
	uint64_t end_ = 0;
	unsigned int shift_ = 0;
};

// How long something was, in each slice: jobs that overlap count several times.
// Follows the grid when it is asked. Adding takes constant time: slices that
// are covered whole are counted at the first and behind the last one. Sums are
// modulo 2^64.
class TimelineSums {
public:
	// From one moment to the other, `weight` times; the grid must have
	// reached `to`. Times before its origin are left out.
	void add(const TimelineGrid &grid, uint64_t from, uint64_t to, uint64_t weight);

	// ns by column.
	std::vector<uint64_t> columns(const TimelineGrid &grid);

private:
	struct Slice {
		uint64_t part = 0; // ns, of what covers it in part
		uint64_t more = 0; // what covers it whole, and not the last one
	};

	void settle();
	void follow(const TimelineGrid &grid);

	std::vector<Slice> slices_;
	unsigned int shift_ = 0;
};

} // namespace grtrace
