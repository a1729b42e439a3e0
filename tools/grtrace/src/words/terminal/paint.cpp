// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/paint.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "lib/text/print_to.h"

namespace grtrace {

Colour colour_of(size_t number)
{
	// Red is reserved for errors.
	static const Colour colours[] = {Colour::green, Colour::yellow, Colour::cyan,
					 Colour::magenta, Colour::blue};

	return colours[number % std::size(colours)];
}

void Paint::change(Colour colour)
{
	if (!with_colour_ || colour == now_)
		return;
	now_ = colour;
	print_to(out_, "\033[{}m",
		 colour == Colour::plain ? std::string() : fmt::format("0;{}", unsigned(colour)));
}

void Paint::put(std::string_view text, Colour colour)
{
	size_t shown = text.find_last_not_of(' ');
	size_t length = shown == text.npos ? 0 : shown + 1;

	if (length) {
		for (; spaces_; spaces_--)
			out_.push_back(' ');
		change(colour);
		out_.append(text.data(), text.data() + length);
	}
	spaces_ += text.size() - length;
}

void Paint::end_line()
{
	change(Colour::plain);
	out_.push_back('\n');
	spaces_ = 0;
}

static bool continues(char c)
{
	return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::string fit(std::string_view text, size_t columns)
{
	size_t used = 0, end = 0;

	for (; end < text.size(); end++) {
		if (continues(text[end]))
			continue;
		if (used == columns)
			break;
		used++;
	}
	return std::string(text.substr(0, end)) + std::string(columns - used, ' ');
}

std::vector<std::string> wrap(const std::vector<std::string> &phrases, size_t columns)
{
	std::vector<std::string> lines;

	for (size_t i = 0; i < phrases.size(); i++) {
		std::string phrase = phrases[i];

		if (i + 1 < phrases.size())
			phrase += ',';
		phrase.resize(std::min(phrase.size(), columns));
		if (!lines.empty() && lines.back().size() + 1 + phrase.size() <= columns)
			lines.back() += ' ' + phrase;
		else
			lines.push_back(std::move(phrase));
	}
	return lines;
}

std::string fit_parts(const std::string &text, size_t columns)
{
	if (text.size() <= columns)
		return text;

	const size_t comma = text.rfind(", ", columns);
	const size_t spaces = text.rfind("  ", columns);

	return text.substr(0, comma == text.npos  ? spaces :
			      spaces == text.npos ? comma :
						    std::max(comma, spaces));
}

std::string bar(double part, size_t columns, bool utf8)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const size_t steps = utf8 ? 8 : 1;
	std::string text;

	if (!(part > 0))
		return text;
	auto length = static_cast<size_t>(
		std::lround(std::min(part, 1.0) * static_cast<double>(columns * steps)));
	length = std::max<size_t>(length, 1);
	for (size_t i = 0; i < length / steps; i++)
		text += utf8 ? "█" : "#";
	if (utf8)
		text += eighths[length % steps];
	return text;
}

} // namespace grtrace
