// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_axis.h"

#include <fmt/format.h>

namespace grtrace {

TimelineAxis::TimelineAxis(uint64_t from, uint64_t span, size_t columns)
	: from_(from), span_(span), columns_(columns)
{
	choose_step();
}

double TimelineAxis::position(uint64_t time) const
{
	if (time <= from_)
		return 0;
	if (time - from_ >= span_)
		return static_cast<double>(columns_);
	return static_cast<double>(time - from_) / static_cast<double>(span_) *
	       static_cast<double>(columns_);
}

// Puts a tick at each multiple of the step; false if the numbers would touch.
bool TimelineAxis::try_step(uint64_t step)
{
	static const Unit units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	size_t free_from = 0;

	for (unit_ = units; unit_->ns > step; unit_++)
		;
	ticks_.clear();
	for (uint64_t i = from_ / step + (from_ % step != 0);; i++) {
		uint64_t time;

		if (__builtin_mul_overflow(i, step, &time) || time - from_ >= span_)
			return true;

		Tick tick = {static_cast<size_t>(position(time)), fmt::to_string(time / unit_->ns)};
		if (tick.column < free_from)
			return false;
		// A number that would not fit after the last mark is left out.
		if (tick.column + tick.number.size() > columns_)
			return true;
		free_from = tick.column + tick.number.size() + 2;
		ticks_.push_back(std::move(tick));
	}
}

void TimelineAxis::choose_step()
{
	// A number and the space before the next one need at least 5 columns, and there are
	// only 3 steps for each power of ten.
	uint64_t least = span_ / columns_ * 5;

	for (uint64_t power = 1;; power *= 10) {
		for (uint64_t step : {power, 2 * power, 5 * power})
			if (step >= least && try_step(step))
				return;
		if (power > UINT64_MAX / 100) {
			ticks_.clear();
			return;
		}
	}
}

std::string TimelineAxis::numbers() const
{
	std::string line;

	for (const Tick &tick : ticks_) {
		line.resize(tick.column, ' ');
		line += tick.number;
	}
	return line;
}

std::string TimelineAxis::ruler() const
{
	std::string line(columns_, '-');

	for (const Tick &tick : ticks_)
		line[tick.column] = '|';
	return line;
}

} // namespace grtrace
