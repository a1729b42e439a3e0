// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace status`.
#pragma once

#include <string>

#include "lib/text/status.h"

namespace grtrace {

struct StatusOptions {
	std::string view; // --view: one of the kernel's tables
	std::string debugfs = "/sys/kernel/debug"; // -r
	bool json = false;
	bool cost = false;
	bool csv = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
};

} // namespace grtrace
