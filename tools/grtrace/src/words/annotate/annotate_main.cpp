// SPDX-License-Identifier: GPL-2.0
//
// grtrace annotate: DRM ioctls and waits as a capture. This file is its table
// of contents.
#include "words/annotate/annotate_main.h"

#include "drive/run/command.h"
#include "drive/run/ending.h"
#include "drive/run/run_end.h"
#include "lib/files/packet_output.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/annotate/annotate_options.h"
#include "words/annotate/annotation_stream.h"
#include "words/annotate/drm_probes.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

using namespace grtrace;

namespace {

constexpr int tick_ms = 50; // the programs wake us only when it fills up

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace annotate: {}\n", sentence);
}

// The run: probes in, a capture out.
class Run {
public:
	explicit Run(const AnnotateOptions &options) : options_(options) {}

	int run();

private:
	Status set_up();
	Status attach();
	Status follow();
	Status take();
	Status end();
	void tell_end() const;

	const AnnotateOptions &options_;
	DrmProbes probes_;
	DrmProbes::Rest rest_;
	std::unique_ptr<AnnotationStream> stream_;
	Output output_;
	Command command_;
	Ending ending_;
	bool is_released_ = false;
};

Status Run::set_up()
{
	Status status;

	if (options_.to_stdout() && isatty(STDOUT_FILENO))
		return Status::error("-o -: a capture is nothing for a "
				     "terminal; send it into a file or to "
				     "grparse -i -");
	status = Command::find(options_.command);
	if (status.ok())
		status = ending_.prepare();
	if (status.ok())
		status = probes_.load(options_);
	if (status.ok() && !options_.command.empty())
		status = command_.fork(options_.command, options_.to_stdout());
	if (!status.ok())
		return status;
	if (options_.to_stdout())
		output_.use_stdout();
	else
		status = output_.create(options_.output);
	return status.ok() ? attach() : status;
}

Status Run::attach()
{
	std::vector<std::string> missing;
	Status status = probes_.attach(&missing);

	for (const std::string &sentence : missing)
		say(sentence);
	StreamFacts facts;

	facts.start();
	facts.probes = probes_.probes();
	facts.known_probes = DrmProbes::known_probes;
	stream_ = std::make_unique<AnnotationStream>(facts);
	return status;
}

// What was read so far goes out.
Status Run::take()
{
	Status status = probes_.read(stream_.get());

	if (status.ok() && stream_->size()) {
		const std::vector<uint8_t> bytes = stream_->take();

		status = output_.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
	}
	return status;
}

Status Run::follow()
{
	Status status;

	while (status.ok()) {
		switch (ending_.wait(probes_.fd(), tick_ms)) {
		case Ending::Event::signal:
			command_.forward(ending_.signal_for_child());
			return take();
		case Ending::Event::time:
			return take();
		case Ending::Event::child:
			if (command_.has_ended())
				return take();
			break;
		case Ending::Event::tick:
		case Ending::Event::failure: // the descriptor to watch
			status = take();
		}
	}
	return status;
}

Status Run::end()
{
	Status status = probes_.finish(stream_.get(), &rest_);
	const std::vector<uint8_t> bytes = stream_->take();

	if (status.ok())
		status = output_.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
	const Status closed = output_.close();
	return status.ok() ? closed : status;
}

void Run::tell_end() const
{
	FILE *out = options_.to_stdout() ? stderr : stdout;

	print_to(out, "{}: {} ioctls, {} waits, {} threads, {} lost\n", output_.name(),
		 stream_->ioctls(), stream_->waits(), stream_->tasks(), stream_->lost());
	if (rest_.unpaired)
		print_to(out,
			 "{} more ioctls had begun before and are not "
			 "there\n",
			 rest_.unpaired);
	if (rest_.inside)
		print_to(out, "{} more did not return before the end\n", rest_.inside);
	if (stream_->lost())
		print_to(stderr,
			 "{} records were lost; a larger buffer "
			 "(-b) holds more\n",
			 stream_->lost());
}

int Run::run()
{
	Status status = set_up();

	if (!status.ok())
		output_.remove_if_empty();
	else {
		ending_.start(options_.seconds);
		if (!options_.command.empty()) {
			status = command_.release();
			is_released_ = status.ok();
		}
		if (status.ok())
			status = follow();
		const Status ended = end();

		if (status.ok())
			status = ended;
		tell_end();
	}
	if (!status.ok())
		say(status.sentence());
	if (is_released_)
		wait_for_command(ending_, command_);
	return status.ok() ? recording_exit_code(command_, options_.strict, stream_->lost()) :
			     exit_error;
}

} // namespace

int annotate_main(int argc, char **argv)
{
	return word_main<AnnotateOptions, Run>(argc, argv);
}
