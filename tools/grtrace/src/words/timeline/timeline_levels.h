// SPDX-License-Identifier: GPL-2.0
//
// TimelineLevels: numbers that MESSAGEs of memory and power tell, over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/data/spans.h"
#include "read/stream/note_counter.h"
#include "lib/terminal/paint.h"
#include "lib/terminal/terminal.h"
#include "words/timeline/timeline_grid.h"

namespace grtrace {

// A level holds from the moment that it is told at until it is told again. Of
// each slice of the grid there is the greatest and the last one: what a column
// shows is exact. Memory grows with levels, of which there are no more than so
// many: those that come later are counted.
class TimelineLevels {
public:
	static constexpr size_t levels_max = 8;
	static constexpr size_t drawn_max = 4;

	// All of them must outlive it.
	TimelineLevels(const Terminal &terminal, const TimelineGrid &grid,
		       const LossSpans &losses)
		: terminal_(terminal), grid_(grid), losses_(losses)
	{
	}

	// What was told before the grid's origin is what it begins with.
	void tell(const NoteCounter &counter, uint64_t ts, bool is_before);

	// The grid has reached another moment, or its end.
	void settle(bool ended);

	bool empty() const { return levels_.empty(); }
	void print(Paint &paint);
	std::string key() const;

private:
	struct Slice {
		uint64_t most = 0;
		uint64_t last = 0;
		bool told = false;
	};
	struct Level {
		std::string name;
		bool bytes;
		bool known = false; // at the origin
		uint64_t before = 0; // what it was then
		unsigned int shift = 0;
		std::vector<Slice> slices;
	};
	// Beyond what the grid has reached.
	struct Told {
		size_t level;
		uint64_t ts;
		uint64_t value;
	};
	struct Column {
		uint64_t most = 0;
		bool known = false;
		bool lost = false; // or it could have changed unseen
	};

	static void merge(Slice &slice, const Slice &later);
	static void follow(Level &level, const TimelineGrid &grid);
	void put(Level &level, uint64_t ts, uint64_t value);
	std::vector<Column> columns_of(Level &level) const;
	void print_level(Paint &paint, Level &level) const;

	const Terminal &terminal_;
	const TimelineGrid &grid_;
	const LossSpans &losses_;
	std::vector<Level> levels_;
	std::vector<Told> ahead_;
	uint64_t left_out_ = 0; // numbers of more levels than there may be
};

// 1.5 GiB, 300 MHz.
std::string level_text(uint64_t value, bool bytes);

} // namespace grtrace
