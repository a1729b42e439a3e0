// SPDX-License-Identifier: GPL-2.0
//
// A trigger takes no snapshot while one is held, so a saved snapshot has to be discarded
// before the next can come.
#include "drive/record/snapshot_watch.h"

#include "drive/control/capture_options.h"
#include "drive/control/control.h"
#include "drive/run/run_end.h"
#include "lib/options/exec_word.h"
#include "lib/run/command.h"

#include <fmt/format.h>

namespace grtrace {

std::string SnapshotWatch::next_name() const
{
	if (saved_ <= 1)
		return base_ + ".snapshot";
	return fmt::format("{}.snapshot.{}", base_, saved_);
}

Status SnapshotWatch::is_new(bool *found)
{
	std::string text;
	Status status = control_.read("stats", &text);

	*found = false;
	if (!status.ok() || saved_ >= most_)
		return status;
	const uint64_t count = named_number(parse_named(text, ' '), "snapshots");
	const bool more = count > seen_;
	seen_ = count; // if it is less, the counters were reset
	return more ? control_.has_snapshot(found) : status;
}

// grtrace-snapshot prints its own messages, so only its exit status matters here.
bool SnapshotWatch::save() const
{
	std::vector<std::string> words = {find_word_program("snapshot"),
					  "--triggered",
					  "-r",
					  options_.debugfs,
					  "-o",
					  next_name()};
	Command command;

	if (words[0].empty()) {
		complain("a snapshot was taken and is not saved: the word snapshot is not "
			 "installed");
		return false;
	}
	if (saved_ < most_)
		words.push_back("--discard");
	if (!options_.host.host.empty())
		words.insert(words.end(), {"--host", options_.host.host});
	for (const auto &[key, value] : options_.host.tags)
		words.insert(words.end(), {"--tag", key + "=" + value});
	if (const Status status = command.start(words, {.out = STDERR_FILENO}); !status.ok()) {
		complain(status.sentence());
		return false;
	}
	return command.wait() == 0;
}

bool SnapshotWatch::look()
{
	bool found;
	const Status status = is_new(&found);

	if (!status.ok())
		complain(status.sentence());
	if (!found)
		return status.ok();
	saved_++;
	return save();
}

} // namespace grtrace
