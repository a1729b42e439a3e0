// SPDX-License-Identifier: GPL-2.0
//
// capture_words: the command lines of the words that drive a session. One table of
// options is the source of the parser, of --help and of the manual; parsing acts on
// nothing and opens no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drive/control/capture_options.h"
#include "lib/text/status.h"

namespace grtrace {

// False: no word has that name.
bool find_word(const std::string &text, Word *word);
const char *word_name(Word word);
std::vector<std::string_view> capture_word_names();

// args are what follows the word. The sentence of an error is a usage error.
Status parse_capture_options(Word word, const std::vector<std::string> &args,
			     CaptureOptions *options);

// The text of --help for one word.
std::string capture_help(Word word);

// A line for each word: what it does.
std::string capture_overview();

// One line, for stderr after a usage error.
std::string capture_usage(Word word);

} // namespace grtrace
