// SPDX-License-Identifier: GPL-2.0
//
// grtrace timeline: rings and jobs over time, in a terminal. This file is its
// table of contents.
#include "words/timeline/timeline_main.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "lib/files/output_file.h"
#include "lib/options/word_main.h"
#include "words/reading/interval_check.h"
#include "words/reading/refused.h"
#include "words/reading/word_run.h"
#include "words/timeline/timeline_drawing.h"
#include "words/timeline/timeline_gantt.h"
#include "words/timeline/timeline_jobs.h"
#include "words/timeline/timeline_latency.h"
#include "words/timeline/timeline_options.h"

using namespace grtrace;

namespace {

// A run reads captures and writes drawings.
class Run {
public:
	explicit Run(TimelineOptions &options)
		: options_(options),
		  terminal_(TerminalFacts::of(options.output), options.colour, options.width),
		  reading_("grtrace timeline", false)
	{
	}

	int run();

private:
	Status open();
	void add_drawing(uint32_t index);
	void read();
	Status check();
	void tell_gaps(size_t index);
	void print();
	void print(size_t index);
	int close();

	TimelineOptions &options_;
	Terminal terminal_;
	WordRun reading_;
	OutputFile out_;
	std::vector<std::unique_ptr<TimelineDrawing>> drawings_;
};

void Run::add_drawing(uint32_t index)
{
	Capture &capture = reading_.captures().capture(index);
	auto drawing = std::make_unique<TimelineDrawing>(options_.choice, index, capture);
	const bool gantt = !options_.jobs && !options_.latency_only;

	if (options_.jobs)
		drawing->add(std::make_unique<TimelineJobs>(options_.limit, terminal_,
							    options_.choice, index, capture));
	if (gantt)
		drawing->add(std::make_unique<TimelineGantt>(terminal_, options_.choice, index,
							     capture, drawing->kinds()));
	if (gantt || options_.latency_only)
		drawing->add(std::make_unique<TimelineLatency>(options_.latency_only, terminal_,
							       capture, drawing->kinds()));
	drawings_.push_back(std::move(drawing));
}

Status Run::open()
{
	Status status =
		reading_.open({{"-o", options_.output}}, options_.directory, options_.inputs);

	if (status.ok())
		status = out_.replace(options_.output);
	for (uint32_t i = 0; status.ok() && i < reading_.captures().size(); i++)
		add_drawing(i);
	return status;
}

void Run::read()
{
	const Event *event;

	for (Next got; (got = reading_.captures().next(event)) != Next::end;)
		if (got == Next::event) {
			tell_gaps(event->capture);
			drawings_[event->capture]->feed(*event);
		}
}

void Run::tell_gaps(size_t index)
{
	Capture &capture = reading_.captures().capture(index);

	if (capture.has_gaps())
		drawings_[index]->lose(capture.take_gaps());
}

// Returns when the recording was stopped; 0: the capture does not say.
static uint64_t stop_of(const Capture &capture)
{
	const std::vector<CpuStats> &cpus = capture.stats().cpus;

	return std::ranges::any_of(cpus, &CpuStats::stopped) ? capture.end_ts() : 0;
}

// Checks whether there is anything of what the user chose.
Status Run::check()
{
	std::vector<CoveredTime> covered;

	if (Status status = options_.choice.jobs.check(reading_.captures()); !status.ok())
		return status;
	for (size_t i = 0; i < drawings_.size(); i++) {
		tell_gaps(i);
		covered.push_back(drawings_[i]->covered());
		covered.back().add_end(stop_of(reading_.captures().capture(i)));
	}
	return check_interval(options_.choice.time, reading_.captures(), covered);
}

void Run::print(size_t index)
{
	if (!is_refused(reading_.captures().capture(index)))
		drawings_[index]->print(out_.text());
}

void Run::print()
{
	for (size_t i = 0; i < drawings_.size(); i++) {
		tell_gaps(i);
		drawings_[i]->finish(stop_of(reading_.captures().capture(i)));
		if (i)
			out_.text().push_back('\n');
		print(i);
		out_.drain();
	}
}

int Run::close()
{
	if (const int code = reading_.close({&out_}))
		return code;
	return reading_.finish(options_.strict,
			       {options_.choice.jobs.missing(),
				options_.choice.time.missing(reading_.captures())});
}

int Run::run()
{
	if (const Status status = open(); !status.ok())
		return reading_.refuse(status);
	read();
	if (const auto code = reading_.read_all(check()))
		return *code;
	print();
	return close();
}

} // namespace

int timeline_main(int argc, char **argv)
{
	return word_main<TimelineOptions, Run>(argc, argv);
}
