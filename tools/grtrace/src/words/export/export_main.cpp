// SPDX-License-Identifier: GPL-2.0
//
// grtrace export: captures in the formats of other programs. This file is its
// table of contents.
#include "words/export/export_main.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/export/export_formats.h"
#include "words/export/export_options.h"
#include "words/export/exporting.h"
#include "words/export/fleet_schema.h"
#include "words/export/interruption.h"
#include "words/filter/ring_search.h"
#include "words/reading/word_run.h"

using namespace grtrace;

namespace {

// The run: captures in, one file of another program out.
class Run {
public:
	explicit Run(ExportOptions &options)
		: options_(options), reading_("grtrace export", options.output == "-"),
		  exporter_(options.format ? options.format->make(options) : nullptr)
	{
	}

	int run();

private:
	Status open();
	void read();
	bool refused();
	void finish();
	int close();
	[[noreturn]] void give_up();
	bool is_enough() const { return options_.limit && events_ == options_.limit; }

	ExportOptions &options_;
	WordRun reading_;
	std::unique_ptr<Exporter> exporter_;
	std::vector<std::unique_ptr<Exporting>> exportings_;
	uint64_t events_ = 0; // that were chosen
};

Status Run::open()
{
	Status status =
		reading_.open({{"-o", options_.output}}, options_.directory, options_.inputs);

	if (status.ok())
		status = exporter_->open(options_.output);
	for (uint32_t i = 0; status.ok() && i < reading_.captures().size(); i++)
		exportings_.push_back(std::make_unique<Exporting>(
			options_, i, reading_.captures().capture(i),
			exporter_->add(i, reading_.captures().capture(i))));
	// Ctrl-C ends both ends of a pipe, and what came through it is wanted.
	if (status.ok() && options_.output != "-" &&
	    std::ranges::find(options_.inputs, "-") == options_.inputs.end())
		note_interruption();
	return status;
}

void Run::read()
{
	const Event *event;

	for (Next got; (got = reading_.captures().next(event)) != Next::end;) {
		if (got == Next::again)
			exporter_->flush();
		else
			events_ += exportings_[event->capture]->take(*event);
		if (exporter_->failed() || interruption() || is_enough())
			return;
	}
}

// Whether the sessions of all inputs were refused, so that a file would be empty.
bool Run::refused()
{
	for (size_t i = 0; i < reading_.captures().size(); i++)
		if (!reading_.captures().capture(i).session().refused)
			return false;
	return true;
}

void Run::finish()
{
	for (const std::unique_ptr<Exporting> &exporting : exportings_)
		exporting->finish();
}

int Run::close()
{
	const Status written = exporter_->close();

	if (!written.ok() && interruption())
		give_up();
	if (exporter_->reader_gone())
		return exit_reader_gone;
	if (!written.ok())
		return reading_.refuse(written);
	return reading_.finish(options_.strict,
			       {options_.jobs.missing(), options_.time.missing(reading_.captures()),
				exporter_->missing()});
}

// With all that has a name by now.
void Run::give_up()
{
	exportings_.clear();
	exporter_.reset();
	reading_.say(fmt::format("interrupted: {} is not written", options_.output));
	end_interrupted();
}

int Run::run()
{
	if (!options_.schema.empty()) {
		print_to(stdout, "{}", fleet_schema(options_.schema, options_.rows));
		return exit_ok;
	}
	if (const auto code = reading_.check_rings(
		    find_rings(options_.jobs.rings, options_.directory, options_.inputs)))
		return *code;
	if (const Status status = open(); !status.ok())
		return reading_.refuse(status);
	read();
	// The names in a pipe are not known before.
	const auto code = reading_.read_all(exporter_->failed() || interruption() || is_enough() ?
						    Status() :
						    options_.jobs.check(reading_.captures()));
	if (interruption())
		give_up();
	if (code)
		return *code;
	if (refused())
		return reading_.finish(options_.strict, {});
	if (!exporter_->failed())
		finish();
	return close();
}

} // namespace

int export_main(int argc, char **argv)
{
	return word_main<ExportOptions, Run>(argc, argv);
}
