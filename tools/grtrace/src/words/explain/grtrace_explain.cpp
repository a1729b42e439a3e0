// SPDX-License-Identifier: GPL-2.0
//
// grtrace-explain: the story of one job. This file is its table of contents.
#include <memory>
#include <vector>

#include "lib/options/word_main.h"
#include "read/capture/capture_run.h"
#include "words/explain/explain_options.h"
#include "words/explain/story_collector.h"
#include "words/program/word_program.h"

using namespace grtrace;

namespace {

class Run {
public:
	explicit Run(const ExplainOptions &options)
		: options_(options), run_("grtrace explain", false)
	{
	}

	int run();

private:
	Status open();
	bool tell();

	const ExplainOptions &options_;
	CaptureRun run_;
	OutputFile text_;
	std::vector<std::unique_ptr<StoryCollector>> stories_; // by capture
};

Status Run::open()
{
	Status status = run_.open({{"-o", options_.output}}, options_.directory, options_.inputs,
				  {.batch = options_.batch});

	for (size_t i = 0; status.ok() && i < run_.captures().size(); i++)
		stories_.push_back(
			std::make_unique<StoryCollector>(options_.job, run_.captures().capture(i)));
	return status.ok() ? text_.replace(options_.output) : status;
}

// False if no capture has the job.
bool Run::tell()
{
	bool told = false;

	for (std::unique_ptr<StoryCollector> &story : stories_) {
		story->finish();
		told |= story->tell(text_.text());
	}
	for (std::unique_ptr<StoryCollector> &story : stories_)
		if (!told)
			run_.say(story->nearest());
	return told;
}

int Run::run()
{
	const Status status = open();
	const Event *event;

	if (!status.ok())
		return run_.refuse(status);
	for (Next got; (got = run_.captures().next(event)) != Next::end;)
		if (got == Next::event)
			stories_[event->capture]->feed(*event);
	run_.read_all();
	const bool told = tell();
	if (const int code = run_.close({&text_}))
		return code;
	const int code = run_.finish(options_.strict, {});
	return told ? code : exit_error;
}

int explain_main(int argc, char **argv)
{
	return word_main<ExplainOptions, Run>(argc, argv);
}

} // namespace

int main(int argc, char **argv)
{
	return run_word("explain", explain_main, argc, argv);
}
