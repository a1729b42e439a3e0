// SPDX-License-Identifier: GPL-2.0
//
// grtrace-explain: the story of one job. This file is its table of contents.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/explain/explain_options.h"
#include "words/explain/story_collector.h"
#include "words/program/word_program.h"
#include "words/reading/next_command.h"
#include "words/reading/refused.h"
#include "words/reading/word_run.h"
#include "words/terminal/terminal.h"

using namespace grtrace;

namespace {

// A run reads the captures once for each job that it explains.
class Run {
public:
	explicit Run(const ExplainOptions &options)
		: options_(options), job_(options.job),
		  terminal_(TerminalFacts::of(options.output), ColourWhen::never, 0)
	{
	}

	int run();

private:
	Status open(WordRun &run);
	bool tell(WordRun &run);
	std::optional<NamedJob> root() const;
	void print_next(const NamedJob &job);

	static constexpr size_t chain_max = 16;

	const ExplainOptions &options_;
	NamedJob job_;
	const Terminal terminal_;
	OutputFile text_;
	std::vector<std::unique_ptr<StoryCollector>> stories_; // by capture
	std::vector<NamedJob> told_;
};

Status Run::open(WordRun &run)
{
	Status status = run.open({{"-o", options_.output}}, options_.directory, options_.inputs,
				 {.batch = options_.batch});

	stories_.clear();
	for (size_t i = 0; status.ok() && i < run.captures().size(); i++)
		stories_.push_back(
			std::make_unique<StoryCollector>(job_, run.captures().capture(i)));
	if (status.ok() && !text_.is_open())
		status = text_.replace(options_.output);
	return status;
}

// Returns false if no capture has the job.
bool Run::tell(WordRun &run)
{
	bool told = false;

	for (std::unique_ptr<StoryCollector> &story : stories_) {
		story->finish();
		told |= story->tell(text_.text(), terminal_.width);
	}
	for (size_t i = 0; i < stories_.size(); i++)
		if (!told && !is_refused(run.captures().capture(i)))
			run.say(stories_[i]->nearest());
	return told;
}

// Returns the root of a job that mostly waited for another one, unless it was already
// explained.
std::optional<NamedJob> Run::root() const
{
	for (const std::unique_ptr<StoryCollector> &story : stories_) {
		const JobName root = story->root();
		const NamedJob key = {root.ctx, root.seqno};

		if (root != JobName() && std::ranges::find(told_, key) == told_.end())
			return key;
	}
	return {};
}

// Prints the command that explains a job further, unless an input can be read only once.
void Run::print_next(const NamedJob &job)
{
	std::string words;

	if (options_.batch != HoldBack::limit)
		words = fmt::format(" -b {}", options_.batch);
	words += fmt::format(" {}:{}", job.ctx, job.seqno);
	for (const std::string &input : options_.inputs) {
		const std::optional<std::string> name =
			input_words(options_.directory, input, options_.is_session);

		if (!name)
			return;
		words += *name;
	}
	print_to(text_.text(), "next: grtrace explain --root{}\n", words);
}

int Run::run()
{
	WordRun reading("grtrace explain", false);
	const Status status = open(reading);
	const Event *event;

	told_.push_back(job_);
	if (!status.ok())
		return reading.refuse(status);
	for (Next got; (got = reading.captures().next(event)) != Next::end;)
		if (got == Next::event)
			stories_[event->capture]->feed(*event);
	reading.read_all();
	if (are_refused(reading.captures()))
		return reading.finish(options_.strict, {});

	const bool told = tell(reading);
	const std::optional<NamedJob> next =
		told && told_.size() < chain_max ? root() : std::nullopt;

	if (next && !options_.root)
		print_next(*next);
	if (next && options_.root) {
		job_ = *next;
		return run();
	}
	if (const int code = reading.close({&text_}))
		return code;
	const int code = reading.finish(options_.strict, {});
	// The root of a later story may be a fence that belongs to no job.
	return told || told_.size() > 1 ? code : exit_error;
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
