// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_options.h"

#include "lib/options/word_options.h"
#include "lib/text/words_of.h"
#include "words/monitor/monitor.h"

#include <iterator>

namespace grtrace {

namespace {

using Word = WordOption<MonitorOptions>;

const Word table[] = {
	option_group<MonitorOptions>("Options"),
	{'i', "interval", "S", "seconds between two tables, 0.1 to 86400; default is 1",
	 [](MonitorOptions &o, const std::string &argument) { return o.set_interval(argument); }},
	{'w', "stopwatch", "S", "stop after S seconds",
	 [](MonitorOptions &o, const std::string &argument) { return o.set_seconds(argument); }},
	{'b', "buffer-size", "KIB",
	 "size of the kernel's buffer for each CPU, 32 to 1048576; default is 1024",
	 [](MonitorOptions &o, const std::string &argument) { return o.set_buffer(argument); }},
	{0, "user", "NAME",
	 "run COMMAND as this user, a name or a number; default: who called sudo",
	 &MonitorOptions::user},
	version_option<MonitorOptions>,
	{0, "help", nullptr, "print this text", &MonitorOptions::help},
	option_group<MonitorOptions>("Choose what is shown"),
	{'p', "pid", "PID[,...]", "only events of these processes or threads; repeatable",
	 [](MonitorOptions &o, const std::string &argument) { return o.add_pids(argument); }},
	{0, "ring", "RING[,...]", "only rings of these names; repeatable",
	 [](MonitorOptions &o, const std::string &argument) { return o.add_rings(argument); }},
	option_group<MonitorOptions>("Output"),
	{'v', "verbose", nullptr, "a line for each event, not a table", &MonitorOptions::events},
	{0, "summary", nullptr, "only the summary at the end", &MonitorOptions::only_summary},
	{0, "plain", nullptr, "print tables one below the other, also on a terminal",
	 &MonitorOptions::plain},
	{0, "csv", nullptr, "rows as CSV, with a line of names",
	 [](MonitorOptions &o, const std::string &) { return o.set_form(MonitorForm::csv); }},
	{0, "json", nullptr, "rows as JSON, an object a line",
	 [](MonitorOptions &o, const std::string &) { return o.set_form(MonitorForm::json); }},
};

constexpr uint64_t most_seconds = INT32_MAX;
constexpr double least_interval = 0.1;
constexpr double most_interval = 86400;

std::string describe_monitors()
{
	std::string text;

	for (const MonitorKind &kind : monitor_kinds())
		text += fmt::format("  {:<13}{}\n", kind.name, kind.about);
	return text;
}

} // namespace

std::string MonitorOptions::help_text()
{
	return fmt::format(
		"grtrace monitor shows what happens on GPUs now, from events that any kernel has.\n"
		"\n"
		"Usage: grtrace monitor WHAT [OPTIONS] [-- COMMAND...]\n"
		"\n"
		"WHAT:\n"
		"{}\n"
		"{}\n"
		"It runs until Ctrl-C, the end of -w's time or of COMMAND, and ends with a\n"
		"summary.\n"
		"\n"
		"{}",
		describe_monitors(), describe_options(table),
		describe_end({{"grtrace monitor sched", "like top, for the rings"},
			      {"grtrace monitor vblank --summary -- glxgears",
			       "missed frames of a program"}},
			     {{"0", "done, or the status of COMMAND"},
			      {"1", "nothing could be seen"},
			      {"2", "wrong usage"}}));
}

Status MonitorOptions::set_interval(const std::string &argument)
{
	char *end = nullptr;
	const double seconds = strtod(argument.c_str(), &end);

	if (argument.empty() || *end || !(seconds >= least_interval) || seconds > most_interval)
		return Status::error("-i: '{}' is not {} to {} seconds", argument, least_interval,
				     most_interval);
	interval_ms = static_cast<uint64_t>(seconds * 1000);
	return {};
}

Status MonitorOptions::add_pids(const std::string &argument)
{
	return for_each_word("-p", argument, [this](std::string_view word) {
		uint64_t pid;

		if (!parse_id(word, INT32_MAX, pid) || !pid)
			return Status::error("-p: '{}' is not a process", word);
		pids.push_back(static_cast<uint32_t>(pid));
		return Status();
	});
}

Status MonitorOptions::add_rings(const std::string &argument)
{
	return for_each_word("--ring", argument, [this](std::string_view word) {
		rings.emplace_back(word);
		return Status();
	});
}

Status MonitorOptions::set_seconds(const std::string &argument)
{
	uint64_t number;

	if (!parse_id(argument, most_seconds, number) || !number)
		return Status::error("-w: '{}' is not 1 to {} seconds", argument, most_seconds);
	seconds = static_cast<unsigned int>(number);
	return {};
}

Status MonitorOptions::set_form(MonitorForm wanted)
{
	if (form != MonitorForm::text)
		return Status::error("choose one of --csv and --json");
	form = wanted;
	return {};
}

Status MonitorOptions::set_buffer(const std::string &argument)
{
	uint64_t number;

	if (!parse_id(argument, 1048576, number) || number < 32)
		return Status::error("-b: '{}' is not 32 to 1048576 KiB", argument);
	buffer_kib = number;
	return {};
}

Status MonitorOptions::take(const GivenOption &word)
{
	if (word.after_dashes) {
		command.push_back(word.argument);
		return {};
	}
	if (kind)
		return Status::error("'{}': a command comes after --; see --help", word.argument);
	kind = find_monitor(word.argument);
	return kind ? Status() : Status::error("'{}' is not a monitor; see --help", word.argument);
}

Status MonitorOptions::check() const
{
	if (help || version)
		return {};
	if (!kind)
		return Status::error("name a monitor; see --help");
	if (!rings.empty() && !kind->has_rings)
		return Status::error("--ring: {} has no rings", kind->name);
	if (!user.empty() && command.empty())
		return Status::error("--user is who runs the command: give one, after --");
	if (events && only_summary)
		return Status::error("-v and --summary: choose one");
	return {};
}

Status MonitorOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this,
				     [this](const GivenOption &word) { return take(word); });

	return status.ok() ? check() : status;
}

} // namespace grtrace
