// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace merge`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

// One input, as [MACHINE=]PATH.
struct MergeInput {
	std::string path;
	std::string machine; // empty: as in the file
};

struct MergeOptions {
	std::vector<MergeInput> inputs;
	std::string directory; // -D
	std::string output; // -o
	// The ns to add to the time stamps of inputs with this path.
	struct Shift {
		std::string path;
		int64_t ns;
	};
	std::vector<Shift> shifts; // --clock-offset
	bool quiet = false; // -q
	bool verbose = false; // --verbose
	bool stats_only = false; // --stats-only
	bool strict = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
	Status add_input(const std::string &argument);
	Status add_shift(const std::string &argument);

private:
	Status name_shifts();
	Status check() const;
};

} // namespace grtrace
