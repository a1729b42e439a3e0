// SPDX-License-Identifier: GPL-2.0
//
// A trigger takes no snapshot while one is held, so a saved snapshot has to be discarded
// before the next can come.
#include "words/snapshot/snapshot_watch.h"

#include "drive/control/control.h"
#include "lib/text/print_to.h"
#include "words/frozen/snapshot.h"
#include "words/snapshot/save_snapshot.h"

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
	return more ? has_snapshot(control_, found) : status;
}

Status SnapshotWatch::save() const
{
	Snapshot snapshot;
	Status status = save_snapshot(control_, next_name(), host_, &snapshot);

	if (status.ok())
		print_to(stderr, "grtrace: a snapshot was taken ({}) and saved: grparse -i {}\n",
			 snapshot.reason, next_name());
	if (status.ok() && saved_ < most_)
		status = discard_snapshot(control_);
	return status;
}

Status SnapshotWatch::look()
{
	bool found;
	Status status = is_new(&found);

	if (!status.ok() || !found)
		return status;
	saved_++;
	return save();
}

} // namespace grtrace
