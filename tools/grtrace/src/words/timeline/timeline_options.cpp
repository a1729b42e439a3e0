// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_options.h"

#include "lib/options/word_options.h"
#include "words/reading/filter_options.h"
#include "words/reading/newest_capture.h"

namespace grtrace {

// A row costs some 300 bytes of memory.
static constexpr uint64_t limit_max = 100000;

using Word = WordOption<TimelineOptions>;

static const Word table[] = {
	option_group<TimelineOptions>("Options"),
	input_option<TimelineOptions>,
	directory_option<TimelineOptions>,
	{'o', "output", "FILE", "timeline to FILE, default is stdout", &TimelineOptions::output},
	{0, "jobs", nullptr, "a row for each job, by its SUBMIT", &TimelineOptions::jobs},
	{0, "limit", "N", "with --jobs: the first N of them (50)",
	 [](TimelineOptions &o, const std::string &argument) {
		 o.limited = true;
		 return parse_number("limit", argument, 1, limit_max, o.limit);
	 }},
	{0, "latency-only", nullptr,
	 "print only how long ioctls, the GPU, and both from end to end took",
	 &TimelineOptions::latency_only},
	{0, "width", "N",
	 "width in columns; default is COLUMNS, else the terminal's width, else 80",
	 [](TimelineOptions &o, const std::string &argument) {
		 return parse_width(argument, o.width);
	 }},
	{0, "color", "WHEN", "auto (on a terminal, unless NO_COLOR is set), always or never",
	 [](TimelineOptions &o, const std::string &argument) {
		 return parse_colour(argument, o.colour);
	 }},
	strict_option<TimelineOptions>,
	version_option<TimelineOptions>,
	help_option<TimelineOptions>,
	option_group<TimelineOptions>("Choose what is drawn"),
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start",
	 [](TimelineOptions &o, const std::string &argument) {
		 return o.choice.time.set_interval(argument);
	 }},
	{0, "since", "TIME", "only from this time since the start on: 1.5, 200ms, 70us",
	 [](TimelineOptions &o, const std::string &argument) {
		 return o.choice.time.set_since(argument);
	 }},
	{0, "until", "TIME", "only until then",
	 [](TimelineOptions &o, const std::string &argument) {
		 return o.choice.time.set_until(argument);
	 }},
	ring_option<TimelineOptions>,
	device_option<TimelineOptions>,
	engine_option<TimelineOptions>,
	engine_mask_option<TimelineOptions>,
	pid_option<TimelineOptions>,
	client_option<TimelineOptions>,
	context_option<TimelineOptions>,
};

std::string TimelineOptions::help_text()
{
	return fmt::format(
		"grtrace timeline draws in the terminal which process was on each ring, how deep\n"
		"the ring's queue was, and the ioctls and waits of each thread. In a capture\n"
		"with ioctls it also prints their latency.\n"
		"\n"
		"Usage: grtrace timeline [OPTIONS] [[-i] NAME...]\n"
		"\n"
		"{}\n"
		"A job is on its ring from START, recorded or inferred, to END. If END is not\n"
		"recorded and the hardware had the job, COMPLETE takes its place. A column shows\n"
		"the processes in it, the one with the most time on top: a capital letter for\n"
		"half of the column or more. The percentages after the name of a ring are exact\n"
		"and cover the drawn time.\n"
		"\n"
		"Latency is that of ioctls (entry to return), of the GPU (SUBMIT to COMPLETE;\n"
		"run is COMMIT, or PICK if no COMMIT is recorded, to COMPLETE), and end to end:\n"
		"from the entry of the ioctl that submitted the job to COMPLETE, and until the\n"
		"first waiting task has returned. N, MIN, AVG and MAX are exact, percentiles at\n"
		"most 3 % too high. \"*\" marks figures during which records were lost.\n"
		"\n"
		"See grparse for single events, and grtrace explain for the story of one job.\n"
		"\n"
		"{}",
		describe_options(table),
		describe_end({{"grtrace timeline game", "the whole capture"},
			      {"grtrace timeline --jobs --limit 20 -w 0.5:0.6 game",
			       "20 jobs, one per row"}},
			     {{"0", "done"},
			      {"1", "something could not be read"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"}}));
}

Status TimelineOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (status.ok() && !help && !version)
		status = name_newest_capture("grtrace timeline", directory, inputs);
	if (status.ok() && !help && !version)
		status = choice.time.check();
	if (status.ok() && jobs && latency_only)
		return Status::error("--jobs and --latency-only: choose one");
	if (status.ok() && limited && !jobs)
		return Status::error("--limit is for --jobs: the drawing shows all of the time");
	return status;
}

} // namespace grtrace
