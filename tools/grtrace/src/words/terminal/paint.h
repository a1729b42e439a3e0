// SPDX-License-Identifier: GPL-2.0
//
// Paint: writes lines for a terminal, with or without colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace grtrace {

// SGR parameters of ECMA-48 section 8.3.117; the bright colours are from aixterm and
// supported everywhere.
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

// Returns a colour for a number; equal numbers have the same colour.
Colour colour_of(size_t number);

// Appends to a buffer. Spaces at the end of a line are left out, and codes are written only
// where the colour changes.
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
	size_t spaces_ = 0; // number of spaces that are not yet written
};

// Returns the text in exactly that many columns, cut or padded with spaces. A character
// beyond ASCII counts as one column and is not cut in two.
std::string fit(std::string_view text, size_t columns);

// Cuts the text after the last part that fits, where parts are separated by ", " or two
// spaces; returns nothing if the first part does not fit.
std::string fit_parts(const std::string &text, size_t columns);

// Joins phrases with commas into lines of at most that many columns.
std::vector<std::string> wrap(const std::vector<std::string> &phrases, size_t columns);

// Draws a part of 1 as a bar of "#" or blocks, at most `columns` wide and not empty unless
// the part is 0.
std::string bar(double part, size_t columns, bool utf8);

} // namespace grtrace
