// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace explain`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/hold_back.h"
#include "words/explain/story_collector.h"

namespace grtrace {

struct ExplainOptions {
	NamedJob job;
	bool root = false; // --root
	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	uint64_t batch = HoldBack::limit; // -b
	bool is_session = false; // no input was named, nor found: the session is read
	bool strict = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
};

} // namespace grtrace
