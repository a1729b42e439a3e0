// SPDX-License-Identifier: GPL-2.0
//
// saved_config: a whole configuration as settings, and as a file.
#pragma once

#include <string>
#include <vector>

#include "drive/control/views.h"
#include "lib/text/status.h"

namespace grtrace {

// A text that sets every existing key to its default, lists and all.
std::vector<NamedText> reset_settings(const std::vector<NamedText> &there);

// The configuration as a file from which it can be set again.
std::string saved_config(const std::vector<NamedText> &there);

// The words of such a file, without its comments. Errors name the line.
Status parse_saved_config(const std::string &text, std::vector<NamedText> *settings);

} // namespace grtrace
