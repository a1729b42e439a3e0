// SPDX-License-Identifier: GPL-2.0
#include "words/report/report_options.h"

#include <algorithm>

#include "lib/options/options.h"
#include "lib/text/words_of.h"
#include "read/rows/job_columns.h"
#include "words/report/job_histogram.h"

namespace grtrace {

enum {
	option_csv = 256,
	option_html,
	option_topn,
	option_per_ring,
	option_busy,
	option_gaps,
	option_per_device,
	option_per_ctx,
	option_per_process,
	option_hist,
	option_delays,
	option_delays_csv,
	option_proofs,
	option_long_queue,
	option_blocked,
	option_host,
	option_slow_exec,
	option_share,
	option_strict,
	option_help,
};

static const Option table[] = {
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'o', "output", "FILE", "report to FILE, default is stdout"},
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start"},
	{option_csv, "csv", "FILE",
	 "one line per job to FILE, or - for stdout; times are ns of "
	 "the session's clock, NA what no record told"},
	{option_html, "html", "FILE",
	 "a page that any browser opens without a network: timeline, "
	 "histograms, queue depth"},
	{option_topn, "topn", "N",
	 "the N jobs that took longest, and of each label those that suffered "
	 "most from what it blames"},
	{option_per_ring, "per-ring", nullptr, "rings, and stages of each"},
	{option_busy, "busy", nullptr,
	 "how busy rings and devices were, why they were idle, and how "
	 "deep their queues"},
	{option_gaps, "gaps", "N", "with --busy, the N idle gaps that held jobs up longest (5)"},
	{option_per_device, "per-device", nullptr, "devices, and stages of each"},
	{option_per_ctx, "per-ctx", nullptr, "contexts, and stages of each"},
	{option_per_process, "per-process", nullptr, "processes, and stages of each"},
	{option_hist, "hist", "WHAT",
	 "a histogram of WHAT: lat (SUBMIT to COMPLETE), queue (SUBMIT "
	 "to START), exec (START to END), size (credits) or result (of "
	 "COMPLETE, and ERRORs); repeatable"},
	{option_delays, "delays", nullptr,
	 "who delayed whom on each ring: SUBMIT to START, by the processes "
	 "whose jobs filled that time"},
	{option_delays_csv, "delays-csv", "FILE",
	 "one line for each ring, victim and culprit to FILE, or - for "
	 "stdout; durations are ns"},
	{option_proofs, "proofs", "N",
	 "jobs to show for a victim and a culprit (3; 1 without --delays)"},
	{option_long_queue, "long-queue-us", "US",
	 "long queue: SUBMIT to START takes more than US (500) and "
	 "more than the share of the total"},
	{option_blocked, "blocked-us", "US",
	 "blocked by a dependency: first BLOCKED to PICK takes more "
	 "than US (500) and more than the share"},
	{option_host, "host-us", "US",
	 "host-bound: PICK to COMMIT and END to COMPLETE together "
	 "take more than US (500) and more than the share"},
	{option_slow_exec, "slow-exec-us", "US",
	 "slow execution: START to END takes more than US; without "
	 "this, more than 100 us and 1.5 times the 90th percentile of "
	 "the ring's jobs so far, once there were 20"},
	{option_share, "share", "PERCENT", "the share of SUBMIT to COMPLETE meant above (50)"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this"},
};

std::string ReportOptions::help_text()
{
	return fmt::format("grtrace report tells where jobs spent their time.\n\n"
			   "usage: grtrace report [options] [-i] NAME...\n\n{}\n"
			   "Without --csv, --topn, --per-*, --busy, --hist and --delays*: "
			   "--per-ring --busy\n--topn 5, and --delays for rings that "
			   "several processes share.\n\n"
			   "Labels, the first that fits: incomplete or failed (an ERROR, "
			   "or COMPLETE with an\nerror), blocked by a dependency, "
			   "preempted (the ring left the job's context while it\nran), "
			   "host-bound, long queue, slow execution, ok.\n\n"
			   "Stages, as btt's: Q2I SUBMIT to PICK, I2D to the first COMMIT, "
			   "RESET from there to the\nlast one, D2B to START, B2E to END, "
			   "E2C to COMPLETE, Q2C all of it, C2W from COMPLETE\nuntil who "
			   "waited is back.\n\n"
			   "Percentiles come from log-linear histograms with 32 buckets "
			   "to the octave: at most\n3 % too high. MIN, AVG, MAX and N are "
			   "exact.\n\n"
			   "exit: 0, 1 something could not be read, 2 wrong usage, 3 "
			   "records lost (--strict)\n\n"
			   "Columns of --csv, NA where no record tells:\n{}",
			   describe_options(table), describe_columns(job_columns()));
}

static const char *name_of(int id)
{
	return std::ranges::find(table, id, &Option::id)->name;
}

Status ReportOptions::set_threshold(int id, const std::string &argument)
{
	// A day: more is a slip of the finger.
	constexpr uint64_t limit = 86400ull * 1000000;
	uint64_t value;

	if (!parse_id(argument, id == option_share ? 100 : limit, value))
		return Status::error("--{} wants {}, not \"{}\"", name_of(id),
				     id == option_share ? "a percentage from 0 to 100" :
							  "microseconds, of a day at most",
				     argument);
	switch (id) {
	case option_long_queue:
		thresholds.long_queue_ns = value * 1000;
		break;
	case option_blocked:
		thresholds.blocked_ns = value * 1000;
		break;
	case option_host:
		thresholds.host_ns = value * 1000;
		break;
	case option_slow_exec:
		thresholds.slow_exec_ns = value * 1000;
		break;
	case option_share:
		thresholds.share_percent = static_cast<unsigned int>(value);
		break;
	}
	return {};
}

Status ReportOptions::set(int id, const std::string &argument)
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
	case 'w':
		return filter.set_interval(argument);
	case option_csv:
		csv = argument;
		return {};
	case option_html:
		html = argument;
		return {};
	case option_topn:
		// Each costs some 200 bytes of memory.
		if (parse_id(argument, 1000000, top) && top)
			return {};
		return Status::error("--topn wants a number from 1 to 1000000, "
				     "not \"{}\"",
				     argument);
	case option_per_ring:
		per_ring = true;
		return {};
	case option_busy:
		busy = true;
		return {};
	case option_gaps:
		busy = true;
		if (parse_id(argument, 1000000, gaps))
			return {};
		return Status::error("--gaps wants a number up to 1000000, not "
				     "\"{}\"",
				     argument);
	case option_per_device:
		per_device = true;
		return {};
	case option_per_ctx:
		per_ctx = true;
		return {};
	case option_per_process:
		per_process = true;
		return {};
	case option_hist:
		if (argument != "result" && !find_histogram(argument))
			return Status::error("--hist knows lat, queue, exec, "
					     "size and result, not \"{}\"",
					     argument);
		if (std::find(histograms.begin(), histograms.end(), argument) == histograms.end())
			histograms.push_back(argument);
		return {};
	case option_delays:
		delays = DelayRings::all;
		return {};
	case option_delays_csv:
		delays_csv = argument;
		return {};
	case option_proofs:
		// Each costs some 80 bytes of memory for a pair of processes.
		proofs_given = true;
		if (parse_id(argument, 1000, proofs))
			return {};
		return Status::error("--proofs wants a number from 0 to 1000, "
				     "not \"{}\"",
				     argument);
	case option_strict:
		strict = true;
		return {};
	case 'V':
		version = true;
		return {};
	case option_help:
		help = true;
		return {};
	}
	return set_threshold(id, argument);
}

Status ReportOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, [this](const GivenOption &given) {
		return set(given.id, given.argument);
	});

	if (!status.ok() || help || version)
		return status;
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	if ((csv == "-") + (delays_csv == "-") + (html == "-") > 1)
		return Status::error("only one of --csv, --delays-csv and "
				     "--html can go to standard output");
	if (csv.empty() && delays_csv.empty() && delays == DelayRings::none && !wants_picture() &&
	    !top && !per_ring && !busy && !per_device && !per_ctx && !per_process &&
	    histograms.empty()) {
		per_ring = true;
		busy = true;
		top = 5;
		delays = DelayRings::shared;
		if (!proofs_given)
			proofs = 1;
	}
	// Or they would prove nothing.
	if (proofs_given && delays == DelayRings::none)
		delays = DelayRings::all;
	return {};
}

} // namespace grtrace
