// SPDX-License-Identifier: GPL-2.0
#include "words/report/report_options.h"

#include <algorithm>

#include "lib/options/word_options.h"
#include "lib/text/words_of.h"
#include "words/jobs/job_columns.h"
#include "words/reading/filter_options.h"
#include "words/reading/newest_capture.h"
#include "words/reading/next_command.h"
#include "words/report/job_histogram.h"

namespace grtrace {

// The limit is a day: anything longer is a mistake.
static Status set_threshold(const char *name, const std::string &argument, uint64_t &ns)
{
	uint64_t us;

	if (!parse_id(argument, 86400ull * 1000000, us))
		return Status::error("--{} wants microseconds, at most one day, not \"{}\"", name,
				     argument);
	ns = us * 1000;
	return {};
}

using Word = WordOption<ReportOptions>;

static constexpr const char *choice_title = "Choose what is read";

static const Word table[] = {
	option_group<ReportOptions>("Options"),
	input_option<ReportOptions>,
	directory_option<ReportOptions>,
	{'o', "output", "FILE", "report to FILE, default is stdout", &ReportOptions::output},
	{0, "full", nullptr, "the first screen, then all tables", &ReportOptions::full},
	{0, "color", "WHEN", "auto (a terminal without NO_COLOR), always or never",
	 [](ReportOptions &o, const std::string &argument) {
		 return parse_colour(argument, o.colour);
	 }},
	{0, "width", "N",
	 "width in columns, default is COLUMNS or the terminal's, or 80; the first screen uses at "
	 "most 80; on a terminal, or with --width, wider tables lose spaces, then their lines "
	 "continue below",
	 [](ReportOptions &o, const std::string &argument) {
		 return parse_width(argument, o.width);
	 }},
	strict_option<ReportOptions>,
	version_option<ReportOptions>,
	help_option<ReportOptions>,
	option_group<ReportOptions>(choice_title),
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start",
	 [](ReportOptions &o, const std::string &argument) {
		 return o.filter.set_interval(argument);
	 }},
	{0, "since", "TIME", "only from this time since the start on: 1.5, 200ms, 70us",
	 [](ReportOptions &o, const std::string &argument) {
		 return o.filter.set_since(argument);
	 }},
	{0, "until", "TIME", "only until then",
	 [](ReportOptions &o, const std::string &argument) {
		 return o.filter.set_until(argument);
	 }},
	ring_option<ReportOptions>,
	device_option<ReportOptions>,
	engine_option<ReportOptions>,
	engine_mask_option<ReportOptions>,
	pid_option<ReportOptions>,
	client_option<ReportOptions>,
	context_option<ReportOptions>,
	{0, "limit", "N", "stop after N events (of the interval)",
	 Word::Number{&ReportOptions::limit, 1, UINT64_MAX}},
	option_group<ReportOptions>("Tables"),
	{0, "topn", "N",
	 "the N jobs that took longest, and for each label the N that lost "
	 "most time to it",
	 // Each costs some 200 bytes of memory.
	 Word::Number{&ReportOptions::top, 1, 1000000}},
	{0, "per-ring", nullptr, "rings and their stages", &ReportOptions::per_ring},
	{0, "per-device", nullptr, "devices and their stages", &ReportOptions::per_device},
	{0, "per-engine", nullptr, "engine classes and their stages", &ReportOptions::per_engine},
	{0, "per-ctx", nullptr, "contexts and their stages", &ReportOptions::per_ctx},
	{0, "per-process", nullptr, "processes and their stages", &ReportOptions::per_process},
	{0, "busy", nullptr,
	 "how busy rings and devices were, why they were idle, and how "
	 "deep their queues",
	 &ReportOptions::busy},
	{0, "gaps", "N", "--busy, with the N idle gaps that delayed jobs longest (5)",
	 [](ReportOptions &o, const std::string &argument) {
		 o.busy = true;
		 return parse_number("gaps", argument, 0, 1000000, o.gaps);
	 }},
	{0, "hist", "WHAT",
	 "a histogram of WHAT: lat (SUBMIT to COMPLETE), queue (SUBMIT "
	 "to START), exec (START to END), size (credits) or result (of "
	 "COMPLETE, and ERRORs); repeatable",
	 [](ReportOptions &o, const std::string &argument) { return o.add_histogram(argument); }},
	{0, "delays", nullptr,
	 "who delayed whom on each ring: which processes' jobs filled the time from SUBMIT to "
	 "START",
	 [](ReportOptions &o, const std::string &) {
		 o.delays = DelayRings::all;
		 return Status();
	 }},
	{0, "proofs", "N", "jobs to show for a victim and a culprit (3; 1 without --delays)",
	 [](ReportOptions &o, const std::string &argument) {
		 // Each costs some 80 bytes of memory for a pair of processes.
		 o.proofs_given = true;
		 return parse_number("proofs", argument, 0, 1000, o.proofs);
	 }},
	option_group<ReportOptions>("For programs and browsers"),
	{0, "csv", "FILE",
	 "one line per job to FILE, or - for stdout; times are ns of "
	 "the session's clock, NA where not recorded",
	 &ReportOptions::csv},
	{0, "json", "FILE",
	 "the findings, a line of JSON each, to FILE, or - for stdout; durations are ns",
	 &ReportOptions::json},
	{0, "schema", nullptr, "print the JSON schema of those lines", &ReportOptions::schema},
	{0, "html", "FILE",
	 "a page that any browser opens without a network: findings, timeline with waits by "
	 "cause, and tables that follow a chosen time",
	 &ReportOptions::html},
	{0, "delays-csv", "FILE",
	 "one line for each ring, victim and culprit to FILE, or - for "
	 "stdout; durations are ns",
	 &ReportOptions::delays_csv},
	{0, "groups-csv", "FILE",
	 "the tables of rings (--per-ring), devices, contexts etc., one line for each, to "
	 "FILE, or - for stdout; durations are ns; without such a table, that of rings",
	 &ReportOptions::groups_csv},
	{0, "depth-csv", "FILE",
	 "the queue depth of each ring over time, the greatest one of each interval, to FILE, or - "
	 "for stdout; times are ns of the session's clock",
	 &ReportOptions::depth_csv},
	option_group<ReportOptions>("Limits of the labels"),
	{0, "long-queue-us", "US",
	 "long queue: SUBMIT to START takes more than US (500) and "
	 "more than the share of the total",
	 [](ReportOptions &o, const std::string &argument) {
		 return set_threshold("long-queue-us", argument, o.thresholds.long_queue_ns);
	 }},
	{0, "blocked-us", "US",
	 "blocked by a dependency: first BLOCKED to PICK takes more "
	 "than US (500) and more than the share",
	 [](ReportOptions &o, const std::string &argument) {
		 return set_threshold("blocked-us", argument, o.thresholds.blocked_ns);
	 }},
	{0, "host-us", "US",
	 "host-bound: PICK to COMMIT and END to COMPLETE together "
	 "take more than US (500) and more than the share",
	 [](ReportOptions &o, const std::string &argument) {
		 return set_threshold("host-us", argument, o.thresholds.host_ns);
	 }},
	{0, "slow-exec-us", "US",
	 "slow execution: START to END takes more than US; without "
	 "this, more than 100 us and 1.5 times the 90th percentile of "
	 "the ring's jobs so far, once there were 20",
	 [](ReportOptions &o, const std::string &argument) {
		 return set_threshold("slow-exec-us", argument, o.thresholds.slow_exec_ns);
	 }},
	{0, "share", "PERCENT", "the share of SUBMIT to COMPLETE used above, in percent (50)",
	 [](ReportOptions &o, const std::string &argument) { return o.set_share(argument); }},
};

