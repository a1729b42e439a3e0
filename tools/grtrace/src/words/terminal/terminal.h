// SPDX-License-Identifier: GPL-2.0
//
// Terminal: what drawings for people may make use of.
#pragma once

#include <string>
#include <string_view>

#include "lib/text/status.h"

namespace grtrace {

enum class ColourWhen { automatic, always, never };

// Facts from the environment and the kernel; nullptr for a variable that is not
// set.
struct TerminalFacts {
	const char *columns = nullptr; // COLUMNS
	const char *no_color = nullptr; // NO_COLOR, see no-color.org
	const char *term = nullptr; // TERM
	const char *locale = nullptr; // LC_ALL, else LC_CTYPE, else LANG
	bool is_terminal = false;
	unsigned int window = 0; // columns, 0: not known

	// For the place that -o names; "-" is standard output.
	static TerminalFacts of(const std::string &output);
};

struct Terminal {
	// Limits of the width: below there is no room beside the names, and
	// wider drawings are not read.
	static constexpr unsigned int min_width = 40;
	static constexpr unsigned int max_width = 1000;
	static constexpr unsigned int usual_width = 80;

	unsigned int width = usual_width; // columns
	bool colour = false;
	bool utf8 = false;

	// Columns that are left beside so many.
	unsigned int beside(unsigned int taken) const { return width > taken ? width - taken : 0; }

	Terminal() = default;
	// width: the user's choice, or 0.
	Terminal(const TerminalFacts &facts, ColourWhen when, unsigned int width);
};

// --color=WHEN and --width N.
Status parse_colour(std::string_view text, ColourWhen &when);
Status parse_width(std::string_view text, unsigned int &width);

} // namespace grtrace
