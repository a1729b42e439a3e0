// SPDX-License-Identifier: GPL-2.0
//
// grparse: blkparse for GPU jobs. This file is its table of contents.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <vector>

#include "format/vocabulary.h"
#include "grparse/grparse_options.h"
#include "grparse/step_times.h"
#include "grparse/summary.h"
#include "lib/files/output_file.h"
#include "lib/options/version.h"
#include "lib/text/print_to.h"
#include "read/capture/capture_set.h"
#include "read/capture/losses.h"
#include "read/capture/output_names.h"
#include "read/filter/ring_search.h"
#include "read/jobs/job_tracker.h"
#include "read/rows/row_printer.h"
#include "read/stream/stream_writer.h"

using namespace grtrace;

enum { exit_ok, exit_error, exit_usage, exit_lost };

namespace {

// What is counted of one capture.
struct Counting {
	Counting(Capture &capture, bool track)
		: summary(capture), tracker(summary, track ? &steps : nullptr)
	{
	}

	void feed(const Event &event)
	{
		steps.expect(event);
		tracker.feed(event);
	}

	Summary summary;
	StepTimes steps;
	JobTracker tracker;
};

// The run: captures in; text, binary and summary out.
class Grparse {
public:
	explicit Grparse(GrparseOptions &options)
		: options_(options), diagnostics_(say), captures_(diagnostics_)
	{
	}

	int run();

	static void say(const std::string &sentence)
	{
		print_to(stderr, "grparse: {}\n", sentence);
	}

private:
	Status open();
	Status open(OutputFile &file, const std::string &path);
	void explain();
	bool wants(const Event &event, Session &session);
	void event(const Event &event);
	bool failed() const { return text_.failed() || binary_.failed(); }
	bool enough() const;
	void flush();
	void summarise();
	int close();
	bool wants_text(const Event &event) const;
	void print(const Event &event, Capture &capture);

