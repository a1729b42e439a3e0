// SPDX-License-Identifier: GPL-2.0
#include "words/status/status_word.h"

#include "drive/control/config_keys.h"
#include "drive/control/control.h"
#include "drive/control/sources.h"
#include "lib/options/version.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "lib/text/utf8_text.h"
#include "words/columns/json_line.h"
#include "words/status/accounting.h"
#include "words/status/overhead.h"
#include "words/status/view_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace grtrace {

namespace {

constexpr unsigned int bar_width = 40;

std::string aligned_row(const std::vector<std::string> &row, const std::vector<size_t> &widths)
{
	std::string line;

	for (size_t i = 0; i < row.size(); i++)
		line += fmt::format("{:<{}}  ", row[i], widths[i]);
	line.erase(line.find_last_not_of(' ') + 1);
	return line + "\n";
}

std::string aligned(const CsvTable &table)
{
	std::vector<size_t> widths(table.header.size());
	std::string text;

	for (size_t i = 0; i < widths.size(); i++) {
		widths[i] = table.header[i].size();
		for (const std::vector<std::string> &row : table.rows)
			widths[i] = std::max(widths[i], row[i].size());
	}
	text = aligned_row(table.header, widths);
	for (const std::vector<std::string> &row : table.rows)
		text += aligned_row(row, widths);
	return text;
}

struct Bar {
	std::string label;
	std::string count;
};

// Returns lt_64 as "< 64 ns", and anything else unchanged.
std::string bound_label(const std::string &column, const char *unit)
{
	if (column.starts_with("lt_"))
		return fmt::format("< {} {}", column.substr(3), unit);
	if (column.starts_with("ge_"))
		return fmt::format(">= {} {}", column.substr(3), unit);
	return column;
}

std::vector<Bar> bars_of(const View &view, const CsvTable &table)
{
	std::vector<Bar> bars;

	if (view.shape == Shape::rows) {
		for (const std::vector<std::string> &row : table.rows)
			bars.push_back({row.front(), row.back()});
		return bars;
	}
	for (size_t i = 0; i < table.header.size() && !table.rows.empty(); i++)
		bars.push_back({bound_label(table.header[i], view.unit), table.rows[0][i]});
	return bars;
}

std::string draw(const View &view, const std::vector<Bar> &bars)
{
	std::string text = fmt::format("{}\n", view.title);
	size_t label_width = 0, count_width = 0;
	uint64_t most = 0;

	for (const Bar &bar : bars) {
		uint64_t count = 0;

		(void)parse_number(bar.count, &count);
		most = std::max(most, count);
		label_width = std::max(label_width, bar.label.size());
		count_width = std::max(count_width, bar.count.size());
	}
	for (const Bar &bar : bars) {
		uint64_t count = 0;

		(void)parse_number(bar.count, &count);
		// A count that is not 0 shows at least one mark.
		const double share =
			most ? static_cast<double>(count) / static_cast<double>(most) * bar_width :
			       0;
		const size_t marks = count ? std::max<size_t>(static_cast<size_t>(share), 1) : 0;
		text += fmt::format("  {:>{}}  {:>{}}{}{}\n", bar.label, label_width, bar.count,
				    count_width, marks ? "  " : "", std::string(marks, '#'));
	}
	if (!most)
		text += fmt::format("{}\n", view.empty);
	return text;
}

std::string json_string(const std::string &text)
{
	fmt::memory_buffer quoted;

	append_json_text(quoted, text);
	return fmt::to_string(quoted);
}

std::string json_value(const std::string &text)
{
	uint64_t number;

	return parse_number(text, &number) ? text : json_string(text);
}

std::string json_object(const std::vector<NamedText> &members)
{
	std::string text;

	for (const NamedText &member : members)
		text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", json_string(member.first),
				    json_value(member.second));
	return "{" + text + "}";
}

std::string json_rows(const CsvTable &table)
{
	std::string text;

	for (const std::vector<std::string> &row : table.rows) {
		std::vector<NamedText> members;

		for (size_t i = 0; i < row.size(); i++)
			members.emplace_back(table.header[i], row[i]);
		text += (text.empty() ? "" : ",\n  ") + json_object(members);
	}
	return "[" + text + "]";
}

