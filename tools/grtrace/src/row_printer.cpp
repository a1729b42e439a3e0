// SPDX-License-Identifier: GPL-2.0
#include "row_printer.h"

#include "csv_line.h"
#include "event_columns.h"
#include "json_line.h"

namespace grtrace {

static void print_csv(fmt::memory_buffer &out, EventRow &row)
{
	CsvLine line(out);

	for (const EventColumn &column : event_columns()) {
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

static void print_json(fmt::memory_buffer &out, EventRow &row)
{
	JsonLine line(out);

	for (const EventColumn &column : event_columns()) {
		const Cell cell = column.cell(row);

		switch (cell.kind) {
		case Cell::Kind::na:
			line.null(column.name);
			break;
		case Cell::Kind::number:
			line.number(column.name, cell.number);
			break;
		case Cell::Kind::signed_number:
			line.number(column.name,
				    static_cast<int64_t>(cell.number));
			break;
		case Cell::Kind::text:
			line.text(column.name, cell.text);
			break;
		}
	}
	line.end();
}

void RowPrinter::print_header(fmt::memory_buffer &out) const
{
	if (form_ != Form::csv)
		return;

	CsvLine line(out);

	for (const EventColumn &column : event_columns())
		line.text(column.name);
	line.end();
}

void RowPrinter::print(fmt::memory_buffer &out, const Event &event,
		       Session &session, std::string_view capture,
		       uint64_t elapsed) const
{
	EventRow row(event, session, capture, elapsed);

	if (form_ == Form::csv)
		print_csv(out, row);
	else
		print_json(out, row);
}

} // namespace grtrace
