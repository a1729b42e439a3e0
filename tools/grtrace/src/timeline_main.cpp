// SPDX-License-Identifier: GPL-2.0
//
// grtrace timeline: rings and jobs over time, in a terminal. This file is its
// table of contents.
#include "timeline_main.h"

#include <cstdio>
#include <memory>
#include <vector>

#include "capture_set.h"
#include "job_tracker.h"
#include "losses.h"
#include "output_file.h"
#include "timeline_gantt.h"
#include "timeline_jobs.h"
#include "timeline_options.h"
#include "word_main.h"

using namespace grtrace;

namespace {

void say(const std::string &sentence)
{
	fmt::print(stderr, "grtrace timeline: {}\n", sentence);
}

// One capture's events on their way into its drawing.
struct Drawing {
	explicit Drawing(std::unique_ptr<TimelineView> made)
		: view(std::move(made)), tracker(*view, view.get())
	{
	}

	void feed(const Event &event)
	{
		// Tables may be repeated at the end.
		if (event.is_event())
			last_ts = std::max(last_ts, event.ts);
		view->event(event);
		tracker.feed(event);
	}
	void finish()
	{
		view->end(last_ts);
		tracker.finish();
	}

	std::unique_ptr<TimelineView> view;
	JobTracker tracker;
	uint64_t last_ts = 0;
};

// The run: captures in, drawings out.
class Run {
public:
	explicit Run(TimelineOptions &options)
		: options_(options),
		  terminal_(TerminalFacts::of(options.output), options.colour,
			    options.width),
		  diagnostics_(say), captures_(diagnostics_)
	{
	}

	int run();

private:
	Status open();
	std::unique_ptr<TimelineView> view_of(uint32_t index);
	void read();
	void take(const Event &event);
	void tell_gaps(size_t index);
	void print();
	int close();

	TimelineOptions &options_;
	Terminal terminal_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	OutputFile out_;
	std::vector<std::unique_ptr<Drawing>> drawings_;
};

std::unique_ptr<TimelineView> Run::view_of(uint32_t index)
{
	Capture &capture = captures_.capture(index);

	if (options_.jobs)
		return std::make_unique<TimelineJobs>(options_.limit, terminal_,
						      options_.choice, index,
						      capture);
	return std::make_unique<TimelineGantt>(terminal_, options_.choice,
					       index, capture);
}

Status Run::open()
{
	Status status = captures_.open(options_.directory, options_.inputs);

	if (status.ok())
		status = out_.open(options_.output);
	for (uint32_t i = 0; status.ok() && i < captures_.size(); i++)
		drawings_.push_back(std::make_unique<Drawing>(view_of(i)));
	return status;
}

void Run::read()
{
	const Event *event;

	for (Next got; (got = captures_.next(event)) != Next::end;)
		if (got == Next::event)
			take(*event);
}

void Run::take(const Event &event)
{
	tell_gaps(event.capture);
	drawings_[event.capture]->feed(event);
}

void Run::tell_gaps(size_t index)
{
	drawings_[index]->tracker.lose(captures_.capture(index).take_gaps());
}

void Run::print()
{
	for (size_t i = 0; i < drawings_.size(); i++) {
		tell_gaps(i);
		drawings_[i]->finish();
		if (i)
			out_.text().push_back('\n');
		drawings_[i]->view->print(out_.text());
		out_.drain();
	}
}

int Run::close()
{
	Status written = out_.close();
	const uint64_t lost = tell_losses(captures_);

	for (const std::string &sentence :
	     options_.choice.jobs.missing(captures_))
		diagnostics_.warn(sentence);
	diagnostics_.finish();
	if (!written.ok())
		diagnostics_.error(written.sentence());
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
	print();
	return close();
}

} // namespace

int timeline_main(int argc, char **argv)
{
	return word_main<TimelineOptions, Run>(argc, argv);
}
