// SPDX-License-Identifier: GPL-2.0
//
// report_words: the words of grtrace that read captures.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace grtrace {

struct ReportWord {
	using Main = int(int argc, char **argv); // argv[0] is the word
	using Help = std::string();

	const char *name;
	const char *usage; // what stands behind the word
	Main *main;
	Help *help; // the text of its --help
};

// nullptr: it is none of them.
const ReportWord *find_report_word(std::string_view name);

std::span<const ReportWord> report_words();

// A line for each, for the overview.
std::string report_overview();

} // namespace grtrace
