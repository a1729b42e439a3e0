// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>

namespace grtrace {

class Control;
struct HostFacts;

// While a session is recorded, checks now and then whether a trigger has taken a
// snapshot. If so, it is saved: the first as <base>.snapshot, the next as
// <base>.snapshot.2, up to @most. If another snapshot may follow, a saved snapshot is
// discarded, because triggers are ignored while a snapshot is held.
class SnapshotWatch {
public:
	SnapshotWatch(const Control &control, const HostFacts &host, std::string base,
		      uint64_t most)
		: control_(control), host_(host), base_(std::move(base)), most_(most)
	{
	}

	// Fails if a snapshot could not be saved.
	Status look();

private:
	Status is_new(bool *found);
	std::string next_name() const;
	Status save() const;

	const Control &control_;
	const HostFacts &host_;
	const std::string base_;
	const uint64_t most_;
	uint64_t saved_ = 0;
	uint64_t seen_ = 0; // the kernel's count of snapshots
};

} // namespace grtrace
