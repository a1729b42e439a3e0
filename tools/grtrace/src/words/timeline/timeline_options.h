// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace timeline`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/text/status.h"
#include "words/terminal/terminal.h"
#include "words/timeline/timeline_view.h"

namespace grtrace {

struct TimelineOptions {
	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	TimelineChoice choice; // -w, --ctx, --pid, --ring
	bool jobs = false; // --jobs
	bool latency_only = false; // --latency-only
	uint64_t limit = 50; // --limit
	bool limited = false; // it was given
	unsigned int width = 0; // --width, 0: the terminal's
	ColourWhen colour = ColourWhen::automatic; // --color
	bool strict = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
	JobFilter &job_filter() { return choice.jobs; }
};

} // namespace grtrace
