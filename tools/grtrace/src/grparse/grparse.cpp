// SPDX-License-Identifier: GPL-2.0
//
// grparse: blkparse for GPU jobs. This file is its table of contents.
#include <iterator>
#include <string>
#include <vector>

#include "grparse/counting.h"
#include "grparse/event_output.h"
#include "grparse/grparse_options.h"
#include "lib/options/exec_word.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "read/capture/capture_run.h"
#include "read/capture/losses.h"
#include "read/filter/ring_search.h"

using namespace grtrace;

namespace {

// The run: reads captures; writes text, binary and summary.
class Grparse {
public:
	explicit Grparse(GrparseOptions &options) : options_(options) {}

	int run();

private:
	Status open();
	bool wants(const Event &event, Session &session);
	void event(const Event &event);
	void read();
	bool enough() const;
	void summarise();
	int close();

	GrparseOptions &options_;
	CaptureRun reading_{"grparse", true};
	CaptureSet &captures_ = reading_.captures();
	EventOutput output_{options_, captures_};
	Counting counting_;
	uint64_t shown_ = 0; // events that passed
};

Status Grparse::open()
{
	Status status = check_outputs({{"-o", options_.output}, {"-d", options_.dump, true}},
				      options_.directory, options_.inputs);

	if (status.ok())
		status = captures_.open(options_.directory, options_.inputs,
					{.batch = options_.batch});
	if (status.ok())
		status = output_.open();
	if (status.ok() && (!options_.quiet || options_.track))
		counting_.open(captures_, options_.track);
	return status;
}

// A job has more events than the types that the user wants to see, so it is counted
// before types are filtered.
bool Grparse::wants(const Event &event, Session &session)
{
	if (event.type == GRTRACE_CLIENT)
		options_.jobs.learn(event);
	if (!options_.filter.wants_time(event, session) || !options_.jobs.wants(event, session))
		return false;
	counting_.feed(event);
	return options_.filter.wants_type(event);
}

void Grparse::event(const Event &event)
{
	Capture &capture = captures_.capture(event.capture);

	if (capture.has_gaps())
		counting_.lose(event.capture, capture.take_gaps());
	if (!wants(event, capture.session()))
		return output_.skip(event);
	shown_ += event.is_event();
	if (!options_.quiet)
		counting_.show(event);
	output_.print(event, options_.track ? counting_.elapsed(event.capture) : Job::none);
}

bool Grparse::enough() const
{
	return output_.failed() || (options_.limit && shown_ == options_.limit);
}

// Shows everything that can be read, even after damage.
void Grparse::read()
{
	const Event *next;

	for (Next got; !enough() && (got = captures_.next(next)) != Next::end;)
		got == Next::again ? output_.flush() : event(*next);
}

void Grparse::summarise()
{
	counting_.print(output_.tables(), options_.programs);
	if (options_.limit && shown_ == options_.limit)
		fmt::format_to(std::back_inserter(output_.tables()),
			       "Stopped after {} events (--limit): what comes later was not read\n",
			       thousands(shown_));
}

int Grparse::close()
{
	if (const int code = reading_.close(output_.files()))
		return code;
	output_.print_tables_aside();
	return reading_.finish(options_.strict,
			       {options_.jobs.missing(), options_.filter.missing(captures_)});
}

int Grparse::run()
{
	if (options_.explain)
		return exec_word("grparse", options_.explain_words(), "libfmt-dev");
	// With --limit not everything is read, so the other names are not known.
	if (!options_.limit)
		if (const auto code = reading_.check_rings(
			    find_rings(options_.jobs.rings, options_.directory, options_.inputs)))
			return *code;
	if (const Status status = open(); !status.ok())
		return reading_.refuse(status);
	read();
	if (!enough())
		if (const auto code = reading_.read_all(options_.jobs.rings.check(captures_)))
			return *code;
	// If the output has no reader, there is no summary.
	if (!options_.quiet && !output_.failed())
		summarise();
	return close();
}

} // namespace

int main(int argc, char **argv)
{
	const std::string version = fmt::format("grparse {} (stream format {}.{})", tools_version,
						GRTRACE_VERSION_MAJOR, GRTRACE_VERSION_MINOR);

	return stdout_taken("grparse",
			    program_main<GrparseOptions, Grparse>("grparse", version, argc, argv));
}
