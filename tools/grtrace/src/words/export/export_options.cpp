// SPDX-License-Identifier: GPL-2.0
#include "words/export/export_options.h"

#include "lib/options/word_options.h"
#include "words/export/export_formats.h"
#include "words/export/fleet_schema.h"
#include "words/reading/filter_options.h"

namespace grtrace {

using Word = WordOption<ExportOptions>;

static const Word table[] = {
	option_group<ExportOptions>("Options"),
	{0, "to", "FORMAT", "the format, see below",
	 [](ExportOptions &o, const std::string &argument) { return o.set_format(argument); }},
	{'o', "output", "FILE",
	 "to FILE, or a directory for ctf; default is stdout where the format allows that",
	 &ExportOptions::output},
	input_option<ExportOptions>,
	directory_option<ExportOptions>,
	{0, "rows", "WHAT",
	 "for csv and json: events, jobs or (json) all; default is events for csv, else all",
	 [](ExportOptions &o, const std::string &argument) { return o.set_rows(argument); }},
	{0, "fleet", nullptr,
	 "for csv and json: rows of jobs that begin with the host, its boot and kernel, and have "
	 "wall-clock times; or of captures, with --rows captures",
	 &ExportOptions::fleet},
	{0, "slow-only", nullptr,
	 "with --rows events: only those of jobs whose label is not ok, when the job is over",
	 &ExportOptions::slow_only},
	{0, "null", "TEXT", "for csv: what stands for a missing value; default is NA",
	 [](ExportOptions &o, const std::string &argument) { return o.set_null(argument); }},
	{0, "schema", "FORM",
	 "print the columns of --fleet for json, clickhouse or duckdb; needs no capture",
	 &ExportOptions::schema},
	strict_option<ExportOptions>,
	version_option<ExportOptions>,
	help_option<ExportOptions>,
	option_group<ExportOptions>("Choose what is exported"),
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start",
	 [](ExportOptions &o, const std::string &argument) {
		 return o.time.set_interval(argument);
	 }},
	{0, "since", "TIME", "only events from TIME on, since the start: 1.5 (s), 200ms, 70us, 5ns",
	 [](ExportOptions &o, const std::string &argument) { return o.time.set_since(argument); }},
	{0, "until", "TIME", "only events until TIME",
	 [](ExportOptions &o, const std::string &argument) { return o.time.set_until(argument); }},
	{0, "limit", "N", "stop after N events (of the interval)",
	 Word::Number{&ExportOptions::limit, 1, UINT64_MAX}},
	ring_option<ExportOptions>,
	device_option<ExportOptions>,
	engine_option<ExportOptions>,
	engine_mask_option<ExportOptions>,
	pid_option<ExportOptions>,
	client_option<ExportOptions>,
	context_option<ExportOptions>,
};

std::string ExportOptions::help_text()
{
	return fmt::format(
		"grtrace export writes captures in the formats of other programs.\n"
		"\n"
		"Usage: grtrace export --to FORMAT [OPTIONS] [-i] NAME...\n"
		"\n"
		"{}\n"
		"Formats:\n"
		"{}\n"
		"A file appears only when it is complete. Losses are in every format, at the\n"
		"place where they happened, except for records that no LOST reports: csv has no\n"
		"row for them, and ctf does not count those that are in no file.\n"
		"\n"
		"{}",
		describe_options(table), describe_export_formats(),
		describe_end({{"grtrace export --to perfetto -o game.pftrace game",
			       "for ui.perfetto.dev"},
			      {"grtrace export --to csv --rows jobs game > jobs.csv",
			       "one line per job"}},
			     {{"0", "done"},
			      {"1", "something could not be read or written"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"}}));
}

Status ExportOptions::set_rows(const std::string &argument)
{
	if (argument == "events")
		rows = Rows::events;
	else if (argument == "jobs")
		rows = Rows::jobs;
	else if (argument == "captures")
		rows = Rows::captures;
	else if (argument == "all")
		asks_all = true;
	else
		return Status::error(
			"--rows knows events, jobs, all and (--fleet) captures, not \"{}\"",
			argument);
	return {};
}

Status ExportOptions::set_null(const std::string &argument)
{
	if (argument.find_first_of(",\"\n\r") != argument.npos)
		return Status::error("--null: a comma, a quote or a line break cannot stand for "
				     "a missing value");
	has_null = true;
	null = argument;
	return {};
}

Status ExportOptions::set_format(const std::string &argument)
{
	format = find_export_format(argument);
	if (format)
		return {};
	return Status::error("--to knows {}, not \"{}\"", export_format_names(), argument);
}

Status ExportOptions::check_schema() const
{
	if (!is_schema_form(schema))
		return Status::error("--schema knows json, clickhouse and duckdb, not \"{}\"",
				     schema);
	if (rows == Rows::events || asks_all || !inputs.empty() || format)
		return Status::error("--schema describes the rows of --fleet, jobs or captures, "
				     "and reads nothing");
	return {};
}

Status ExportOptions::check_rows() const
{
	const bool csv = format->name == std::string_view("csv");

	if (asks_all && csv)
		return Status::error(
			"--rows all: a table of csv has rows of one kind, events or jobs");
	if ((rows != Rows::all || fleet) && !format->has_rows)
		return Status::error("--rows is for csv and json; {} has all rows", format->name);
	if (fleet && (rows == Rows::events || asks_all))
		return Status::error("--fleet has rows of jobs or of captures");
	if (rows == Rows::captures && !fleet)
		return Status::error("--rows captures needs --fleet");
	if (slow_only && rows != Rows::events)
		return Status::error("--slow-only needs --rows events");
	if (has_null && !csv)
		return Status::error("--null is for csv");
	return {};
}

Status ExportOptions::check() const
{
	if (!schema.empty())
		return check_schema();
	if (!format)
		return Status::error("name a format with --to: {}; see --help",
				     export_format_names());
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	if (output == "-" && !format->to_stdout)
		return Status::error("{} cannot go to standard output: name a {} with -o",
				     format->name, format->directory ? "directory" : "file");
	const Status status = check_rows();
	return status.ok() ? time.check() : status;
}

Status ExportOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (!status.ok() || help || version)
		return status;
	return check();
}

} // namespace grtrace
