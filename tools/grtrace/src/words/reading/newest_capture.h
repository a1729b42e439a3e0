// SPDX-License-Identifier: GPL-2.0
//
// Finds the newest capture of a folder, for words without a NAME.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

// If inputs is empty: adds the newest capture in the directory (empty: the current one),
// and reports it on stderr in the word's name. If there is no capture, adds the content
// of this machine's session, running or stopped. Returns an error if there is no such
// session either.
Status name_newest_capture(const char *word, const std::string &directory,
			   std::vector<std::string> &inputs);

} // namespace grtrace
