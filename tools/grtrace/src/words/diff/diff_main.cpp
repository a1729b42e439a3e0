// SPDX-License-Identifier: GPL-2.0
//
// grtrace diff: two captures, stage by stage, for people and for CI. This file
// is its table of contents.
#include "words/diff/diff_main.h"

#include <cstdio>

#include "read/capture/capture_set.h"
#include "words/diff/diff_options.h"
#include "words/diff/diff_report.h"
#include "words/diff/diff_side.h"
#include "read/jobs/job_tracker.h"
#include "read/capture/losses.h"
#include "lib/files/output_file.h"
#include "read/capture/output_names.h"
#include "lib/text/print_to.h"
#include "lib/files/read_progress.h"
#include "lib/options/word_main.h"

using namespace grtrace;

namespace {

enum { exit_fails = exit_lost + 1, exit_open };

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace diff: {}\n", sentence);
}

// The run: first all of the base, then all of the new one.
class Run {
public:
	explicit Run(DiffOptions &options)
		: options_(options), progress_(false),
		  diagnostics_([this](const std::string &sentence) {
			  progress_.clear();
			  say(sentence);
		  }),
		  captures_(diagnostics_)
	{
	}

	int run();

private:
	void read(Capture &capture, DiffSide &side);
	void tell_gaps(Capture &capture, JobTracker &tracker);
	int close(const DiffReport &report);

	DiffOptions &options_;
	ReadProgress progress_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	OutputFile output_;
};

void Run::tell_gaps(Capture &capture, JobTracker &tracker)
{
	tracker.lose(options_.filter.wanted(capture.take_gaps(),
					    capture.session()));
}

void Run::read(Capture &capture, DiffSide &side)
{
	JobTracker tracker(side, &side);
	const Event *event = nullptr;

	for (Next got; (got = capture.next(event)) != Next::end;) {
		if (capture.has_gaps())
			tell_gaps(capture, tracker);
		if (got == Next::event &&
		    options_.filter.wants_time(*event, capture.session()))
			tracker.feed(*event);
	}
	tell_gaps(capture, tracker);
	tracker.finish();
}

int Run::close(const DiffReport &report)
{
	const Status status = output_.close();

	if (output_.reader_gone())
		return exit_reader_gone;
	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}
	const uint64_t lost = tell_losses(captures_);

	for (const std::string &note : report.notes())
		say(note);
	for (const std::string &sentence : options_.filter.missing(captures_))
		diagnostics_.warn(sentence);
	diagnostics_.finish();
	if (diagnostics_.errors() || report.is_void())
		return exit_error;
	if (report.fails())
		return exit_fails;
	if (report.is_open())
		return exit_open;
	return options_.strict && lost ? exit_lost : exit_ok;
}

int Run::run()
{
	Status status = check_outputs({{"-o", options_.output}},
				      options_.directory, options_.inputs);

	if (status.ok())
		status = captures_.open(options_.directory, options_.inputs);
	captures_.tell(progress_);
	if (status.ok())
		status = output_.replace(options_.output);
	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}

	DiffSide base(options_, captures_.capture(0), 0);
	DiffSide fresh(options_, captures_.capture(1), 1);
	read(captures_.capture(0), base);
	read(captures_.capture(1), fresh);
	progress_.clear();
	status = options_.rings.check(captures_);
	if (!status.ok()) {
		say(status.sentence());
		return diagnostics_.errors() ? exit_error : exit_usage;
	}

	DiffReport report(options_, base, fresh);
	report.print(output_.text());
	return close(report);
}

} // namespace

int diff_main(int argc, char **argv)
{
	return word_main<DiffOptions, Run>(argc, argv);
}
