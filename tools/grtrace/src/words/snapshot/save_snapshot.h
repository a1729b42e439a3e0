// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>

namespace grtrace {

class Control;
struct HostFacts;

// The size of a snapshot, and its reason: "manual", "slow_exec", ...; empty if the
// kernel does not report it.
struct Snapshot {
	uint64_t bytes = 0;
	std::string reason;
};

// Saves the current snapshot as <base>.grtrace.<cpu>, or to stdout.
Status save_snapshot(const Control &control, const std::string &base, const HostFacts &host,
		     Snapshot *snapshot);

} // namespace grtrace
