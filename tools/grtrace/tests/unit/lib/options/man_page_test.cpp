// SPDX-License-Identifier: GPL-2.0
#include "lib/options/man_page.h"

#include <string>

#include <gtest/gtest.h>

namespace grtrace {

static std::string body_of(const ManPage &page)
{
	const std::string &text = page.text();

	return text.substr(text.find("\\- what\n") + 8);
}

static std::string help_of(std::string_view text)
{
	ManPage page("tool", "what");

	page.help(text);
	return body_of(page);
}

TEST(ManPage, head)
{
	const ManPage page("my-tool", "what");

	EXPECT_NE(page.text().find("\n.TH MY-TOOL 1 "), std::string::npos);
	EXPECT_NE(page.text().find("\n.SH NAME\nmy\\-tool \\- what\n"),
		  std::string::npos);
}

TEST(ManPage, options_with_their_meaning)
{
	EXPECT_EQ(help_of("  -i, --input NAME          one\n"
			  "                            two\n"
			  "      --act-mask TYPE[,TYPE...]\n"
			  "                            three\n"),
		  ".TP\n\\fB\\-i, \\-\\-input NAME\\fR\none\ntwo\n"
		  ".TP\n\\fB\\-\\-act\\-mask TYPE[,TYPE...]\\fR\nthree\n");
}

TEST(ManPage, paragraphs_and_lists)
{
	EXPECT_EQ(help_of("First\nline.\n\nActions:\n  Q  submit\n  DP dep\n"
			  "\nLast.\n"),
		  ".PP\nFirst\nline.\n.PP\nActions:\n.PP\n.nf\n\\&Q  submit\n"
		  "\\&DP dep\n.fi\n.PP\nLast.\n");
}

TEST(ManPage, nothing_is_a_request_or_an_escape)
{
	ManPage page("tool", "what");

	page.paragraph(".so /etc/passwd");
	page.paragraph("'tis \\n ~ ^ `");
	EXPECT_EQ(body_of(page), ".PP\n\\&.so /etc/passwd\n"
				 ".PP\n\\(aqtis \\en \\(ti \\(ha \\(ga\n");
	EXPECT_EQ(help_of("  .x 'y\n"), ".PP\n.nf\n\\&.x \\(aqy\n.fi\n");
}

} // namespace grtrace
