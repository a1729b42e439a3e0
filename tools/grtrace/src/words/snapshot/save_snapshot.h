// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>

namespace grtrace {

class Control;
struct HostFacts;

// Whether there is a snapshot, and of what: "manual", "slow_exec", ...; empty
// if the kernel does not say.
struct Snapshot {
	uint64_t bytes = 0;
	std::string reason;
};

// Saves the snapshot that is there as <base>.grtrace.<cpu>, or to stdout.
Status save_snapshot(const Control &control, const std::string &base, const HostFacts &host,
		     Snapshot *snapshot);

} // namespace grtrace
