// SPDX-License-Identifier: GPL-2.0
//
// Column: one column of a table for other programs. CSV, JSON, databases and
// the manual are made from tables of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "lib/text/csv_line.h"
#include "lib/text/json_line.h"

namespace grtrace {

// The content of a column; text is good as long as its row.
struct Cell {
	enum class Kind { na, number, signed_number, text };

	Kind kind = Kind::na;
	uint64_t number = 0; // signed_number: an int64_t
	std::string_view text = {};

	static Cell na() { return {}; }
	static Cell of(uint64_t value) { return {Kind::number, value}; }
	static Cell of_signed(int64_t value)
	{
		return {Kind::signed_number, static_cast<uint64_t>(value)};
	}
	static Cell of(std::string_view value) { return {Kind::text, 0, value}; }
};

// Columns are only ever added to a table, at its end.
template <typename Row> struct Column {
	const char *name;
	const char *type; // number, text or id
	const char *help;
	Cell (*cell)(Row &row);

	// A number that names something, and may be above 2^53.
	bool is_id() const { return std::string_view(type) == "id"; }
};

template <typename Row>
void print_csv_header(fmt::memory_buffer &out, std::span<const Column<Row>> columns)
{
	CsvLine line(out);

	for (const auto &column : columns)
		line.text(column.name);
	line.end();
}

template <typename Row>
void print_csv(fmt::memory_buffer &out, std::span<const Column<Row>> columns, Row &row)
{
	CsvLine line(out);

	for (const auto &column : columns) {
		const Cell cell = column.cell(row);

		switch (cell.kind) {
		case Cell::Kind::na:
			line.na();
			break;
		case Cell::Kind::number:
			line.number(cell.number);
			break;
		case Cell::Kind::signed_number:
			line.number(static_cast<int64_t>(cell.number));
			break;
		case Cell::Kind::text:
			line.text(cell.text);
			break;
		}
	}
	line.end();
}

template <typename Row>
void add_json(JsonLine &line, std::span<const Column<Row>> columns, Row &row)
{
	for (const auto &column : columns) {
		const Cell cell = column.cell(row);

		switch (cell.kind) {
		case Cell::Kind::na:
			line.null(column.name);
			break;
		case Cell::Kind::number:
			if (column.is_id())
				line.digits(column.name, cell.number);
			else
				line.number(column.name, cell.number);
			break;
		case Cell::Kind::signed_number:
			line.number(column.name, static_cast<int64_t>(cell.number));
			break;
		case Cell::Kind::text:
			line.text(column.name, cell.text);
			break;
		}
	}
}

template <typename Row>
void print_json(fmt::memory_buffer &out, std::span<const Column<Row>> columns, Row &row)
{
	JsonLine line(out);

	add_json(line, columns, row);
	line.end();
}

// The table as text for --help.
template <typename Row> std::string describe_columns(std::span<const Column<Row>> columns)
{
	std::string out;

	for (const auto &column : columns)
		out += fmt::format("  {:<13} {:<7} {}\n", column.name, column.type, column.help);
	return out + "An id is a number that is compared and not calculated with. JSON has it as a "
		     "string:\nits readers may round what is above 2^53.\n";
}

} // namespace grtrace
