// SPDX-License-Identifier: GPL-2.0
//
// Paint: lines for a terminal, with colours or without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace grtrace {

// SGR parameters of ECMA-48 section 8.3.117; the bright colours are from
// aixterm and known everywhere.
enum class Colour : uint8_t {
	plain = 0,
	bold = 1,
	faint = 2,
	red = 31,
	green = 32,
	yellow = 33,
	blue = 34,
	magenta = 35,
	cyan = 36,
	bright_red = 91,
};

// A colour for each of many: the same number, the same colour.
Colour colour_of(size_t number);

// Appends to a buffer. Spaces at the end of a line are left out, and a change
// of colour is written where one is.
class Paint {
public:
	Paint(fmt::memory_buffer &out, bool colour) : out_(out), with_colour_(colour) {}

	void put(std::string_view text, Colour colour = Colour::plain);
	void end_line();

private:
	void change(Colour colour);

	fmt::memory_buffer &out_;
	bool with_colour_;
	Colour now_ = Colour::plain;
	size_t spaces_ = 0; // not yet written
};

// The text in so many columns, cut or filled up with spaces. A character
// beyond ASCII is taken for one column and not cut in two.
std::string fit(std::string_view text, size_t columns);

// As many whole parts of the text, separated by ", " or two spaces, as fit;
// empty if the first one does not.
std::string fit_parts(const std::string &text, size_t columns);

// Phrases as lines of at most so many columns, with commas between them.
std::vector<std::string> wrap(const std::vector<std::string> &phrases, size_t columns);

// The part of one that is drawn as a bar: "#" or blocks, at most `columns`
// wide, at least a trace if the part is not 0.
std::string bar(double part, size_t columns, bool utf8);

} // namespace grtrace
