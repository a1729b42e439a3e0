// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace import`.
#pragma once

#include <string>

#include "lib/text/status.h"

namespace grtrace {

struct ImportOptions {
	std::string input;
	std::string output; // -o
	bool events = false; // --events
	bool live = false;
	bool cut = false;
	bool no_limit = false;
	bool quiet = false; // -q
	bool strict = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
};

} // namespace grtrace
