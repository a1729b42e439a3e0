// SPDX-License-Identifier: GPL-2.0
//
// live_words: the words of grtrace that look at the running system by themselves,
// without a session.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace grtrace {

struct LiveWord {
	using Main = int(int argc, char **argv); // argv[0] is the word
	using Help = std::string();

	const char *name;
	const char *usage; // what stands behind the word
	Main *main;
	Help *help; // the text of its --help
};

// nullptr: it is none of them.
const LiveWord *find_live_word(std::string_view name);

std::span<const LiveWord> live_words();

} // namespace grtrace
