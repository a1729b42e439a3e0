// SPDX-License-Identifier: GPL-2.0
//
// grtrace report: where the jobs of a capture spent their time. This file is
// its table of contents.
#include "words/report/report_main.h"

#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "read/capture/capture_set.h"
#include "words/delays/delay_csv.h"
#include "read/rows/job_columns.h"
#include "read/jobs/job_tracker.h"
#include "lib/data/large_pages.h"
#include "read/capture/losses.h"
#include "lib/files/output_file.h"
#include "read/capture/output_names.h"
#include "words/page/html_page.h"
#include "lib/text/print_to.h"
#include "lib/files/read_progress.h"
#include "words/report/report.h"
#include "words/report/report_options.h"
#include "lib/options/word_main.h"

using namespace grtrace;

namespace {

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace report: {}\n", sentence);
}

// One capture's jobs on their way into its report.
struct Reporting {
	Reporting(const ReportOptions &options, Capture &capture,
		  OutputFile *csv)
		: filter(options.filter), report(options, capture, csv),
		  tracker(report, &report)
	{
	}

	void feed(std::span<const Event> run, const Session &session)
	{
		if (!filter.has_interval())
			return feed(run);
		for (const Event &event : run)
			if (filter.wants_time(event, session))
				feed({&event, 1});
	}
	// Of several all are sequenced.
	void feed(std::span<const Event> run)
	{
		// A LOST stands before its time.
		if (!begun && run.front().sequenced) {
			report.begin(run.front().ts);
			begun = true;
		}
		for (const Event &event : run)
			last_ts = std::max(last_ts, event.ts);
		tracker.feed(run);
	}
	void finish()
	{
		tracker.finish();
		report.finish(last_ts);
	}

	const EventFilter &filter;
	Report report;
	JobTracker tracker;
	uint64_t last_ts = 0;
	bool begun = false;
};

// The run: captures in, tables and CSV out.
class Run {
public:
	explicit Run(const ReportOptions &options)
		: options_(options), progress_(options.csv == "-"),
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
	void read();
	void tell_gaps(size_t index);
	void print();
	void draw();
	int close();

	const ReportOptions &options_;
	ReadProgress progress_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	OutputFile text_;
	fmt::memory_buffer aside_; // for people, if text_ is not open
	OutputFile csv_;
	OutputFile delays_;
	OutputFile html_;
	std::vector<std::unique_ptr<Reporting>> reportings_;
};

Status Run::open()
{
	Status status = check_outputs({{"-o", options_.output},
				       {"--csv", options_.csv},
				       {"--delays-csv", options_.delays_csv},
				       {"--html", options_.html}},
				      options_.directory, options_.inputs);

	if (status.ok())
		status = captures_.open(options_.directory, options_.inputs);
	captures_.tell(progress_);
	if (status.ok() && !options_.csv.empty()) {
		status = csv_.replace(options_.csv);
		print_csv_header(csv_.text(), job_columns());
	}
	if (status.ok() && !options_.delays_csv.empty()) {
		status = delays_.replace(options_.delays_csv);
		DelayCsv::print_header(delays_.text());
	}
	// Lines for a program, or a picture, do not mix with tables.
	if (status.ok() &&
	    !(options_.output == "-" &&
	      (options_.csv == "-" || options_.delays_csv == "-" ||
	       options_.html == "-")))
		status = text_.replace(options_.output);
	if (status.ok() && !options_.html.empty())
		status = html_.replace(options_.html);
	for (size_t i = 0; status.ok() && i < captures_.size(); i++)
		reportings_.push_back(std::make_unique<Reporting>(
			options_, captures_.capture(i),
			csv_.is_open() ? &csv_ : nullptr));
	return status;
}

void Run::read()
{
	std::span<const Event> run;

	for (Next got; (got = captures_.next(run)) != Next::end;) {
		if (got == Next::again) {
			if (csv_.is_open())
				csv_.flush();
			continue;
		}
		const size_t index = run.front().capture;
		const Capture &capture = captures_.capture(index);

		// Nothing is read, so nothing found missing, within a run.
		if (capture.has_gaps())
			tell_gaps(index);
		reportings_[index]->feed(run, capture.session());
		if (csv_.failed())
			break;
	}
}

void Run::tell_gaps(size_t index)
{
	Capture &capture = captures_.capture(index);

	reportings_[index]->tracker.lose(options_.filter.wanted(
		capture.take_gaps(), capture.session()));
}

void Run::print()
{
	fmt::memory_buffer &out = text_.is_open() ? text_.text() : aside_;

	for (size_t i = 0; i < reportings_.size(); i++) {
		tell_gaps(i);
		reportings_[i]->finish();
		reportings_[i]->report.print(out);
		if (delays_.is_open())
			reportings_[i]->report.print_delays(delays_.text());
	}
}

void Run::draw()
{
	std::vector<HtmlCapture> captures;

	if (!options_.wants_picture())
		return;
	for (const std::unique_ptr<Reporting> &reporting : reportings_) {
		fmt::memory_buffer end;

		reporting->report.print_end(end);
		captures.emplace_back(*reporting->report.picture(),
				      reporting->report.delays(),
				      fmt::to_string(end));
	}
	HtmlPage(html_).write(captures);
}

int Run::close()
{
	const std::vector<OutputFile *> files = {&csv_, &delays_, &html_,
						 &text_};
	const Status written = close_all(files);
	for (const OutputFile *file : files)
		if (file->reader_gone())
			return exit_reader_gone;
	if (!written.ok()) {
		say(written.sentence());
		return exit_error;
	}
	print_to(stderr, "{}", fmt::to_string(aside_));
	const uint64_t lost = tell_losses(captures_);

	for (const std::string &sentence : options_.filter.missing(captures_))
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
	// There is no report of a part.
	if (!csv_.failed()) {
		print();
		draw();
	}
	return close();
}

} // namespace

int report_main(int argc, char **argv)
{
	use_large_pages();
	return word_main<ReportOptions, Run>(argc, argv);
}
