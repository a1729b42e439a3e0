// SPDX-License-Identifier: GPL-2.0
#include "drive/relay/snapshot.h"

#include "drive/control/capture_options.h"
#include "drive/control/control.h"
#include "drive/relay/packet_splitter.h"
#include "format/boot_id.h"
#include "lib/text/print_to.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace grtrace {

namespace {

constexpr size_t piece = 1024 * 1024;

// The reason in the metadata's line "snapshot <reason> <ts>". A line stands
// behind another one or at the start of its record, behind zeros.
std::string reason_in(const std::string &tables)
{
	constexpr std::string_view word = "snapshot ";
	size_t at = tables.find(word);

	while (at != std::string::npos && at && tables[at - 1] != '\n' && tables[at - 1] != '\0')
		at = tables.find(word, at + 1);
	if (at == std::string::npos)
		return {};
	at += word.size();
	return tables.substr(at, tables.find_first_of(" \n", at) - at);
}

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace: {}\n", sentence);
}

// What snapshot -o and -D ask for, or an empty text.
Status place_of(const CaptureOptions &options, std::string *base)
{
	*base = options.output;
	if (options.directory.empty() || options.to_stdout())
		return Status();
	if (mkdir(options.directory.c_str(), 0755) && errno != EEXIST)
		return Status::error("cannot create the directory {}: {}", options.directory,
				     strerror(errno));
	*base = options.directory + "/" + (base->empty() ? "snapshot" : *base);
	return Status();
}

// One that is there is saved; --take asks for another.
Status take_if_needed(const Control &control, const CaptureOptions &options, bool saves)
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

Status act(const CaptureOptions &options)
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

		status = save_snapshot(control, base, &snapshot);
		if (status.ok())
			say(fmt::format("the snapshot ({}) was saved: {} "
					"bytes; grparse -i {}",
					snapshot.reason, snapshot.bytes, base));
	}
	if (status.ok() && options.discard)
		status = control.discard_snapshot();
	return status;
}

} // namespace

Status save_snapshot(const Control &control, const std::string &base, Snapshot *snapshot)
{
	PacketSplitter splitter(base);
	// What describes the stream comes first, in one read.
	std::vector<char> buffer(piece);
	const BootId boot = read_boot_id();
	Fd file;
	Status status = control.open_snapshot(&file);

	while (status.ok()) {
		const ssize_t got = read(file.get(), buffer.data(), buffer.size());

		if (got == 0)
			break;
		if (got > 0 && !splitter.bytes())
			fill_boot_id(buffer.data(), got, boot);
		if (got > 0)
			status = splitter.feed(buffer.data(), got);
		else if (errno != EINTR)
			status = Status::error("{}/snapshot: {}", control.directory(),
					       strerror(errno));
	}
	if (status.ok() && !splitter.bytes())
		status = Status::error("there is no snapshot");
	if (status.ok())
		status = splitter.finish();
	snapshot->bytes = splitter.bytes();
	snapshot->reason = reason_in(splitter.tables());
	return status;
}

std::string SnapshotWatch::next_name() const
{
	if (!saved_)
		return base_ + ".snapshot";
	return fmt::format("{}.snapshot.{}", base_, saved_ + 1);
}

Status SnapshotWatch::look(std::string *told)
{
	Snapshot snapshot;
	std::string text;
	bool there = false;
	Status status = control_.read("stats", &text);

	told->clear();
	if (!status.ok() || saved_ >= most_)
		return status;
	const uint64_t count = named_number(parse_named(text, ' '), "snapshots");
	if (count <= seen_) {
		seen_ = count; // less: somebody set the counters to 0
		return status;
	}
	seen_ = count;
	status = control_.has_snapshot(&there);
	if (!status.ok() || !there)
		return status;
	const std::string name = next_name();
	saved_++;
	status = save_snapshot(control_, name, &snapshot);
	if (status.ok() && saved_ < most_)
		status = control_.discard_snapshot();
	if (status.ok())
		*told = fmt::format("a snapshot was taken ({}) and saved: "
				    "grparse -i {}",
				    snapshot.reason, name);
	return status;
}

int snapshot_main(const CaptureOptions &options)
{
	if (options.to_stdout() && isatty(STDOUT_FILENO)) {
		say("-o -: a capture is nothing for a terminal; send it into a "
		    "file or to grparse -i -");
		return 2;
	}
	Status status = act(options);
	if (status.ok())
		return 0;
	say(status.sentence());
	return 1;
}

} // namespace grtrace
