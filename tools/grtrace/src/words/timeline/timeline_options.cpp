// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_options.h"

#include "lib/options/options.h"
#include "lib/text/words_of.h"

namespace grtrace {

enum {
	option_jobs = 256,
	option_latency_only,
	option_limit,
	option_engine,
	option_ring,
	option_dev,
	option_pid,
	option_ctx,
	option_width,
	option_color,
	option_strict,
	option_help,
};

// A row costs some 300 bytes of memory.
static constexpr uint64_t limit_max = 100000;

static const Option table[] = {
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'o', "output", "FILE", "timeline to FILE, default is stdout"},
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start"},
	{option_jobs, "jobs", nullptr, "a row for each job, by its SUBMIT"},
	{option_latency_only, "latency-only", nullptr,
	 "how long ioctls took, the GPU, and both from end to end; no drawing"},
	{option_limit, "limit", "N", "with --jobs: the first N of them (50)"},
	{option_ring, "ring", "RING[,...]", "only jobs of these rings: id, name or device/name"},
	{option_dev, "dev", "DEV[,...]",
	 "only jobs of these devices: name, or number as grparse shows it"},
	{option_engine, "engine", "CLASS[,...]",
	 "only jobs of rings of these classes: name or letter"},
	{option_pid, "pid", "PID[,...]", "only jobs that these threads or processes submitted"},
	{option_ctx, "ctx", "CTX[,...]", "only jobs of these contexts"},
	{option_width, "width", "N",
	 "N columns; without this those of COLUMNS, else of the terminal, "
	 "else 80"},
	{option_color, "color", "WHEN",
	 "auto (on a terminal, unless NO_COLOR is set), always or never"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost"},
	{'V', "version", nullptr, "print the version"},
	{option_help, "help", nullptr, "print this"},
};

std::string TimelineOptions::help_text()
{
	return fmt::format("grtrace timeline draws in the terminal which process was on "
			   "each ring, how deep the\nring's queue was, and the ioctls and "
			   "waits of each thread. Of a capture with ioctls it\ntells their "
			   "latency, too.\n\n"
			   "usage: grtrace timeline [options] [-i] NAME...\n\n{}\n"
			   "A job is on its ring from START, recorded or inferred, to END; "
			   "COMPLETE stands for an\nEND that no record has, if the hardware "
			   "had the job. A column shows the processes that\nwere there by "
			   "their time, the longest on top: a capital letter for half of the "
			   "column or\nmore. The percentages behind the name of a ring are "
			   "those of the time that is drawn, and\nexact.\n\n"
			   "Latency is that of ioctls (entry to return), of the GPU "
			   "(SUBMIT to COMPLETE; run, that\nis COMMIT or, where it is not "
			   "told, PICK, to COMPLETE), and from end to end: from "
			   "the\nentry "
			   "of the ioctl in which the job was submitted to COMPLETE, and "
			   "until the first task\nis back that waited for it until then. "
			   "N, MIN, AVG and MAX are exact, percentiles at\nmost 3 % too "
			   "high. \"*\" marks figures in whose time records were "
			   "lost.\n\n"
			   "For one line after the other see grparse, for the story of "
			   "one job grparse --explain.\n\n"
			   "exit: 0, 1 something could not be read, 2 wrong usage, 3 "
			   "records lost (--strict)\n",
			   describe_options(table));
}

Status TimelineOptions::set(int id, const std::string &argument)
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
		return choice.time.set_interval(argument);
	case option_jobs:
		jobs = true;
		return {};
	case option_latency_only:
		latency_only = true;
		return {};
	case option_limit:
		limited_ = true;
		if (parse_id(argument, limit_max, limit) && limit)
			return {};
		return Status::error("--limit wants a number from 1 to "
				     "{}, not \"{}\"",
				     limit_max, argument);
	case option_ring:
		return choice.jobs.rings.add_rings(argument);
	case option_dev:
		return choice.jobs.rings.add_devices(argument);
	case option_engine:
		return choice.jobs.rings.add_engines(argument);
	case option_pid:
		return choice.jobs.add_pids(argument);
	case option_ctx:
		return choice.jobs.add_contexts(argument);
	case option_width:
		return parse_width(argument, width);
	case option_color:
		return parse_colour(argument, colour);
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

Status TimelineOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, [this](const GivenOption &given) {
		return set(given.id, given.argument);
	});

	if (status.ok() && !help && !version && inputs.empty())
		return Status::error("name a capture; see --help");
	if (status.ok() && jobs && latency_only)
		return Status::error("--jobs and --latency-only: choose one");
	if (status.ok() && limited_ && !jobs)
		return Status::error("--limit is for --jobs: the drawing "
				     "shows all of the time");
	return status;
}

} // namespace grtrace
