// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/text/status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// The options of `grtrace annotate`.
struct AnnotateOptions {
	std::string output = "annotations.grtrace"; // -o
	std::vector<uint32_t> pids; // -p; empty: all
	unsigned int seconds = 0; // -w; 0: no limit
	uint32_t buffer_kib = 4096; // -b
	bool waits = true; // --no-waits
	std::string user; // --user; empty: as who called sudo
	bool strict = false;
	bool help = false;
	bool version = false;
	std::vector<std::string> command;

	bool to_stdout() const { return output == "-"; }

	Status parse(int argc, char **argv);
	static std::string help_text();
	Status set_output(const std::string &argument);
	Status set_seconds(const std::string &argument);
	Status set_buffer(const std::string &argument);
	Status add_pids(const std::string &argument);
};

} // namespace grtrace
