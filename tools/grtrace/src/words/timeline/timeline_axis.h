// SPDX-License-Identifier: GPL-2.0
//
// TimelineAxis: converts moments to columns, and prints round numbers above them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// Times are ns since the session's start.
class TimelineAxis {
public:
	// Maps span ns to that many columns; neither is 0.
	TimelineAxis(uint64_t from, uint64_t span, size_t columns);

	// Returns the place in the drawing, from 0 to columns().
	double position(uint64_t time) const;
	size_t columns() const { return columns_; }

	// Returns the unit of the numbers: "ns", "us", "ms" or "s".
	const char *unit() const { return unit_->name; }
	// Both return one line: the numbers, and a ruler with a mark for each.
	std::string numbers() const;
	std::string ruler() const;

private:
	struct Unit {
		uint64_t ns;
		const char *name;
	};
	struct Tick {
		size_t column;
		std::string number;
	};

	bool try_step(uint64_t step);
	void choose_step();

	uint64_t from_;
	uint64_t span_;
	size_t columns_;
	const Unit *unit_;
	std::vector<Tick> ticks_;
};

} // namespace grtrace
