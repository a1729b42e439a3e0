// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace verify`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

struct VerifyOptions {
	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	uint64_t limit = 10; // --limit
	bool strict = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
};

} // namespace grtrace
