// SPDX-License-Identifier: GPL-2.0
//
// grtrace diff: two captures, stage by stage, for people and for CI. This file
// is its table of contents.
#include "words/diff/diff_main.h"

#include "lib/files/output_file.h"
#include "lib/options/word_main.h"
#include "words/diff/diff_options.h"
#include "words/diff/diff_report.h"
#include "words/diff/diff_side.h"
#include "words/filter/wanted_gaps.h"
#include "words/reading/refused.h"
#include "words/reading/word_run.h"
#include "words/tracker/job_tracker.h"

using namespace grtrace;

namespace {

enum { exit_fails = exit_lost + 1, exit_open };

// A run reads all of the base, then all of the new capture.
class Run {
public:
	explicit Run(DiffOptions &options) : options_(options), reading_("grtrace diff", false) {}

	int run();

private:
	void read(Capture &capture, DiffSide &side);
	void tell_gaps(Capture &capture, JobTracker &tracker);
	int close(const DiffReport &report);

	DiffOptions &options_;
	WordRun reading_;
	OutputFile output_;
};

void Run::tell_gaps(Capture &capture, JobTracker &tracker)
{
	tracker.lose(wanted_gaps(options_.filter, capture.take_gaps(), capture.session()));
}

void Run::read(Capture &capture, DiffSide &side)
{
	JobTracker tracker(side, &side);
	const Event *event = nullptr;

	for (Next got; (got = capture.next(event)) != Next::end;) {
		if (capture.has_gaps())
			tell_gaps(capture, tracker);
		if (got == Next::event && options_.filter.wants_time(*event, capture.session()))
			tracker.feed(*event);
	}
	tell_gaps(capture, tracker);
	tracker.finish();
}

int Run::close(const DiffReport &report)
{
	if (const int code = reading_.close({&output_}))
		return code;
	reading_.say_losses();
	for (const std::string &note : report.notes())
		reading_.say(note);
	const int code =
		reading_.finish(options_.strict, {options_.jobs.missing(),
						  options_.filter.missing(reading_.captures())});

	if (code == exit_error || report.is_void())
		return exit_error;
	if (report.fails())
		return exit_fails;
	return report.is_open() ? exit_open : code;
}

int Run::run()
{
	Status status =
		reading_.open({{"-o", options_.output}}, options_.directory, options_.inputs);

	if (status.ok())
		status = output_.replace(options_.output);
	if (!status.ok())
		return reading_.refuse(status);

	CaptureSet &captures = reading_.captures();
	DiffSide base(options_, captures.capture(0), 0);
	DiffSide fresh(options_, captures.capture(1), 1);
	read(captures.capture(0), base);
	read(captures.capture(1), fresh);
	if (const auto code = reading_.read_all(options_.jobs.check(captures)))
		return *code;
	if (is_refused(captures.capture(0)) || is_refused(captures.capture(1)))
		return reading_.finish(options_.strict, {});

	DiffReport report(options_, base, fresh);
	report.print(output_.text());
	return close(report);
}

} // namespace

int diff_main(int argc, char **argv)
{
	return word_main<DiffOptions, Run>(argc, argv);
}
