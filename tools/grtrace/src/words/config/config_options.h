// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace config`.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

struct ConfigOptions {
	std::vector<std::string> arguments; // a key, or settings
	std::string save; // --save: into this file
	std::string load; // --load: from this file
	std::string debugfs = "/sys/kernel/debug"; // -r
	bool reset = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
};

} // namespace grtrace
