// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace report`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/options/options.h"
#include "lib/text/status.h"
#include "read/filter/event_filter.h"
#include "words/delays/delay_cell.h"
#include "words/filter/job_filter.h"
#include "words/jobs/job_label.h"
#include "words/terminal/terminal.h"

namespace grtrace {

struct ReportOptions {
	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	std::string csv; // --csv, empty: none
	std::string json; // --json, empty: none
	bool full = false; // --full
	bool findings = true; // no option: rates measures what they cost
	bool screen = false; // the screen is wanted, or nothing else is
	bool is_session = false; // no input was named, nor found: the session is read
	std::string choice; // the options that choose what is read, as words for a shell
	bool schema = false; // --schema
	ColourWhen colour = ColourWhen::automatic; // --color
	unsigned int width = 0; // --width, 0: the terminal's
	EventFilter filter; // -w, --since, --until
	JobFilter jobs; // --ring and similar options
	uint64_t limit = 0; // --limit, events; 0: none
	JobThresholds thresholds;
	uint64_t top = 0; // --topn
	bool per_ring = false;
	bool busy = false;
	uint64_t gaps = 5; // --gaps
	bool per_device = false;
	bool per_engine = false; // --per-engine
	bool per_ctx = false;
	bool per_process = false;
	// --hist: words of HistogramKinds, or result
	std::vector<std::string> histograms;
	DelayRings delays = DelayRings::none; // --delays
	std::string delays_csv; // --delays-csv, empty: none
	std::string groups_csv; // --groups-csv, empty: none
	std::string depth_csv; // --depth-csv, empty: none
	uint64_t proofs = 3; // --proofs
	bool proofs_given = false;
	std::string html; // --html, empty: none
	bool strict = false;
	bool help = false;
	bool version = false;

	bool wants_picture() const { return !html.empty(); }
	// Returns whether the output for a program or the picture uses stdout.
	bool takes_stdout() const
	{
		return csv == "-" || json == "-" || delays_csv == "-" || groups_csv == "-" ||
		       depth_csv == "-" || html == "-";
	}

	JobFilter &job_filter() { return jobs; }
	bool wants_findings() const { return findings && (screen || !json.empty()); }
	// Returns whether an option names a table, a picture, or lines for a program.
	bool names_output() const;

	Status parse(int argc, char **argv);
	static std::string help_text();
	Status take(const GivenOption &given);
	Status set_share(const std::string &argument);
	Status add_histogram(const std::string &argument);
};

} // namespace grtrace
