// SPDX-License-Identifier: GPL-2.0
//
// capture_words: the command lines of the words that drive a session. The parser, --help
// and the manual use the same table of options; parsing changes nothing and opens no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drive/control/capture_options.h"
#include "lib/text/status.h"

namespace grtrace {

// Returns false if no word has that name.
bool find_word(const std::string &text, Word *word);
const char *word_name(Word word);
std::vector<std::string_view> capture_word_names();

// args are the arguments after the word. An error is a usage error.
Status parse_capture_options(Word word, const std::vector<std::string> &args,
			     CaptureOptions *options);

// Returns the text of --help for one word.
std::string capture_help(Word word);

// Returns one line for each word that describes it.
std::string capture_overview();

// Returns one line for stderr after a usage error.
std::string capture_usage(Word word);

} // namespace grtrace
