// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/text/words_of.h"

namespace grtrace {

static const char *set_or_null(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : nullptr;
}

TerminalFacts TerminalFacts::of(const std::string &output)
{
	TerminalFacts facts;
	winsize window;

	facts.columns = set_or_null("COLUMNS");
	facts.no_color = set_or_null("NO_COLOR");
	facts.term = set_or_null("TERM");
	for (const char *name : {"LANG", "LC_CTYPE", "LC_ALL"})
		if (const char *locale = set_or_null(name))
			facts.locale = locale;
	facts.is_terminal = output == "-" && isatty(STDOUT_FILENO);
	if (facts.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0)
		facts.window = window.ws_col;
	return facts;
}

// Returns 0 if neither the environment nor the kernel knows it.
static unsigned int width_of(const TerminalFacts &facts)
{
	unsigned int width = 0;

	if (!facts.columns || !whole_number(facts.columns, width) || !width)
		width = facts.window;
	return width ? std::clamp(width, Terminal::min_width, Terminal::max_width) : 0;
}

static bool colour_of(const TerminalFacts &facts, ColourWhen when)
{
	if (when != ColourWhen::automatic)
		return when == ColourWhen::always;
	return facts.is_terminal && !facts.no_color && facts.term &&
	       std::string_view(facts.term) != "dumb";
}

// "C.UTF-8", "de_DE.utf8@euro"
static bool is_utf8(const char *locale)
{
	std::string letters;

	for (const char *c = locale ? locale : ""; *c; c++)
		if (isalnum(static_cast<unsigned char>(*c)))
			letters += static_cast<char>(tolower(static_cast<unsigned char>(*c)));
	return letters.find("utf8") != letters.npos;
}

Terminal::Terminal(const TerminalFacts &facts, ColourWhen when, unsigned int chosen)
	: width(chosen ? chosen : width_of(facts)),
	  has_width(chosen || (facts.is_terminal && width)), colour(colour_of(facts, when)),
	  utf8(is_utf8(facts.locale))
{
	if (!width)
		width = usual_width;
}

Status parse_colour(std::string_view text, ColourWhen &when)
{
	if (text == "auto")
		when = ColourWhen::automatic;
	else if (text == "always")
		when = ColourWhen::always;
	else if (text == "never")
		when = ColourWhen::never;
	else
		return Status::error("--color knows auto, always and never, not \"{}\"", text);
	return {};
}

Status parse_width(std::string_view text, unsigned int &width)
{
	if (whole_number(text, width) && width >= Terminal::min_width &&
	    width <= Terminal::max_width)
		return {};
	return Status::error("--width wants a number of columns from {} to {}, not \"{}\"",
			     Terminal::min_width, Terminal::max_width, text);
}

} // namespace grtrace
