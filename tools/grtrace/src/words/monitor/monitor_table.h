// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/data/histogram.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// What stands in a column; a fact that is missing is NA.
struct MonitorCell {
	enum class Kind { na, text, number, decimal };

	Kind kind = Kind::na;
	std::string text;
	uint64_t number = 0;
	double decimal = 0;

	static MonitorCell na() { return {}; }
	static MonitorCell of(std::string_view text)
	{
		return {Kind::text, std::string(text), 0, 0};
	}
	static MonitorCell of(uint64_t number) { return {Kind::number, {}, number, 0}; }
	static MonitorCell of_decimal(double value) { return {Kind::decimal, {}, 0, value}; }
	// ns as us; NA where there was none.
	static MonitorCell us(const Histogram &times, uint64_t ns)
	{
		return times.count() ? of_decimal(static_cast<double>(ns) / 1000) : na();
	}

	// As UTF-8 without control characters.
	std::string shown() const;
};

// One part of what a monitor has to tell. Names of columns are those of CSV
// and JSON; units are in them.
struct MonitorTable {
	std::string name;
	std::vector<std::string> columns;
	std::vector<std::vector<MonitorCell>> rows;
};

// Aligned: text to the left, numbers to the right.
void print_table(fmt::memory_buffer &out, const MonitorTable &table);

enum class MonitorForm { text, csv, json };

// Rows for other programs: "time" (seconds) and "table" first. A table's line of
// names stands before its rows in CSV.
void print_table_csv(fmt::memory_buffer &out, const MonitorTable &table, double time, bool header);
void print_table_json(fmt::memory_buffer &out, const MonitorTable &table, double time);

} // namespace grtrace
