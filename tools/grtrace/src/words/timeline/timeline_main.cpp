// SPDX-License-Identifier: GPL-2.0
//
// grtrace timeline: rings and jobs over time, in a terminal. This file is its
// table of contents.
#include "words/timeline/timeline_main.h"

#include <cstdio>
#include <memory>
#include <vector>

#include "read/capture/capture_set.h"
#include "read/capture/losses.h"
#include "lib/files/output_file.h"
#include "read/capture/output_names.h"
#include "lib/text/print_to.h"
#include "lib/files/read_progress.h"
#include "words/timeline/timeline_drawing.h"
#include "words/timeline/timeline_gantt.h"
#include "words/timeline/timeline_jobs.h"
#include "words/timeline/timeline_latency.h"
#include "words/timeline/timeline_options.h"
#include "lib/options/word_main.h"

using namespace grtrace;

namespace {

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace timeline: {}\n", sentence);
}

// The run: captures in, drawings out.
class Run {
public:
	explicit Run(TimelineOptions &options)
		: options_(options),
		  terminal_(TerminalFacts::of(options.output), options.colour,
			    options.width),
		  progress_(false),
		  diagnostics_([this](const std::string &sentence) {
			  progress_.clear();
			  say(sentence);
		  }),
		  captures_(diagnostics_)
	{
	}

	int run();

private:
	Status open();
	void add_drawing(uint32_t index);
	void read();
	void tell_gaps(size_t index);
	void print();
	int close();

	TimelineOptions &options_;
	Terminal terminal_;
	ReadProgress progress_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	OutputFile out_;
	std::vector<std::unique_ptr<TimelineDrawing>> drawings_;
};

void Run::add_drawing(uint32_t index)
{
	Capture &capture = captures_.capture(index);
	auto drawing = std::make_unique<TimelineDrawing>(options_.choice, index,
							 capture);
	const bool gantt = !options_.jobs && !options_.latency_only;

	if (options_.jobs)
		drawing->add(std::make_unique<TimelineJobs>(
			options_.limit, terminal_, options_.choice, index,
			capture));
	if (gantt)
		drawing->add(std::make_unique<TimelineGantt>(
			terminal_, options_.choice, index, capture,
			drawing->kinds()));
	if (gantt || options_.latency_only)
		drawing->add(std::make_unique<TimelineLatency>(
			options_.latency_only, terminal_, capture,
			drawing->kinds()));
	drawings_.push_back(std::move(drawing));
}

Status Run::open()
{
	Status status = check_outputs({{"-o", options_.output}},
				      options_.directory, options_.inputs);

	if (status.ok())
		status = captures_.open(options_.directory, options_.inputs);
	captures_.tell(progress_);
	if (status.ok())
		status = out_.replace(options_.output);
	for (uint32_t i = 0; status.ok() && i < captures_.size(); i++)
		add_drawing(i);
	return status;
}

void Run::read()
{
	const Event *event;

	for (Next got; (got = captures_.next(event)) != Next::end;)
		if (got == Next::event) {
			tell_gaps(event->capture);
			drawings_[event->capture]->feed(*event);
		}
}

void Run::tell_gaps(size_t index)
{
	if (captures_.capture(index).has_gaps())
		drawings_[index]->lose(captures_.capture(index).take_gaps());
}

void Run::print()
{
	for (size_t i = 0; i < drawings_.size(); i++) {
		tell_gaps(i);
		drawings_[i]->finish();
		if (i)
			out_.text().push_back('\n');
		drawings_[i]->print(out_.text());
		out_.drain();
	}
}

int Run::close()
{
	const Status written = out_.close();

	if (out_.reader_gone())
		return exit_reader_gone;
	if (!written.ok()) {
		say(written.sentence());
		return exit_error;
	}
	const uint64_t lost = tell_losses(captures_);

	for (const std::string &sentence : options_.choice.jobs.missing())
		diagnostics_.warn(sentence);
	for (const std::string &sentence : options_.choice.time.missing(captures_))
		diagnostics_.warn(sentence);
	diagnostics_.finish();
	if (diagnostics_.errors())
		return exit_error;
	return options_.strict && lost ? exit_lost : exit_ok;
}

int Run::run()
{
	Status status = open();

	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}
	read();
	progress_.clear();
	status = options_.choice.jobs.rings.check(captures_);
	if (!status.ok()) {
		say(status.sentence());
		return diagnostics_.errors() ? exit_error : exit_usage;
	}
	print();
	return close();
}

} // namespace

int timeline_main(int argc, char **argv)
{
	return word_main<TimelineOptions, Run>(argc, argv);
}
