// SPDX-License-Identifier: GPL-2.0
//
// The options of grparse, as given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grparse/program_table.h"
#include "grparse/text_printer.h"
#include "lib/options/options.h"
#include "lib/text/status.h"
#include "read/capture/hold_back.h"
#include "read/filter/event_filter.h"
#include "read/filter/job_filter.h"
#include "read/rows/event_columns.h"

namespace grtrace {

struct GrparseOptions {
	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	std::string dump; // -d, empty: none
	EventFilter filter; // -a -A --type -w --since --until
	JobFilter jobs; // --engine --ring --dev --pid --client --ctx
	uint64_t limit = 0; // --limit, 0: none
	TextPrinter printer; // -f -F
	// -f, -F: whether the format is for one action, and its text.
	std::vector<std::pair<bool, std::string>> formats;
	std::optional<RowForm> rows; // --csv --json
	std::optional<std::string> explain; // --explain: the job
	bool no_text = false; // -O
	bool quiet = false; // -q: no summary
	ProgramStyle programs; // -s -S -h
	bool track = false; // -t
	bool no_messages = false; // -M
	size_t batch = HoldBack::limit; // -b
	bool verbose = false; // -v
	bool strict = false; // --strict
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
	// Returns --explain as a command line of the word explain, with its options.
	std::vector<std::string> explain_words() const;
	Status add_format(bool of_action, const std::string &argument);
	Status set_batch(const std::string &argument);
	Status set_limit(const std::string &argument);
	Status set_rows(const char *option, RowForm form);

private:
	Status check() const;
};

} // namespace grtrace
