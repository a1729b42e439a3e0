// SPDX-License-Identifier: GPL-2.0
//
// The newest capture of the folder, for words without a NAME.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

// If inputs are none: the newest capture in the directory (empty: this one), which is
// said on stderr in the word's name. If there is none: what this machine's session holds,
// running or stopped. An error if there is no such session either.
Status name_newest_capture(const char *word, const std::string &directory,
			   std::vector<std::string> &inputs);

} // namespace grtrace
