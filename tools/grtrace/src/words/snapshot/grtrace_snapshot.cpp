// SPDX-License-Identifier: GPL-2.0
//
// grtrace-snapshot: freezes what the channel holds, and saves it.
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/control/control.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/program/word_program.h"
#include "words/snapshot/save_snapshot.h"
#include "words/snapshot/snapshot_options.h"

using namespace grtrace;

namespace {

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
	if (mkdir(options.directory.c_str(), 0755) && errno != EEXIST)
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
		status = control.has_snapshot(&there);
	if (!status.ok() || there)
		return status;
	if (!saves && !options.take && options.discard)
		return status;
	status = control.take_snapshot();
	if (status.ok() && !saves)
		say("a snapshot was taken; grtrace snapshot -o BASE saves it");
	return status;
}

void say_saved(const SnapshotOptions &options, const Snapshot &snapshot, const std::string &base)
{
	if (options.triggered)
		say(fmt::format("a snapshot was taken ({}) and saved: grparse -i {}",
				snapshot.reason, base));
	else
		say(fmt::format("the snapshot ({}) was saved: {} bytes; grparse -i {}",
				snapshot.reason, snapshot.bytes, base));
}

Status act(const SnapshotOptions &options)
{
	Control control;
	std::string base;
	Status status = control.open(options.debugfs);

	if (status.ok())
		status = place_of(options, &base);
	if (status.ok() && !options.triggered)
		status = take_if_needed(control, options, !base.empty());
	if (status.ok() && !base.empty()) {
		Snapshot snapshot;

		status = save_snapshot(control, base, options.host, &snapshot);
		if (status.ok())
			say_saved(options, snapshot, base);
	}
	if (status.ok() && options.discard)
		status = control.discard_snapshot();
	return status;
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
	// Ctrl-C is meant for the recording, which waits for this program.
	if (options_.triggered)
		signal(SIGINT, SIG_IGN);
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
