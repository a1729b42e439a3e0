// SPDX-License-Identifier: GPL-2.0
//
// The options of grparse, as given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grparse/additions.h"
#include "grparse/text_printer.h"
#include "lib/options/options.h"
#include "lib/text/status.h"
#include "read/capture/hold_back.h"
#include "read/filter/event_filter.h"

namespace grtrace {

struct GrparseOptions {
	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	std::string dump; // -d, empty: none
	EventFilter filter; // -a -A --type -w --since --until
	uint64_t limit = 0; // --limit, 0: none
	TextPrinter printer; // -f -F
	// -f, -F: whether the format is for one action, and its text.
	std::vector<std::pair<bool, std::string>> formats;
	std::optional<std::string> explain; // --explain: the job
	bool no_text = false; // -O
	bool quiet = false; // -q: no summary
	bool no_messages = false; // -M
	size_t batch = HoldBack::limit; // -b
	PartFinder find_parts; // of what is wanted; empty: all
	bool verbose = false; // -v
	bool strict = false; // --strict
	bool help = false;
	bool version = false;
	Additions *more = nullptr; // of grtrace-parse
	bool wants_more = false; // one of them was asked for
	// If not empty: the command line of the word that does the work.
	std::vector<std::string> other_word;

	Status parse(int argc, char **argv);
	static std::string help_text() { return help_with(""); }
	// Returns --explain as a command line of the word explain, with its options.
	std::vector<std::string> explain_words() const;
	// Where jobs were chosen.
	bool counts() const { return more && (!quiet || more->tracks()); } // jobs
	Additions *choice() const { return more && more->chooses() ? more : nullptr; }
	// Where lines are for programs.
	Additions *rows() const { return more && more->has_rows() ? more : nullptr; }
	Status set_batch(const std::string &argument);
	Status set_limit(const std::string &argument);

protected:
	static std::string help_with(const std::string &columns);

private:
	Status check() const;
	bool is_for_parse(const Status &status) const;
	void leave_to_parse(int argc, char **argv);
};

} // namespace grtrace
