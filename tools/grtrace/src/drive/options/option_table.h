// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/capture_options.h"
#include "lib/options/word_options.h"

namespace grtrace {

constexpr unsigned int word_bit(Word word)
{
	return static_cast<unsigned int>(word);
}

struct WordSpec {
	Word word;
	const char *name;
	const char *what; // the description in a few words
	const char *usage; // the arguments it takes
	const char *sentence;
	const char *help;
	HelpLine examples[2];
};

extern const WordSpec capture_words[];
extern const unsigned int nr_capture_words;
extern const WordOption<CaptureOptions> capture_table[];
extern const unsigned int nr_capture_options;

} // namespace grtrace
