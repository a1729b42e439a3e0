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
	input_option<TimelineOptions>,
	directory_option<TimelineOptions>,
	{'o', "output", "FILE", "timeline to FILE, default is stdout", &TimelineOptions::output},
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
	{0, "jobs", nullptr, "a row for each job, by its SUBMIT", &TimelineOptions::jobs},
	{0, "latency-only", nullptr,
	 "how long ioctls took, the GPU, and both from end to end; no drawing",
	 &TimelineOptions::latency_only},
	{0, "limit", "N", "with --jobs: the first N of them (50)",
	 [](TimelineOptions &o, const std::string &argument) {
		 o.limited = true;
		 return parse_number("limit", argument, 1, limit_max, o.limit);
	 }},
	ring_option<TimelineOptions>,
	device_option<TimelineOptions>,
	engine_option<TimelineOptions>,
	engine_mask_option<TimelineOptions>,
	pid_option<TimelineOptions>,
	client_option<TimelineOptions>,
	context_option<TimelineOptions>,
	{0, "width", "N", "N columns; without this those of COLUMNS, else of the terminal, else 80",
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
};

std::string TimelineOptions::help_text()
{
	return fmt::format(
		"grtrace timeline draws in the terminal which process was on each ring, how deep "
		"the\nring's queue was, and the ioctls and waits of each thread. In a capture with "
		"ioctls it\nalso prints their latency.\n\n"
		"usage: grtrace timeline [options] [[-i] NAME...]\n\n{}\n"
		"A job is on its ring from START, recorded or inferred, to END; COMPLETE stands "
		"for an\nEND that no record has, if the hardware had the job. A column shows the "
		"processes that\nwere there by their time, the longest on top: a capital letter "
		"for half of the column or\nmore. The percentages behind the name of a ring are "
		"those of the time that is drawn, and\nexact.\n\n"
		"Latency is that of ioctls (entry to return), of the GPU (SUBMIT to COMPLETE; run, "
		"that\nis COMMIT or, where it is not recorded, PICK, to COMPLETE), and from end to "
		"end: from the\nentry of the ioctl in which the job was submitted to COMPLETE, and "
		"until the first\nwaiting task has returned. N, MIN, AVG and MAX "
		"are exact, percentiles at\nmost 3 % too high. \"*\" marks figures in whose time "
		"records were lost.\n\n"
		"For one line after the other see grparse, for the story of one job grparse "
		"--explain.\n\n"
		"exit: 0, 1 something could not be read, 2 wrong usage, 3 records lost "
		"(--strict)\n",
		describe_options(table));
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
