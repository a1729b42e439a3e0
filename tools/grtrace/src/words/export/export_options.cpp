// SPDX-License-Identifier: GPL-2.0
#include "words/export/export_options.h"

#include "lib/options/options.h"
#include "words/export/export_formats.h"

namespace grtrace {

enum {
	option_to = 256,
	option_rows,
	option_ring,
	option_dev,
	option_engine,
	option_pid,
	option_ctx,
	option_since,
	option_until,
	option_strict,
	option_help,
};

static const Option table[] = {
	{option_to, "to", "FORMAT", "the format, see below"},
	{'o', "output", "FILE",
	 "to FILE, or a directory for ctf; default is stdout where the format "
	 "allows that"},
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{option_rows, "rows", "WHAT",
	 "of csv and json: events, jobs or, only of json, all; default is all, "
	 "and events of csv"},
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start"},
	{option_since, "since", "TIME",
	 "only what came from TIME after the start on: 1.5 (s), 200ms, 70us, "
	 "5ns"},
	{option_until, "until", "TIME", "only what came until then"},
	{option_ring, "ring", "RING[,...]", "only jobs of these rings: id, name or device/name"},
	{option_dev, "dev", "DEV[,...]",
	 "only jobs of these devices: name, or number as grparse shows it"},
	{option_engine, "engine", "CLASS[,...]",
	 "only jobs of rings of these classes: name or letter"},
	{option_pid, "pid", "PID[,...]", "only jobs that these threads or processes submitted"},
	{option_ctx, "ctx", "CTX[,...]", "only jobs of these contexts"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this"},
};

std::string ExportOptions::help_text()
{
	return fmt::format("grtrace export writes captures in the formats of other "
			   "programs.\n\n"
			   "usage: grtrace export --to FORMAT [options] [-i] NAME...\n\n"
			   "{}\nFormats:\n{}\n"
			   "A file is there when all of it is written, and not before. "
			   "Losses are in every\nformat, at the place where they "
			   "happened, but for records that no LOST reports:\ncsv "
			   "has no row for them, and ctf does not count those that are "
			   "in no file.\n\n"
			   "exit: 0, 1 something could not be read or written, 2 wrong "
			   "usage, 3 records lost\n(--strict)\n",
			   describe_options(table), describe_export_formats());
}

Status ExportOptions::set_rows(const std::string &argument)
{
	if (argument == "events")
		rows = Rows::events;
	else if (argument == "jobs")
		rows = Rows::jobs;
	else if (argument == "all")
		asks_all = true;
	else
		return Status::error("--rows knows events, jobs and all, not "
				     "\"{}\"",
				     argument);
	return {};
}

Status ExportOptions::set(int id, const std::string &argument)
{
	switch (id) {
	case 0:
	case 'i':
		inputs.push_back(argument);
		return {};
	case 'D':
		directory = argument;
		return {};
	case 'o':
		output = argument;
		return {};
	case option_to:
		format = find_export_format(argument);
		if (format)
			return {};
		return Status::error("--to knows {}, not \"{}\"", export_format_names(), argument);
	case option_rows:
		return set_rows(argument);
	case 'w':
		return time.set_interval(argument);
	case option_since:
		return time.set_since(argument);
	case option_until:
		return time.set_until(argument);
	case option_ring:
		return jobs.rings.add_rings(argument);
	case option_dev:
		return jobs.rings.add_devices(argument);
	case option_engine:
		return jobs.rings.add_engines(argument);
	case option_pid:
		return jobs.add_pids(argument);
	case option_ctx:
		return jobs.add_contexts(argument);
	case option_strict:
		strict = true;
		return {};
	case 'V':
		version = true;
		return {};
	}
	help = true;
	return {};
}

Status ExportOptions::check() const
{
	if (!format)
		return Status::error("name a format with --to: {}; see --help",
				     export_format_names());
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	if (output == "-" && !format->to_stdout)
		return Status::error("{} cannot go to standard output: name a "
				     "{} with -o",
				     format->name, format->directory ? "directory" : "file");
	if (asks_all && format->name == std::string_view("csv"))
		return Status::error("--rows all: a table of csv has rows of "
				     "one kind, events or jobs");
	if (rows != Rows::all && !format->has_rows)
		return Status::error("--rows is for csv and json; {} has all", format->name);
	return time.check();
}

Status ExportOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, [this](const GivenOption &given) {
		return set(given.id, given.argument);
	});

	if (!status.ok() || help || version)
		return status;
	return check();
}

} // namespace grtrace
