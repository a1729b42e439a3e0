// SPDX-License-Identifier: GPL-2.0
//
// Command lines: the options of each word, and the languages that they have: -f,
// --fail-if, names of types, times, rings. A line is a word. Parsing acts on
// nothing and opens no file.
#include <sstream>
#include <string>
#include <vector>

#include "drive/options/capture_words.h"
#include "grparse/format.h"
#include "grparse/grparse_options.h"
#include "read/filter/event_filter.h"
#include "words/annotate/annotate_options.h"
#include "words/config/config_options.h"
#include "words/diff/diff_options.h"
#include "words/diff/fail_condition.h"
#include "words/explain/explain_options.h"
#include "words/export/export_options.h"
#include "words/filter/job_filter.h"
#include "words/merge/merge_options.h"
#include "words/monitor/monitor_options.h"
#include "words/parse/parse_options.h"
#include "words/report/report_options.h"
#include "words/snapshot/snapshot_options.h"
#include "words/status/status_options.h"
#include "words/timeline/timeline_options.h"
#include "words/verify/verify_options.h"

using namespace grtrace;

namespace {

using Words = std::vector<std::string>;

// A refusal says why.
void check(const Status &status)
{
	if (!status.ok() && status.sentence().empty())
		abort();
}

template <typename Options> void parse(Words words)
{
	std::vector<char *> argv;
	Options options;

	words.insert(words.begin(), "word");
	for (std::string &word : words)
		argv.push_back(word.data());
	argv.push_back(nullptr);
	check(options.parse(static_cast<int>(words.size()), argv.data()));
}

template <Word word> void parse_capture(Words words)
{
	CaptureOptions options;

	check(parse_capture_options(word, words, &options));
}

void parse_languages(Words words)
{
	for (const std::string &word : words) {
		EventFilter filter;
		FailCondition condition;
		Format format;

		check(format.compile(word));
		check(condition.parse(word));
		check(filter.add_types("--type", word));
		check(filter.set_types(word));
		check(filter.set_interval(word));
		check(filter.set_since(word));
		check(filter.set_until(word));
		check(filter.check());
	}
}

constexpr void (*const parsers[])(Words) = {
	parse<GrparseOptions>,  parse<ReportOptions>,
	parse<TimelineOptions>, parse<DiffOptions>,
	parse<VerifyOptions>,   parse<ExportOptions>,
	parse<MergeOptions>,    parse<MonitorOptions>,
	parse<AnnotateOptions>, parse_capture<Word::record>,
	parse<ConfigOptions>,   parse<StatusOptions>,
	parse<ExplainOptions>,  parse<SnapshotOptions>,
	parse<ParseOptions>,    parse_languages,
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	std::istringstream text(std::string(reinterpret_cast<const char *>(data), size));
	std::string line;
	Words words;

	// A word that is typed ends where a C string does.
	while (std::getline(text, line))
		words.push_back(line.c_str());
	for (const auto parser : parsers)
		parser(words);
	return 0;
}
