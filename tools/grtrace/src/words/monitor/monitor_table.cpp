// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_table.h"

#include "lib/text/print_to.h"
#include "lib/text/utf8_text.h"

#include <algorithm>

namespace grtrace {

std::string MonitorCell::shown() const
{
	switch (kind_) {
	case Kind::na:
		return "NA";
	case Kind::number:
		return fmt::format("{}", number_);
	case Kind::decimal:
		return fmt::format("{:.1f}", decimal_);
	case Kind::text:
		break;
	}
	// The text may come from any driver, and goes to a terminal.
	return printable(text_);
}

void MonitorCell::add_to(CsvLine &line) const
{
	switch (kind_) {
	case Kind::na:
		return line.na();
	case Kind::number:
		return line.number(number_);
	case Kind::decimal:
		return line.text(fmt::format("{:.3f}", decimal_));
	case Kind::text:
		return line.text(utf8_text(text_));
	}
}

void MonitorCell::add_to(JsonLine &line, std::string_view name) const
{
	switch (kind_) {
	case Kind::na:
		return line.null(name);
	case Kind::number:
		return line.number(name, number_);
	case Kind::decimal:
		return line.decimal(name, decimal_);
	case Kind::text:
		return line.text(name, text_);
	}
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
				return i < row.size() && row[i].is_text();
			});
		auto put = [&](std::string &text) {
			text.insert(left ? text.size() : 0, widths[i] - text.size(), ' ');
		};

		for (auto &line : lines)
			if (i < line.size())
				put(line[i]);
		std::string head = table.columns[i];
		put(head);
		print_to(out, "{}{}", i ? "  " : "", head);
	}
	out.push_back('\n');
	for (const auto &line : lines)
		print_to(out, "{}\n", fmt::join(line, "  "));
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
		for (const MonitorCell &cell : row)
			cell.add_to(line);
		line.end();
	}
}

void print_table_json(fmt::memory_buffer &out, const MonitorTable &table, double time)
{
	for (const auto &row : table.rows) {
		JsonLine line(out);

		line.decimal("time", time);
		line.text("table", table.name);
		for (size_t i = 0; i < row.size() && i < table.columns.size(); i++)
			row[i].add_to(line, table.columns[i]);
		line.end();
	}
}

} // namespace grtrace
