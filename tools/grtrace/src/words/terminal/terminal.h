// SPDX-License-Identifier: GPL-2.0
//
// Terminal: the properties of the output on which drawings for people depend.
#pragma once

#include <string>
#include <string_view>

#include "lib/text/status.h"

namespace grtrace {

enum class ColourWhen { automatic, always, never };

// Facts from the environment and the kernel; nullptr if a variable is not set.
struct TerminalFacts {
	const char *columns = nullptr; // COLUMNS
	const char *no_color = nullptr; // NO_COLOR, see no-color.org
	const char *term = nullptr; // TERM
	const char *locale = nullptr; // LC_ALL, else LC_CTYPE, else LANG
	bool is_terminal = false;
	unsigned int window = 0; // columns, 0: not known

	// Returns the facts for the output that -o names; "-" is standard output.
	static TerminalFacts of(const std::string &output);
};

struct Terminal {
	// Limits of the width: a narrower drawing has no room beside the names, and a wider
	// one is not readable.
	static constexpr unsigned int min_width = 40;
	static constexpr unsigned int max_width = 1000;
	static constexpr unsigned int usual_width = 80;

	unsigned int width = usual_width; // columns
	bool has_width = false; // it was chosen, or is that of a terminal
	bool colour = false;
	bool utf8 = false;

	// Returns the number of columns that remain if `taken` are in use.
	unsigned int beside(unsigned int taken) const { return width > taken ? width - taken : 0; }

	Terminal() = default;
	// width: chosen by the user, or 0.
	Terminal(const TerminalFacts &facts, ColourWhen when, unsigned int width);
};

// Parse --color=WHEN and --width N.
Status parse_colour(std::string_view text, ColourWhen &when);
Status parse_width(std::string_view text, unsigned int &width);

} // namespace grtrace