struct Overview {
	std::string state;
	std::string module; // its version; "" before the first session
	std::vector<NamedText> config;
	std::vector<NamedText> stats;
	CsvTable rings;
	std::string cost;
};

Status read_overview(const Control &control, Overview *overview)
{
	std::string stats, config, rings;
	Status status = control.state(&overview->state);

	if (status.ok())
		status = control.read("config", &config);
	if (status.ok())
		status = control.read("stats", &stats);
	if (status.ok())
		status = control.read("rings", &rings);
	if (status.ok())
		status = parse_csv(rings, &overview->rings);
	overview->config = parse_named(config, '=');
	overview->stats = parse_named(stats, ' ');
	overview->module = printable(module_version(control));
	overview->cost = overhead_text(read_overhead(control));
	return status;
}

std::string changed_keys(const std::vector<NamedText> &config)
{
	std::string text;

	for (const NamedText &setting : config) {
		const ConfigKey *key = find_config_key(setting.first);

		if (key && !is_default(*key, setting.second))
			text += fmt::format("config {}={} (default {})\n", setting.first,
					    setting.second, key->standard);
	}
	return text.empty() ? "config all defaults\n" : text;
}

std::string versions(const std::string &module)
{
	const std::string text =
		fmt::format("version module {}, tools {}\n",
			    module.empty() ? "NA (no session has run)" : module, tools_version);

	if (module.empty() || module == tools_version)
		return text;
	return text + "THEY DIFFER: install the tools that came with the module, or the module "
		      "that came with them\n";
}

void print_overview(const Overview &overview)
{
	print_to(stdout, "state {}\n{}{}\n", overview.state, versions(overview.module),
		 changed_keys(overview.config));
	for (const NamedText &stat : overview.stats)
		print_to(stdout, "{:<22}{:>20}\n", stat.first, stat.second);
	print_to(stdout, "{}\n{}",
		 accounting_text(account(overview.stats), overview.state == "running"),
		 aligned(overview.rings));
	print_to(stdout, "\n{}", overview.cost);
}

void print_overview_json(const Overview &overview)
{
	print_to(stdout,
		 "{{\"state\": {},\n \"module\": {},\n \"tools\": {},\n \"config\": {},\n "
		 "\"stats\": {},\n \"adds_up\": {},\n "
		 "\"rings\": {}}}\n",
		 json_string(overview.state),
		 overview.module.empty() ? "null" : json_string(overview.module),
		 json_string(tools_version), json_object(overview.config),
		 json_object(overview.stats), account(overview.stats).adds_up(),
		 json_rows(overview.rings));
}

Status print_view(const Control &control, const std::string &name, bool csv)
{
	CsvTable table;
	std::string text;
	Status status = control.read(name, &text);

	if (!status.ok())
		return status;
	if (csv) {
		print_to(stdout, "{}", text);
		return status;
	}
	status = parse_csv(text, &table);
	if (!status.ok())
		return Status::error("{}/{}: {}", control.directory(), name, status.sentence());
	print_to(stdout, "{}", view_text(name, table));
	return status;
}

Status print_status(const StatusOptions &options)
{
	Control control;
	Overview overview;
	Status status = control.open(options.debugfs);

	if (status.ok() && !options.view.empty())
		return print_view(control, options.view, options.csv);
	if (status.ok() && options.cost) {
		print_to(stdout, "{}", overhead_text(read_overhead(control)));
		return status;
	}
	if (status.ok())
		status = read_overview(control, &overview);
	if (status.ok() && options.json)
		print_overview_json(overview);
	else if (status.ok())
		print_overview(overview);
	return status;
}

} // namespace

std::string view_text(const std::string &name, const CsvTable &table)
{
	const View *view = find_view(name);

	if (!view || view->shape == Shape::table)
		return aligned(table);
	return draw(*view, bars_of(*view, table));
}

int StatusRun::run()
{
	Status status = print_status(options_);

	if (status.ok())
		return exit_ok;
	print_to(stderr, "grtrace: {}\n", status.sentence());
	return exit_error;
}

} // namespace grtrace
