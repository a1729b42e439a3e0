// SPDX-License-Identifier: GPL-2.0
//
// grtrace annotate: DRM ioctls and waits as a capture. This file is its table
// of contents.
#include "words/annotate/annotate_main.h"

#include "words/annotate/annotate_options.h"
#include "words/annotate/annotation_stream.h"
#include "words/annotate/drm_probes.h"
#include "drive/run/command.h"
#include "drive/run/ending.h"
#include "lib/files/packet_output.h"
#include "lib/text/print_to.h"
#include "lib/options/word_main.h"

#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
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

uint64_t now_ns(clockid_t clock)
{
	struct timespec now = {};

	clock_gettime(clock, &now);
	return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
}

// As 16 bytes; zeros where the kernel does not tell.
void read_boot_id(uint8_t (&id)[16])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file)
		return;
	for (uint8_t &byte : id) {
		unsigned int value;

		// Dashes stand between some of the bytes.
		if (fscanf(file, "%*[-]") < 0 ||
		    fscanf(file, "%2x", &value) != 1)
			break;
		byte = static_cast<uint8_t>(value);
	}
	fclose(file);
}

StreamFacts facts_of(const DrmProbes &probes)
{
	StreamFacts facts;
	struct utsname names;

	if (getrandom(&facts.session, sizeof(facts.session), 0) < 0 ||
	    !facts.session)
		facts.session = now_ns(CLOCK_REALTIME);
	facts.start_ts = now_ns(CLOCK_MONOTONIC);
	facts.start_real = now_ns(CLOCK_REALTIME);
	read_boot_id(facts.boot_id);
	if (!uname(&names))
		facts.release = names.release;
	facts.nr_cpus = static_cast<uint32_t>(get_nprocs_conf());
	facts.probes = probes.probes();
	facts.known_probes = DrmProbes::known_probes;
	return facts;
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
	void wait_for_command();
	int exit_code() const;

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
	stream_ = std::make_unique<AnnotationStream>(facts_of(probes_));
	return status;
}

// What was read so far goes out.
Status Run::take()
{
	Status status = probes_.read(stream_.get());

	if (status.ok() && stream_->size()) {
		const std::vector<uint8_t> bytes = stream_->take();

		status = output_.write(
			reinterpret_cast<const char *>(bytes.data()),
			bytes.size());
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
		status = output_.write(
			reinterpret_cast<const char *>(bytes.data()),
			bytes.size());
	const Status closed = output_.close();
	return status.ok() ? closed : status;
}

void Run::tell_end() const
{
	FILE *out = options_.to_stdout() ? stderr : stdout;

	print_to(out, "{}: {} ioctls, {} waits, {} threads, {} lost\n",
		 output_.name(), stream_->ioctls(), stream_->waits(),
		 stream_->tasks(), stream_->lost());
	if (rest_.unpaired)
		print_to(out,
			 "{} more ioctls had begun before and are not "
			 "there\n",
			 rest_.unpaired);
	if (rest_.inside)
		print_to(out, "{} more did not return before the end\n",
			 rest_.inside);
	if (stream_->lost())
		print_to(stderr,
			 "{} records were lost; a larger buffer "
			 "(-b) holds more\n",
			 stream_->lost());
}

// The recording is over, the program goes on: its status is awaited, but not
// longer than until the next signal.
void Run::wait_for_command()
{
	while (command_.is_running() && !command_.has_ended())
		if (ending_.wait(-1, tick_ms) == Ending::Event::signal) {
			say("the command is still running and is left alone");
			return;
		}
}

int Run::exit_code() const
{
	if (command_.exit_code()) {
		say(fmt::format("the command ended with status {}",
				command_.exit_code()));
		return command_.exit_code();
	}
	return options_.strict && stream_->lost() ? exit_lost : exit_ok;
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
		wait_for_command();
	return status.ok() ? exit_code() : exit_error;
}

} // namespace

int annotate_main(int argc, char **argv)
{
	return word_main<AnnotateOptions, Run>(argc, argv);
}
