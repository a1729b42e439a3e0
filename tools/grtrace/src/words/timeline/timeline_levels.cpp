// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_levels.h"

#include <algorithm>
#include <iterator>

namespace grtrace {

std::string level_text(uint64_t value, bool bytes)
{
	static const char *const of_bytes[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	static const char *const of_rate[] = {"Hz", "kHz", "MHz", "GHz", "THz"};
	const double step = bytes ? 1024 : 1000;
	auto number = static_cast<double>(value);
	size_t unit = 0;

	while (number >= step && unit + 1 < std::size(of_bytes)) {
		number /= step;
		unit++;
	}
	return fmt::format("{:.{}f} {}", number, unit && number < 99.95 ? 1 : 0,
			   (bytes ? of_bytes : of_rate)[unit]);
}

// Tracers tell of each process beside all of them: only the latter is drawn.
static bool is_of_a_process(std::string_view name)
{
	const size_t pid = name.find(" pid=");

	return pid != name.npos && !name.substr(pid).starts_with(" pid=0");
}

void TimelineLevels::merge(Slice &slice, const Slice &later)
{
	if (!later.told)
		return;
	slice.most = slice.told ? std::max(slice.most, later.most) : later.most;
	slice.last = later.last;
	slice.told = true;
}

void TimelineLevels::follow(Level &level, const TimelineGrid &grid)
{
	std::vector<Slice> &slices = level.slices;

	for (; level.shift < grid.shift(); level.shift++) {
		const size_t kept = (slices.size() + 1) / 2;

		for (size_t i = 0; i < kept; i++) {
			Slice both = slices[2 * i];

			if (2 * i + 1 < slices.size())
				merge(both, slices[2 * i + 1]);
			slices[i] = both;
		}
		slices.resize(kept);
	}
}

void TimelineLevels::put(Level &level, uint64_t ts, uint64_t value)
{
	follow(level, grid_);
	const size_t slice = (ts - grid_.origin()) >> level.shift;
	if (level.slices.size() <= slice)
		level.slices.resize(slice + 1);
	merge(level.slices[slice], {value, value, true});
}

void TimelineLevels::tell(const NoteCounter &counter, uint64_t ts,
			  bool is_before)
{
	if (is_of_a_process(counter.name))
		return;
	auto level = std::find_if(
		levels_.begin(), levels_.end(),
		[&](const Level &one) { return one.name == counter.name; });
	if (level == levels_.end()) {
		if (levels_.size() == levels_max) {
			left_out_++;
			return;
		}
		levels_.push_back(
			{counter.name, counter.bytes, false, 0, 0, {}});
		level = levels_.end() - 1;
	}
	if (is_before) {
		level->before = counter.value;
		level->known = true;
	} else if (ts < grid_.end()) {
		put(*level, ts, counter.value);
	} else {
		ahead_.push_back(
			{size_t(level - levels_.begin()), ts, counter.value});
	}
}

// The last moment of the interval is drawn as the nanosecond before it.
void TimelineLevels::settle(bool ended)
{
	std::erase_if(ahead_, [this, ended](const Told &told) {
		if (told.ts < grid_.end())
			put(levels_[told.level], told.ts, told.value);
		else if (!ended)
			return false;
		else if (told.ts == grid_.end())
			put(levels_[told.level], told.ts - (grid_.span() != 0),
			    told.value);
		return true;
	});
}

std::vector<TimelineLevels::Column>
TimelineLevels::columns_of(Level &level) const
{
	std::vector<Column> columns(grid_.columns());
	uint64_t value = level.before;
	bool known = level.known;

	follow(level, grid_);
	for (size_t i = 0; i < columns.size(); i++) {
		const uint64_t from = grid_.column_start(i);
		Column &column = columns[i];
		Slice all;

		for (size_t at = i * grid_.group();
		     at <
		     std::min((i + 1) * grid_.group(), level.slices.size());
		     at++)
			merge(all, level.slices[at]);
		column.most = known ? value : 0;
		if (all.told)
			column.most = std::max(column.most, all.most);
		column.known = known || all.told;
		column.lost =
			!all.told &&
			losses_.touch(from, from + grid_.column_length(i) - 1);
		value = all.told ? all.last : value;
		known = column.known;
	}
	return columns;
}

void TimelineLevels::print_level(Paint &paint, Level &level) const
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄",
					     "▅", "▆", "▇", "█"};
	const std::vector<Column> columns = columns_of(level);
	uint64_t least = UINT64_MAX, most = 0;

	for (const Column &column : columns) {
		if (!column.known)
			continue;
		least = std::min(least, column.most);
		most = std::max(most, column.most);
	}
	// Told too late to be drawn.
	if (least > most)
		return;
	std::string name = level.name;
	std::string range = "  " + level_text(least, level.bytes);

	if (least != most)
		range += " to " + level_text(most, level.bytes);
	name.resize(std::min<size_t>(name.size(), terminal_.width));
	paint.end_line();
	paint.put(name, Colour::bold);
	if (range.size() > terminal_.width - name.size())
		paint.end_line();
	paint.put(fit_parts(range, terminal_.width));
	paint.end_line();
	paint.put(" level ");
	for (const Column &column : columns) {
		const double share = most ? static_cast<double>(column.most) /
						     static_cast<double>(most) :
					    0;

		if (!column.known)
			paint.put(" ");
		else if (column.lost)
			paint.put("/", Colour::red);
		else if (terminal_.utf8)
			paint.put(blocks[static_cast<size_t>(share * 7)],
				  Colour::faint);
		else
			paint.put(fmt::to_string(
				static_cast<unsigned int>(share * 9)));
	}
	paint.end_line();
}

void TimelineLevels::print(Paint &paint)
{
	const size_t drawn = std::min(levels_.size(), drawn_max);

	for (size_t i = 0; i < drawn; i++)
		print_level(paint, levels_[i]);
	if (levels_.size() == drawn)
		return;
	std::string more = fmt::format("{}{} more: grtrace export has them",
				       left_out_ ? "at least " : "",
				       levels_.size() - drawn);
	more.resize(std::min<size_t>(more.size(), terminal_.width));
	paint.put(more);
	paint.end_line();
}

std::string TimelineLevels::key() const
{
	return terminal_.utf8 ? "level: the greatest in the column, the "
				"greatest of all is a full block" :
				"level: the greatest in the column, the "
				"greatest of all is 9";
}

} // namespace grtrace
