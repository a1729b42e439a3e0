// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_table.h"

#include "lib/text/csv_line.h"
#include "lib/text/json_line.h"
#include "lib/text/utf8_text.h"

#include <algorithm>
#include <iterator>

namespace grtrace {

std::string MonitorCell::shown() const
{
	switch (kind) {
	case Kind::na:
		return "NA";
	case Kind::number:
		return fmt::format("{}", number);
	case Kind::decimal:
		return fmt::format("{:.1f}", decimal);
	case Kind::text:
		break;
	}
	// It may come from any driver, and goes to a terminal.
	return printable(text);
}

void print_table(fmt::memory_buffer &out, const MonitorTable &table)
{
	std::vector<std::vector<std::string>> lines;
	std::vector<size_t> widths;

	for (const std::string &column : table.columns)
		widths.push_back(column.size());
	for (const auto &row : table.rows) {
		auto &line = lines.emplace_back();

		for (size_t i = 0; i < row.size() && i < widths.size(); i++) {
			line.push_back(row[i].shown());
			widths[i] = std::max(widths[i], line[i].size());
		}
	}
	for (size_t i = 0; i < widths.size(); i++) {
		const bool left =
			std::any_of(table.rows.begin(), table.rows.end(), [i](const auto &row) {
				return i < row.size() && row[i].kind == MonitorCell::Kind::text;
			});
		auto put = [&](std::string &text) {
			text.insert(left ? text.size() : 0, widths[i] - text.size(), ' ');
		};

		for (auto &line : lines)
			if (i < line.size())
				put(line[i]);
		std::string head = table.columns[i];
		put(head);
		fmt::format_to(std::back_inserter(out), "{}{}", i ? "  " : "", head);
	}
	out.push_back('\n');
	for (const auto &line : lines)
		fmt::format_to(std::back_inserter(out), "{}\n", fmt::join(line, "  "));
}

void print_table_csv(fmt::memory_buffer &out, const MonitorTable &table, double time, bool header)
{
	if (header) {
		CsvLine line(out);

		line.text("time");
		line.text("table");
		for (const std::string &column : table.columns)
			line.text(column);
		line.end();
	}
	for (const auto &row : table.rows) {
		CsvLine line(out);

		line.text(fmt::format("{:.6f}", time));
		line.text(table.name);
		for (const MonitorCell &cell : row) {
			if (cell.kind == MonitorCell::Kind::na)
				line.na();
			else if (cell.kind == MonitorCell::Kind::number)
				line.number(cell.number);
			else if (cell.kind == MonitorCell::Kind::decimal)
				line.text(fmt::format("{:.3f}", cell.decimal));
			else
				line.text(utf8_text(cell.text));
		}
		line.end();
	}
}

void print_table_json(fmt::memory_buffer &out, const MonitorTable &table, double time)
{
	for (const auto &row : table.rows) {
		JsonLine line(out);

		line.decimal("time", time);
		line.text("table", table.name);
		for (size_t i = 0; i < row.size() && i < table.columns.size(); i++) {
			const std::string &key = table.columns[i];

			switch (row[i].kind) {
			case MonitorCell::Kind::na:
				line.null(key);
				break;
			case MonitorCell::Kind::number:
				line.number(key, row[i].number);
				break;
			case MonitorCell::Kind::decimal:
				line.decimal(key, row[i].decimal);
				break;
			case MonitorCell::Kind::text:
				line.text(key, row[i].text);
				break;
			}
		}
		line.end();
	}
}

} // namespace grtrace
