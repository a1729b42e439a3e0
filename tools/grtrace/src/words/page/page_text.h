// SPDX-License-Identifier: GPL-2.0
//
// The files of page/ as text, by page/embed.sh.
#pragma once

#include <string_view>

namespace grtrace {

// Policy, style and the skeleton of the page.
extern const std::string_view page_begin;
// The <script> element with the page's program.
extern const std::string_view page_script;
extern const std::string_view page_end;

} // namespace grtrace
