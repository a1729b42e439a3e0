// SPDX-License-Identifier: GPL-2.0
#include "report_words.h"

#include <fmt/format.h>

#include "diff_main.h"
#include "diff_options.h"
#include "export/export_main.h"
#include "export/export_options.h"
#include "merge/merge_main.h"
#include "merge/merge_options.h"
#include "report_main.h"
#include "report_options.h"
#include "timeline_main.h"
#include "timeline_options.h"
#include "verify_main.h"
#include "verify_options.h"

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
