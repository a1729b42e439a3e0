// SPDX-License-Identifier: GPL-2.0
#include "grtrace/report_words.h"

#include <fmt/format.h>

#include "words/diff/diff_main.h"
#include "words/diff/diff_options.h"
#include "words/export/export_main.h"
#include "words/export/export_options.h"
#include "words/merge/merge_main.h"
#include "words/merge/merge_options.h"
#include "words/report/report_main.h"
#include "words/report/report_options.h"
#include "words/timeline/timeline_main.h"
#include "words/timeline/timeline_options.h"
#include "words/verify/verify_main.h"
#include "words/verify/verify_options.h"

namespace grtrace {

// Each reads its own options; --help of the word tells them.
static const ReportWord words[] = {
	{"diff", "[OPTIONS] BASE NEW", diff_main, DiffOptions::help_text},
	{"export", "--to FORMAT [OPTIONS] CAPTURE...", export_main,
	 ExportOptions::help_text},
	{"merge", "-o FILE [OPTIONS] [MACHINE=]FILE...", merge_main,
	 MergeOptions::help_text},
	{"report", "[OPTIONS] CAPTURE...", report_main,
	 ReportOptions::help_text},
	{"timeline", "[OPTIONS] CAPTURE...", timeline_main,
	 TimelineOptions::help_text},
	{"verify", "[OPTIONS] CAPTURE...", verify_main,
	 VerifyOptions::help_text},
};

const ReportWord *find_report_word(std::string_view name)
{
	for (const ReportWord &word : words)
		if (name == word.name)
			return &word;
	return nullptr;
}

std::span<const ReportWord> report_words()
{
	return words;
}

std::string report_overview()
{
	std::string text;

	for (const ReportWord &word : words)
		text += fmt::format("  grtrace {:<9}{}\n", word.name,
				    word.usage);
	return text;
}

} // namespace grtrace
