// SPDX-License-Identifier: GPL-2.0
#include "grtrace/live_words.h"

#include "words/annotate/annotate_main.h"
#include "words/annotate/annotate_options.h"
#include "words/monitor/monitor_main.h"
#include "words/monitor/monitor_options.h"

namespace grtrace {

namespace {

// Each reads its own options; --help of the word tells them.
const LiveWord words[] = {
	{"annotate", "[OPTIONS] [-- COMMAND...]", annotate_main,
	 AnnotateOptions::help_text},
	{"monitor", "WHAT [OPTIONS] [-- COMMAND...]", monitor_main,
	 MonitorOptions::help_text},
};

} // namespace

const LiveWord *find_live_word(std::string_view name)
{
	for (const LiveWord &word : words)
		if (name == word.name)
			return &word;
	return nullptr;
}

std::span<const LiveWord> live_words()
{
	return words;
}

} // namespace grtrace
