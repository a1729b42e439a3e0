// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/columns/csv_line.h"
#include "words/columns/json_line.h"
#include "words/data/histogram.h"

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// The content of a column: a text, a number, or NA for a missing fact.
class MonitorCell {
public:
	MonitorCell() = default; // NA
	MonitorCell(std::string_view text) : kind_(Kind::text), text_(text) {}
	MonitorCell(const std::string &text) : kind_(Kind::text), text_(text) {}
	MonitorCell(const char *text) : kind_(Kind::text), text_(text) {}
	template <std::unsigned_integral T>
	MonitorCell(T number) : kind_(Kind::number), number_(number)
	{
	}
	template <std::floating_point T>
	MonitorCell(T decimal) : kind_(Kind::decimal), decimal_(decimal)
	{
	}

	// Returns ns as us; NA if times is empty.
	static MonitorCell us(const Histogram &times, uint64_t ns)
	{
		return times.count() ? MonitorCell(static_cast<double>(ns) / 1000) : MonitorCell();
	}

	bool is_text() const { return kind_ == Kind::text; }
	// Returns UTF-8 without control characters.
	std::string shown() const;
	void add_to(CsvLine &line) const;
	void add_to(JsonLine &line, std::string_view name) const;

private:
	enum class Kind { na, text, number, decimal };

	Kind kind_ = Kind::na;
	std::string text_;
	uint64_t number_ = 0;
	double decimal_ = 0;
};

// One part of a monitor's output. The column names are also used in CSV and JSON, and
// contain the units.
struct MonitorTable {
	std::string name;
	std::vector<std::string> columns;
	std::vector<std::vector<MonitorCell>> rows;
};

// Prints aligned columns: text to the left, numbers to the right.
void print_table(fmt::memory_buffer &out, const MonitorTable &table);

enum class MonitorForm { text, csv, json };

// Print rows for other programs, with "time" (seconds) and "table" first. In CSV the column
// names of a table come before its rows.
void print_table_csv(fmt::memory_buffer &out, const MonitorTable &table, double time, bool header);
void print_table_json(fmt::memory_buffer &out, const MonitorTable &table, double time);

} // namespace grtrace