	GrparseOptions &options_;
	Diagnostics diagnostics_;
	CaptureSet captures_;
	OutputFile text_;
	OutputFile binary_;
	fmt::memory_buffer aside_; // tables that do not belong into text_
	std::unique_ptr<BinaryWriter> writer_;
	std::vector<std::unique_ptr<Counting>> countings_;
	std::vector<std::unique_ptr<StoryCollector>> stories_;
	uint64_t shown_ = 0; // events that passed
};

// What comes while it is recorded is wanted while it comes, and so far as it came.
Status Grparse::open(OutputFile &file, const std::string &path)
{
	if (std::ranges::find(options_.inputs, "-") != options_.inputs.end())
		return file.open(path);
	return file.replace(path);
}

Status Grparse::open()
{
	Status status = check_outputs({{"-o", options_.output}, {"-d", options_.dump, true}},
				      options_.directory, options_.inputs);

	if (status.ok())
		status = captures_.open(options_.directory, options_.inputs,
					{.batch = options_.batch});
	// With the stream on standard output there is no text, see parse().
	if (status.ok() && !(options_.dump == "-" && options_.output == "-"))
		status = open(text_, options_.output);
	if (status.ok() && !options_.dump.empty()) {
		status = open(binary_, options_.dump);
		writer_ = std::make_unique<BinaryWriter>(captures_.capture(0).session());
	}
	if (status.ok() && options_.explain)
		for (size_t i = 0; i < captures_.size(); i++)
			stories_.push_back(std::make_unique<StoryCollector>(*options_.explain,
									    captures_.capture(i)));
	else if (status.ok() && (!options_.quiet || options_.track))
		for (size_t i = 0; i < captures_.size(); i++)
			countings_.push_back(
				std::make_unique<Counting>(captures_.capture(i), options_.track));
	if (status.ok() && options_.rows && !options_.no_text)
		options_.rows->print_header(text_.text());
	return status;
}

bool Grparse::wants_text(const Event &event) const
{
	if (options_.no_text)
		return false;
	// An event that we do not know is shown if the METADATA names it.
	return options_.rows || event.type <= last_event || event.type == GRTRACE_LOST ||
	       event.type == GRTRACE_MESSAGE || event.type == GRTRACE_SAMPLE || options_.verbose ||
	       (event.is_event() &&
		captures_.capture(event.capture).session().event_names.contains(event.type));
}

void Grparse::print(const Event &event, Capture &capture)
{
	const uint64_t elapsed =
		options_.track ? countings_[event.capture]->steps.elapsed() : Job::none;

	if (options_.rows)
		options_.rows->print(text_.text(), event, capture.session(), capture.name(),
				     elapsed);
	else
		options_.printer.print(text_.text(), event, capture.session(), elapsed);
	text_.drain();
}

// A job is more than the types the user wants to see, so it is counted before
// they are asked for.
bool Grparse::wants(const Event &event, Session &session)
{
	if (!options_.filter.wants_time(event, session) || !options_.jobs.wants(event, session))
		return false;
	if (!countings_.empty())
		countings_[event.capture]->feed(event);
	return options_.filter.wants_type(event);
}

void Grparse::event(const Event &event)
{
	Capture &capture = captures_.capture(event.capture);

	if (options_.explain)
		return stories_[event.capture]->feed(event);
	if (capture.has_gaps()) {
		const std::vector<Gap> gaps = capture.take_gaps();
		if (!countings_.empty())
			countings_[event.capture]->tracker.lose(gaps);
	}
	if (!wants(event, capture.session())) {
		if (writer_)
			writer_->skip(event);
		return;
	}
	shown_ += event.is_event();
	if (!options_.quiet)
		countings_[event.capture]->summary.add(event);
	if (wants_text(event))
		print(event, capture);
	if (writer_ && event.type == GRTRACE_MESSAGE && options_.no_messages) {
		writer_->skip(event);
	} else if (writer_) {
		writer_->write(binary_.text(), event);
		binary_.drain();
	}
}

bool Grparse::enough() const
{
	return failed() || (options_.limit && shown_ == options_.limit);
}

void Grparse::flush()
{
	text_.flush();
	if (writer_)
		binary_.flush();
}

void Grparse::summarise()
{
	// Tables for people do not mix with lines for a program.
	fmt::memory_buffer &out = text_.is_open() && !options_.rows ? text_.text() : aside_;

	for (std::unique_ptr<Counting> &counting : countings_) {
		counting->tracker.finish();
		counting->summary.print(out, options_.programs);
	}
	if (options_.limit && shown_ == options_.limit)
		fmt::format_to(std::back_inserter(out),
			       "Stopped after {} events (--limit): what comes "
			       "later was not read\n",
			       thousands(shown_));
}

void Grparse::explain()
{
	bool told = false;

	for (std::unique_ptr<StoryCollector> &story : stories_) {
		story->finish();
		told |= story->tell(text_.text());
	}
	for (std::unique_ptr<StoryCollector> &story : stories_)
		if (!told)
			diagnostics_.error(story->nearest());
}

int Grparse::close()
{
	OutputFile *const files[] = {&binary_, &text_};
	const Status written = close_all(files);

	if (text_.reader_gone() || binary_.reader_gone())
		return exit_reader_gone;
	if (!written.ok()) {
		say(written.sentence());
		return exit_error;
	}
	print_to(stderr, "{}", fmt::to_string(aside_));
	const uint64_t lost = tell_losses(captures_);

	for (const std::string &sentence : options_.jobs.missing())
		diagnostics_.warn(sentence);
	for (const std::string &sentence : options_.filter.missing(captures_))
		diagnostics_.warn(sentence);
	diagnostics_.finish();
	if (diagnostics_.errors())
		return exit_error;
	return options_.strict && lost ? exit_lost : exit_ok;
}

int Grparse::run()
{
	// Of what is not read nobody knows the names.
	Status status = options_.limit ? Status() :
					 find_rings(options_.jobs.rings, options_.directory,
						    options_.inputs);
	if (!status.ok()) {
		say(status.sentence());
		return exit_usage;
	}
	status = open();
	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}

	// Everything that can be read is shown, whatever is wrong in between.
	const Event *next;
	for (Next got; (got = captures_.next(next)) != Next::end;) {
		if (got == Next::again)
			flush();
		else
			event(*next);
		if (enough())
			break;
	}

	status = enough() ? Status() : options_.jobs.rings.check(captures_);
	if (!status.ok()) {
		say(status.sentence());
		return diagnostics_.errors() ? exit_error : exit_usage;
	}
	// There is no summary of what nobody takes.
	if (options_.explain)
		explain();
	else if (!options_.quiet && !failed())
		summarise();
	return close();
}

int run(int argc, char **argv)
{
	GrparseOptions options;
	Status status = options.parse(argc, argv);

	// A full disk or a reader that went away is told by write().
	signal(SIGPIPE, SIG_IGN);

	if (!status.ok()) {
		Grparse::say(status.sentence());
		return exit_usage;
	}
	if (options.help) {
		print_to(stdout, "{}", GrparseOptions::help_text());
		return exit_ok;
	}
	if (options.version) {
		print_to(stdout, "grparse {} (stream format {}.{})\n", tools_version,
			 GRTRACE_VERSION_MAJOR, GRTRACE_VERSION_MINOR);
		return exit_ok;
	}
	return Grparse(options).run();
}

} // namespace

int main(int argc, char **argv)
{
	return stdout_taken("grparse", run(argc, argv));
}
