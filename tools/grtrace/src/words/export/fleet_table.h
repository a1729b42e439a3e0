// SPDX-License-Identifier: GPL-2.0
//
// fleet_table: rows that can be stored together with rows of other captures, boots and
// machines. Rows and schemas are made from the same tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "read/capture/capture.h"
#include "words/columns/column.h"
#include "words/export/export_options.h"
#include "words/jobs/job_columns.h"

namespace grtrace {

// The cells that are the same in all rows of a capture; each row begins with them.
struct CaptureRow {
	Capture &capture;
	uint64_t jobs = 0; // so far
	std::string made = {}; // text that is made for one cell
};

using CaptureColumn = Column<CaptureRow>;

std::span<const CaptureColumn> fleet_head();
// The columns of a row for each capture, after the head.
std::span<const CaptureColumn> capture_columns();
// The columns of a job after job_columns().
std::span<const JobColumn> fleet_job_tail();

// Names are always texts. A name that other tables show as NA or as an id is empty
// here.
template <typename Row, typename Visitor>
void visit_fleet_cell(const Column<Row> &column, Row &row, Visitor &&visitor)
{
	// A copy of the cell would cost as much as printing it.
	const Cell cell = column.cell(row);

	if (column.is_text() && !std::holds_alternative<std::string_view>(cell.value))
		visitor(std::string_view());
	else
		std::visit(visitor, cell.value);
}

// A column for a schema.
struct FleetField {
	std::string_view name;
	std::string_view type; // text, number or id
	std::string_view unit;
	std::string_view help;
	unsigned int traits;
};

// Returns the columns in the order of a row. rows must not be all.
std::vector<FleetField> fleet_fields(ExportOptions::Rows rows);

// Text in which each byte that is not UTF-8 is \xNN.
std::string fleet_text(std::string_view bytes);

} // namespace grtrace
