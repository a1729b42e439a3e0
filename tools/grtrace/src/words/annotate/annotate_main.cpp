// SPDX-License-Identifier: GPL-2.0
//
// grtrace annotate: DRM ioctls and waits as a capture. This file is its table
// of contents.
#include "words/annotate/annotate_main.h"

#include "drive/run/command_run.h"
#include "drive/run/kprobe_events.h"
#include "drive/run/run_end.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/annotate/annotate_options.h"
#include "words/annotate/annotation_output.h"
#include "words/annotate/drm_probes.h"

#include <unistd.h>

using namespace grtrace;

namespace {

constexpr int tick_ms = 50; // the programs wake us only when it fills up

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace annotate: {}\n", sentence);
}

// A run from the probes to a capture.
class Run {
public:
	explicit Run(const AnnotateOptions &options)
		: options_(options), run_(options.command, options.seconds, options.to_stdout())
	{
	}

	int run();

private:
	Status set_up();
	Status attach();
	Status follow();
	Status take();
	Status end();

	const AnnotateOptions &options_;
	DrmProbes probes_;
	DrmProbes::Rest rest_;
	AnnotationOutput output_;
	CommandRun run_;
};

Status Run::set_up()
{
	Status status;

	if (options_.to_stdout() && isatty(STDOUT_FILENO))
		return Status::error("-o -: a capture is binary and cannot go to a terminal; write "
				     "it to a file, or pipe it to grparse -i -");
	run_.run_as(options_.user);
	status = run_.prepare();
	if (status.ok())
		status = probes_.load(options_);
	if (status.ok())
		status = output_.open(options_);
	return status.ok() ? attach() : status;
}

Status Run::attach()
{
	std::vector<std::string> missing;

	remove_left_kprobes();
	Status status = probes_.attach(&missing);

	for (const std::string &sentence : missing)
		say(sentence);
	output_.begin(probes_.probes());
	return status;
}

// Writes what was read so far.
Status Run::take()
{
	const Status status = probes_.read(&output_.stream());

	return status.ok() ? output_.write() : status;
}

Status Run::follow()
{
	Status status;

	while (status.ok() && run_.goes_on(probes_.fd(), tick_ms))
		status = take();
	return status.ok() ? take() : status;
}

Status Run::end()
{
	Status status = probes_.finish(&output_.stream(), &rest_);

	if (status.ok())
		status = output_.end();
	const Status closed = output_.close();
	return status.ok() ? closed : status;
}

int Run::run()
{
	Status status = set_up();

	if (!status.ok())
		output_.give_up();
	else {
		run_.start_stopwatch();
		status = run_.start_command();
		if (status.ok())
			status = follow();
		const Status ended = end();

		if (status.ok())
			status = ended;
		output_.print_end(rest_, options_.to_stdout());
	}
	if (!status.ok())
		say(status.sentence());
	wait_for_command(run_);
	return status.ok() ? recording_exit_code(run_, options_.strict, output_.stream().lost()) :
			     exit_error;
}

} // namespace

int annotate_main(int argc, char **argv)
{
	return word_main<AnnotateOptions, Run>(argc, argv);
}
