// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>

namespace grtrace {

class Control;

// Whether there is a snapshot, and its reason: "manual", "slow_exec", ...; empty if the
// kernel does not report it.
struct Snapshot {
	uint64_t bytes = 0;
	std::string reason;
};

// Saves the current snapshot as <base>.grtrace.<cpu>, or to stdout.
Status save_snapshot(const Control &control, const std::string &base, Snapshot *snapshot);

// Checks from time to time during a recording whether a trigger has taken a snapshot, and
// saves it: the first as <base>.snapshot, the next as <base>.snapshot.2, up to @most. If
// another one may follow, a saved snapshot is discarded, because triggers are ignored while
// one is held.
class SnapshotWatch {
public:
	SnapshotWatch(const Control &control, std::string base, unsigned int most)
		: control_(control), base_(std::move(base)), most_(most)
	{
	}

	// @message: set to a sentence for the user, or left empty
	Status look(std::string *message);

private:
	std::string next_name() const;

	const Control &control_;
	const std::string base_;
	const unsigned int most_;
	unsigned int saved_ = 0;
	uint64_t seen_ = 0; // the kernel's count of snapshots at the last look
};

} // namespace grtrace
