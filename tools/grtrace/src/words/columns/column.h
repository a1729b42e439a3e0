// SPDX-License-Identifier: GPL-2.0
//
// Column: one column of a table for other programs. CSV, JSON, databases and the manual are
// generated from tables of columns.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "words/columns/csv_line.h"
#include "words/columns/json_line.h"

namespace grtrace {

// The content of a column, or NA; the text is valid as long as its row.
struct Cell {
	Cell() = default;
	Cell(std::unsigned_integral auto number) : value(uint64_t(number)) {}
	Cell(std::signed_integral auto number) : value(int64_t(number)) {}
	Cell(std::string_view text) : value(text) {}
	Cell(const std::string &text) : value(std::string_view(text)) {}
	Cell(const char *text) : value(std::string_view(text)) {}

	std::variant<std::monostate, uint64_t, int64_t, std::string_view> value;
};

// A schema also says whether a number may be NA, or below 0.
enum ColumnTrait : unsigned int { may_lack = 1, may_be_negative = 2 };

// A new column is added at the end of its table, and none is removed.
template <typename Row> struct Column {
	const char *name;
	const char *type; // number, text or id
	const char *help;
	Cell (*cell)(Row &row);
	const char *unit = "";
	unsigned int traits = 0; // bits of ColumnTrait

	// JSON has such a number as a string: an id may exceed 2^53, and a text is of one type in
	// each row, even where a number stands for an unknown name.
	bool is_quoted() const { return *type != 'n'; }
	bool is_text() const { return *type == 't'; }
};

template <typename Row>
void print_csv_header(fmt::memory_buffer &out, std::span<const Column<Row>> columns)
{
	CsvLine line(out);

	for (const auto &column : columns)
		line.text(column.name);
	line.end();
}

// Both put a cell into a line: the first into a line of CSV, the second into a
// line of JSON.
struct CsvCell {
	void operator()(std::monostate) { line.na(); }
	void operator()(std::integral auto number) { line.number(number); }
	void operator()(std::string_view text) { line.text(text); }

	CsvLine &line;
};

struct JsonCell {
	void operator()(std::monostate) { line.null(name); }
	void operator()(int64_t number) { line.number(name, number); }
	void operator()(uint64_t number)
	{
		quoted ? line.digits(name, number) : line.number(name, number);
	}
	void operator()(std::string_view text) { line.text(name, text); }

	JsonLine &line;
	const char *name;
	bool quoted;
};

template <typename Row>
void print_csv(fmt::memory_buffer &out, std::span<const Column<Row>> columns, Row &row,
	       std::string_view null = "NA")
{
	CsvLine line(out, null);

	for (const auto &column : columns)
		std::visit(CsvCell{line}, column.cell(row).value);
	line.end();
}

template <typename Row>
void add_json(JsonLine &line, std::span<const Column<Row>> columns, Row &row)
{
	for (const auto &column : columns)
		std::visit(JsonCell{line, column.name, column.is_quoted()}, column.cell(row).value);
}

template <typename Row>
void print_json(fmt::memory_buffer &out, std::span<const Column<Row>> columns, Row &row)
{
	JsonLine line(out);

	add_json(line, columns, row);
	line.end();
}

// Returns the table as text for --help.
template <typename Row> std::string describe_columns(std::span<const Column<Row>> columns)
{
	std::string out;

	for (const auto &column : columns)
		out += fmt::format("  {:<13} {:<7} {}{}{}\n", column.name, column.type, column.help,
				   *column.unit ? ", " : "", column.unit);
	return out + "An id is a number that is only compared. JSON has it as a "
		     "string:\nits readers may round what is above 2^53.\n";
}

} // namespace grtrace