// Returns whether the option stands under that title.
static bool chooses(const Word *option)
{
	while (*option->name)
		option--;
	return option->help == choice_title;
}

Status ReportOptions::take(const GivenOption &given)
{
	if (!given.id) {
		inputs.push_back(given.argument);
		return {};
	}
	const Word &option = option_of<ReportOptions>(table, given);

	if (chooses(&option))
		choice += (option.letter ? fmt::format(" -{} ", option.letter) :
					   fmt::format(" --{} ", option.name)) +
			  shell_word(given.argument);
	return set_option(option, *this, given.argument);
}

std::string ReportOptions::help_text()
{
	return fmt::format(
		"grtrace report prints why jobs were late and where time went.\n"
		"\n"
		"Usage: grtrace report [OPTIONS] [[-i] NAME...]\n"
		"\n"
		"{}\n"
		"Without a NAME the newest capture of the folder is read; if there is none, a\n"
		"copy of what the running or stopped session holds.\n"
		"\n"
		"Without options for tables, programs and browsers it prints one screen that\n"
		"says why jobs were late, the longest cause first. --full adds --per-ring\n"
		"--busy --topn 5, and --delays for rings that several processes share.\n"
		"\n"
		"In an interval (-w, --since, --until) the findings count only the waiting\n"
		"within it: a longer wait is cut at its bounds. The tables use the records\n"
		"within it. With --ring, --dev, --engine, --pid, --client and --ctx a report is\n"
		"about those jobs; others can still be to blame.\n"
		"\n"
		"On a terminal the report goes through the pager that GRTRACE_PAGER, or else\n"
		"PAGER, names (less); empty or cat: no pager. NO_COLOR and --color=never turn\n"
		"colours off.\n"
		"\n"
		"Labels, the first that fits: incomplete or failed (an ERROR or COMPLETE with an\n"
		"error that is not 0), blocked by a dependency, preempted (the ring left the\n"
		"job before its end), host-bound, long queue, slow execution, ok.\n"
		"\n"
		"Stages, as btt's: Q2I SUBMIT to PICK, I2D to the first COMMIT, RESET from there\n"
		"to the last one, D2B to START, B2E to END, E2C to COMPLETE, Q2C all of it, C2W\n"
		"from COMPLETE until the waiting task is back.\n"
		"\n"
		"Percentiles come from log-linear histograms with 32 buckets to the octave: at\n"
		"most 3 % too high. MIN, AVG, MAX and N are exact.\n"
		"\n"
		"Columns of --csv, NA where not recorded:\n"
		"{}\n"
		"{}",
		describe_options(table), describe_columns(job_columns()),
		describe_end({{"grtrace report game", "why were jobs late?"},
			      {"grtrace report --full game", "all tables"},
			      {"grtrace report --csv jobs.csv -w 1:2 game",
			       "one line per job, of one second"}},
			     {{"0", "done"},
			      {"1", "something could not be read"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"}}));
}

Status ReportOptions::set_share(const std::string &argument)
{
	uint64_t percent;

	if (!parse_id(argument, 100, percent))
		return Status::error("--share wants a percentage from 0 to 100, not \"{}\"",
				     argument);
	thresholds.share_percent = static_cast<unsigned int>(percent);
	return {};
}

Status ReportOptions::add_histogram(const std::string &argument)
{
	if (argument != "result" && !find_histogram(argument))
		return Status::error("--hist knows lat, queue, exec, size and result, not \"{}\"",
				     argument);
	if (std::ranges::find(histograms, argument) == histograms.end())
		histograms.push_back(argument);
	return {};
}

bool ReportOptions::names_output() const
{
	return !csv.empty() || !json.empty() || !delays_csv.empty() || !depth_csv.empty() ||
	       delays != DelayRings::none || proofs_given || wants_picture() || top || per_ring ||
	       busy || per_device || per_engine || per_ctx || per_process || !histograms.empty();
}

Status ReportOptions::parse(int argc, char **argv)
{
	Status status = read_options(plain_options<ReportOptions>(table), argc, argv,
				     [&](const GivenOption &given) { return take(given); });
	const bool named = !inputs.empty();

	if (!status.ok() || help || version || schema)
		return status;
	status = name_newest_capture("grtrace report", directory, inputs);
	is_session = !named && status.ok() && inputs[0].starts_with("/dev/fd/");
	if (status.ok())
		status = filter.check();
	if (!status.ok())
		return status;
	if (jobs.any() && (delays != DelayRings::none || !delays_csv.empty()))
		return Status::error(
			"--delays is about all jobs of a ring: --ring, --dev, "
			"--engine, --pid, --client and --ctx cannot be combined with it");
	if ((csv == "-") + (json == "-") + (delays_csv == "-") + (groups_csv == "-") +
		    (depth_csv == "-") + (html == "-") >
	    1)
		return Status::error("only one of --csv, --json, --delays-csv, "
				     "--groups-csv, --depth-csv and --html can go to standard "
				     "output");
	if (!groups_csv.empty() && !per_device && !per_engine && !per_ctx && !per_process)
		per_ring = true;
	screen = full || !names_output();
	if (full) {
		per_ring = true;
		busy = true;
		top = top ? top : 5;
		if (delays == DelayRings::none && !proofs_given && !jobs.any()) {
			delays = DelayRings::shared;
			proofs = 1;
		}
	}
	// Proofs without these tables would prove nothing.
	if (proofs_given && delays == DelayRings::none)
		delays = DelayRings::all;
	return {};
}

} // namespace grtrace
