// SPDX-License-Identifier: GPL-2.0
#include "lib/options/man_page.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "lib/options/options.h"
#include "lib/options/version.h"

namespace grtrace {

// The lines of a text, one after the other.
class ManPage::Lines {
public:
	explicit Lines(std::string_view text) : rest_(text) {}

	bool any() const { return !rest_.empty(); }
	std::string_view peek() const
	{
		return rest_.substr(0, rest_.find('\n'));
	}
	std::string_view next()
	{
		const std::string_view line = peek();

		rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
		return line;
	}

private:
	std::string_view rest_;
};

static size_t indent_of(std::string_view line)
{
	return std::min(line.find_first_not_of(' '), line.size());
}

static bool is_option(std::string_view line)
{
	const size_t indent = indent_of(line);

	return (indent == 2 || indent == 6) && line.substr(indent, 1) == "-";
}

// Nothing in a text is a request or an escape.
void ManPage::put(std::string_view text)
{
	for (char c : text) {
		if (c == '\\')
			text_ += "\\e";
		else if (c == '-')
			text_ += "\\-";
		else if (c == '\'')
			text_ += "\\(aq";
		else if (c == '^')
			text_ += "\\(ha";
		else if (c == '~')
			text_ += "\\(ti";
		else if (c == '`')
			text_ += "\\(ga";
		else
			text_ += c;
	}
}

void ManPage::line(std::string_view text)
{
	text.remove_prefix(indent_of(text));
	if (text.starts_with('.'))
		text_ += "\\&";
	put(text);
	text_ += '\n';
}

ManPage::ManPage(std::string_view name, std::string_view what)
{
	std::string title(name);

	for (char &c : title)
		c = static_cast<char>(toupper(static_cast<unsigned char>(c)));
	text_ = fmt::format(".\\\" SPDX-License-Identifier: GPL-2.0\n"
			    ".\\\" Made by {} --man: do not edit.\n"
			    ".TH {} 1 \"\" \"grtrace {}\" \"\"\n.SH NAME\n",
			    name, title, tools_version);
	put(name);
	text_ += " \\- ";
	line(what);
}

void ManPage::section(std::string_view title)
{
	text_ += ".SH ";
	line(title);
}

void ManPage::subsection(std::string_view title)
{
	text_ += ".SS ";
	line(title);
}

void ManPage::paragraph(std::string_view text)
{
	text_ += ".PP\n";
	line(text);
}

// The head, and the meaning on the same line or below.
void ManPage::option(Lines &lines)
{
	const std::string_view first = lines.next();
	const bool has_both = first.size() > options_help_indent &&
			      first[options_help_indent - 1] == ' ';
	std::string_view head =
		has_both ? first.substr(0, options_help_indent) : first;

	head = head.substr(indent_of(head));
	head = head.substr(0, head.find_last_not_of(' ') + 1);
	text_ += ".TP\n\\fB";
	put(head);
	text_ += "\\fR\n";
	if (has_both)
		line(first.substr(options_help_indent));
	while (lines.any() && indent_of(lines.peek()) >= options_help_indent &&
	       !lines.peek().empty())
		line(lines.next());
}

// As it stands.
void ManPage::list(Lines &lines)
{
	text_ += ".PP\n.nf\n";
	while (lines.any() && indent_of(lines.peek()) >= 2 &&
	       !lines.peek().empty()) {
		std::string_view text = lines.next();

		text.remove_prefix(2);
		text_ += "\\&";
		put(text);
		text_ += '\n';
	}
	text_ += ".fi\n";
}

void ManPage::help(std::string_view text)
{
	Lines lines(text);
	bool begins = true;

	while (lines.any()) {
		const std::string_view next = lines.peek();

		if (next.empty()) {
			begins = true;
			lines.next();
		} else if (is_option(next)) {
			option(lines);
			begins = true;
		} else if (indent_of(next) >= 2) {
			list(lines);
			begins = true;
		} else {
			if (begins)
				text_ += ".PP\n";
			begins = false;
			line(lines.next());
		}
	}
}

void ManPage::see_also(std::string_view pages)
{
	section("SEE ALSO");
	line(pages);
}

} // namespace grtrace
