// SPDX-License-Identifier: GPL-2.0
#include "read/rows/row_printer.h"

#include "read/rows/event_columns.h"

namespace grtrace {

void RowPrinter::print_header(fmt::memory_buffer &out) const
{
	if (form_ == Form::csv)
		print_csv_header(out, event_columns());
}

void RowPrinter::print(fmt::memory_buffer &out, const Event &event, Session &session,
		       std::string_view capture, uint64_t elapsed) const
{
	EventRow row(event, session, capture, elapsed);

	if (form_ == Form::csv)
		print_csv(out, event_columns(), row);
	else
		print_json(out, event_columns(), row);
}

} // namespace grtrace
