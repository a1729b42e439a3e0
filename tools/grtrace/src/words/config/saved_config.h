// SPDX-License-Identifier: GPL-2.0
//
// saved_config: a whole configuration, as settings and as a file.
#pragma once

#include <string>
#include <vector>

#include "drive/control/views.h"
#include "lib/text/status.h"

namespace grtrace {

// Splits "key=value", and checks the value if the key is known. The value may not contain
// white space, because the kernel would read the rest as a second setting.
Status parse_setting(const std::string &text, NamedText *setting);

// Returns settings that reset every key in the configuration to its default,
// including lists.
std::vector<NamedText> reset_settings(const std::vector<NamedText> &there);

// Returns the configuration as the text of a file that can be loaded again.
std::string saved_config(const std::vector<NamedText> &there);

// Reads the settings of such a file, without its comments. Errors name the line.
Status parse_saved_config(const std::string &text, std::vector<NamedText> *settings);

} // namespace grtrace
