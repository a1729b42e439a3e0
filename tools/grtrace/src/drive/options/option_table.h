// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/capture_options.h"
#include "lib/text/status.h"

#include <string>

namespace grtrace {

constexpr unsigned int word_bit(Word word)
{
	return static_cast<unsigned int>(word);
}

struct WordSpec {
	Word word;
	const char *name;
	const char *what; // in a few words
	const char *usage; // what may follow it
	const char *help;
};

// One option. A setter checks the text and keeps the value; an option without
// an argument gives it an empty one.
struct OptionSpec {
	char letter; // 0: none
	const char *name;
	const char *argument; // nullptr: takes none
	unsigned int words; // a word_bit() of each word that takes it
	Status (*set)(CaptureOptions &options, const std::string &text);
	const char *help;
};

extern const WordSpec capture_words[];
extern const unsigned int nr_capture_words;
extern const OptionSpec capture_table[];
extern const unsigned int nr_capture_options;

} // namespace grtrace
