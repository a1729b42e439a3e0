// SPDX-License-Identifier: GPL-2.0
//
// ManPage: the text of --help as a manual page.
#pragma once

#include <string>
#include <string_view>

namespace grtrace {

// What --help prints is made from the tables of options, fields and columns;
// the page is made from what --help prints, so that neither can say what the
// other does not. It knows the shape that describe_options() gives options, a
// line that ends in a colon before an indented list, and paragraphs.
class ManPage {
public:
	// name and what it is in a few words.
	ManPage(std::string_view name, std::string_view what);

	void section(std::string_view title);
	void subsection(std::string_view title);
	void paragraph(std::string_view text);
	// What --help printed.
	void help(std::string_view text);
	void see_also(std::string_view pages);

	const std::string &text() const { return text_; }

private:
	class Lines;

	void put(std::string_view text);
	void line(std::string_view text);
	void option(Lines &lines);
	void list(Lines &lines);

	std::string text_;
};

} // namespace grtrace
