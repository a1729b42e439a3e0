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

// The content of a column: a text, a number, or NA where a fact is missing.
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

	// ns as us; NA where there was none.
	static MonitorCell us(const Histogram &times, uint64_t ns)
	{
		return times.count() ? MonitorCell(static_cast<double>(ns) / 1000) : MonitorCell();
	}

	bool is_text() const { return kind_ == Kind::text; }
	// As UTF-8 without control characters.
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

// One part of a monitor's output. Names of columns are those of CSV
// and JSON; units are in them.
struct MonitorTable {
	std::string name;
	std::vector<std::string> columns;
	std::vector<std::vector<MonitorCell>> rows;
};

// Aligned: text to the left, numbers to the right.
void print_table(fmt::memory_buffer &out, const MonitorTable &table);

enum class MonitorForm { text, csv, json };

// Rows for other programs: "time" (seconds) and "table" first. In CSV the
// names of a table's columns come before its rows.
void print_table_csv(fmt::memory_buffer &out, const MonitorTable &table, double time, bool header);
void print_table_json(fmt::memory_buffer &out, const MonitorTable &table, double time);

} // namespace grtrace
