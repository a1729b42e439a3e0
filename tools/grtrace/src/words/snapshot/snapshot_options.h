// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace snapshot`.
#pragma once

#include <cstdint>
#include <string>

#include "drive/control/device.h"
#include "format/host_facts.h"
#include "lib/text/status.h"

namespace grtrace {

struct SnapshotOptions {
	std::string output; // -o: base name; "-": stdout
	std::string directory; // -D
	std::string debugfs = "/sys/kernel/debug"; // -r
	HostFacts host = {machine_name(), {}, node_names()};
	bool take = false;
	bool discard = false;
	uint64_t watch = 0; // by record: save up to this many that triggers take
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
};

} // namespace grtrace
