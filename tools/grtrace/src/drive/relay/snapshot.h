// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>

namespace grtrace {

class Control;

// Whether there is a snapshot, and of what: "manual", "slow_exec", ...; empty
// if the kernel does not say.
struct Snapshot {
	uint64_t bytes = 0;
	std::string reason;
};

// Saves the snapshot that is there as <base>.grtrace.<cpu>, or to stdout.
Status save_snapshot(const Control &control, const std::string &base, Snapshot *snapshot);

// Looks now and then, while a session is recorded, whether a trigger has taken
// a snapshot, and saves it: the first as <base>.snapshot, the next as
// <base>.snapshot.2, up to @most. If another one may follow, a saved snapshot
// is discarded, because triggers are ignored while one is held.
class SnapshotWatch {
public:
	SnapshotWatch(const Control &control, std::string base, unsigned int most)
		: control_(control), base_(std::move(base)), most_(most)
	{
	}

	// @message: a sentence for the user, or empty
	Status look(std::string *message);

private:
	std::string next_name() const;

	const Control &control_;
	const std::string base_;
	const unsigned int most_;
	unsigned int saved_ = 0;
	uint64_t seen_ = 0; // the kernel's count of snapshots
};

} // namespace grtrace
