// SPDX-License-Identifier: GPL-2.0
//
// grtrace-snapshot: freezes what the channel holds, and saves it.
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/control/control.h"
#include "lib/files/create_file.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/frozen/snapshot.h"
#include "words/program/word_program.h"
#include "words/snapshot/save_snapshot.h"
#include "words/snapshot/snapshot_options.h"
#include "words/snapshot/snapshot_watch.h"

using namespace grtrace;

namespace {

constexpr int period_ms = 500; // between two looks for a snapshot that a trigger took

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace: {}\n", sentence);
}

// Sets base to the place that -o and -D choose, or to an empty text.
Status place_of(const SnapshotOptions &options, std::string *base)
{
	*base = options.output;
	if (options.directory.empty() || options.output == "-")
		return Status();
	if (!create_capture_directory(options.directory))
		return Status::error("cannot create the directory {}: {}", options.directory,
				     strerror(errno));
	*base = options.directory + "/" + (base->empty() ? "snapshot" : *base);
	return Status();
}

// An existing snapshot is saved; --take asks for a new one.
Status take_if_needed(const Control &control, const SnapshotOptions &options, bool saves)
{
	bool there = false;
	Status status = Status();

	if (saves && !options.take)
		status = has_snapshot(control, &there);
	if (!status.ok() || there)
		return status;
	if (!saves && !options.take && options.discard)
		return status;
	status = take_snapshot(control);
	if (status.ok() && !saves)
		say("a snapshot was taken; grtrace snapshot -o BASE saves it");
	return status;
}

Status act(const SnapshotOptions &options)
{
	Control control;
	std::string base;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = place_of(options, &base);
	if (status.ok())
		status = take_if_needed(control, options, !base.empty());
	if (status.ok() && !base.empty()) {
		Snapshot snapshot;

		status = save_snapshot(control, base, options.host, &snapshot);
		if (status.ok())
			say(fmt::format("the snapshot ({}) was saved: {} bytes; grparse -i {}",
					snapshot.reason, snapshot.bytes, base));
	}
	if (status.ok() && options.discard)
		status = discard_snapshot(control);
	return status;
}

// Watches for as long as record has the other end of standard input open. Signals are meant
// for the recording, after whose end a snapshot may still have to be saved.
int watch(const SnapshotOptions &options)
{
	struct pollfd recorder = {STDIN_FILENO, POLLIN, 0};
	int code = exit_ok;
	bool goes_on = true;
	Control control;

	for (const int number : {SIGINT, SIGTERM, SIGHUP})
		signal(number, SIG_IGN);
	Status status = control.open(options.debugfs);
	for (SnapshotWatch watch(control, options.host, options.output, options.watch); goes_on;) {
		goes_on = status.ok() && poll(&recorder, 1, period_ms) == 0;
		if (status.ok())
			status = watch.look();
		if (!status.ok()) {
			say(status.sentence());
			code = exit_error;
			status = Status();
		}
	}
	return code;
}

class Run {
public:
	explicit Run(const SnapshotOptions &options) : options_(options) {}

	int run();

private:
	const SnapshotOptions &options_;
};

int Run::run()
{
	if (options_.output == "-" && isatty(STDOUT_FILENO)) {
		say("-o -: a capture is binary and cannot go to a terminal; write it to a file, or "
		    "pipe it to grparse -i -");
		return exit_usage;
	}
	if (options_.watch)
		return watch(options_);
	Status status = act(options_);
	if (status.ok())
		return exit_ok;
	say(status.sentence());
	return exit_error;
}

} // namespace

int main(int argc, char **argv)
{
	return run_word("snapshot", word_main<SnapshotOptions, Run>, argc, argv);
}
