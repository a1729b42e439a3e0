// SPDX-License-Identifier: GPL-2.0
//
// grtrace export: captures in the formats of other programs. This file is its
// table of contents.
#include "words/export/export_main.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "read/capture/capture_set.h"
#include "words/export/export_formats.h"
#include "words/export/export_options.h"
#include "words/export/interruption.h"
#include "read/jobs/job_tracker.h"
#include "read/capture/losses.h"
#include "read/capture/output_names.h"
#include "lib/text/print_to.h"
#include "lib/files/read_progress.h"
#include "lib/options/word_main.h"

using namespace grtrace;

namespace {

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace export: {}\n", sentence);
}

// One capture's events on their way into the export.
struct Exporting {
	explicit Exporting(std::unique_ptr<CaptureExport> made)
		: out(std::move(made)), tracker(*out, out.get())
	{
	}

	void lose(const Gap &gap)
	{
		out->gap(gap);
		tracker.lose(gap.from_ts, gap.to_ts);
	}
	void feed(const Event &event)
	{
		out->event(event);
		tracker.feed(event);
	}
	void finish()
	{
		tracker.finish();
		out->finish();
	}

	std::unique_ptr<CaptureExport> out;
	JobTracker tracker;
};

// The run: captures in, one file of another program out.
class Run {
public:
	explicit Run(ExportOptions &options)
		: options_(options), progress_(options.output == "-"),
		  diagnostics_([this](const std::string &sentence) {
			  progress_.clear();
			  say(sentence);
		  }),
		  captures_(diagnostics_),
		  exporter_(options.format->make(options))
	{
	}

	int run();

private:
	Status open();
	void read();
	void take(const Event &event);
	void tell_gaps(size_t index);
	void finish();
	int close();
	[[noreturn]] void give_up();

	ExportOptions &options_;
	ReadProgress progress_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	std::unique_ptr<Exporter> exporter_;
	std::vector<std::unique_ptr<Exporting>> exportings_;
};

Status Run::open()
{
	Status status = check_outputs({{"-o", options_.output}},
				      options_.directory, options_.inputs);

	if (status.ok())
		status = captures_.open(options_.directory, options_.inputs);
	captures_.tell(progress_);
	if (status.ok())
		status = exporter_->open(options_.output);
	for (uint32_t i = 0; status.ok() && i < captures_.size(); i++)
		exportings_.push_back(std::make_unique<Exporting>(
			exporter_->add(i, captures_.capture(i))));
	// Ctrl-C ends both ends of a pipe, and what came through it is wanted.
	if (status.ok() && options_.output != "-" &&
	    std::ranges::find(options_.inputs, "-") == options_.inputs.end())
		note_interruption();
	return status;
}

void Run::read()
{
	const Event *event;

	for (Next got; (got = captures_.next(event)) != Next::end;) {
		if (got == Next::again)
			exporter_->flush();
		else
			take(*event);
		if (exporter_->failed() || interruption())
			return;
	}
}

void Run::take(const Event &event)
{
	Session &session = captures_.capture(event.capture).session();
	const bool in_time = options_.time.wants_time(event, session);
	Exporting &exporting = *exportings_[event.capture];

	tell_gaps(event.capture);
	if (in_time && options_.jobs.wants(event, session))
		exporting.feed(event);
	else
		exporting.out->skip(event, in_time);
}

void Run::tell_gaps(size_t index)
{
	Capture &capture = captures_.capture(index);

	for (const Gap &gap : options_.time.wanted(capture.take_gaps(),
						   capture.session()))
		exportings_[index]->lose(gap);
}

void Run::finish()
{
	for (size_t i = 0; i < exportings_.size(); i++) {
		tell_gaps(i);
		exportings_[i]->finish();
	}
}

int Run::close()
{
	const Status written = exporter_->close();

	if (!written.ok() && interruption())
		give_up();
	if (exporter_->reader_gone())
		return exit_reader_gone;
	if (!written.ok()) {
		say(written.sentence());
		return exit_error;
	}
	const uint64_t lost = tell_losses(captures_);

	for (const std::string &sentence : options_.jobs.missing())
		diagnostics_.warn(sentence);
	for (const std::string &sentence : options_.time.missing(captures_))
		diagnostics_.warn(sentence);
	diagnostics_.finish();
	if (diagnostics_.errors())
		return exit_error;
	return options_.strict && lost ? exit_lost : exit_ok;
}

// With all that has a name by now.
void Run::give_up()
{
	exportings_.clear();
	exporter_.reset();
	say(fmt::format("interrupted: {} is not written", options_.output));
	end_interrupted();
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
	if (interruption())
		give_up();
	status = exporter_->failed() ? Status() :
				       options_.jobs.rings.check(captures_);
	if (!status.ok()) {
		say(status.sentence());
		return diagnostics_.errors() ? exit_error : exit_usage;
	}
	if (!exporter_->failed())
		finish();
	return close();
}

} // namespace

int export_main(int argc, char **argv)
{
	return word_main<ExportOptions, Run>(argc, argv);
}
