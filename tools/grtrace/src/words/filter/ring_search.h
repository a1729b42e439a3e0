// SPDX-License-Identifier: GPL-2.0
//
// ring_search: checks whether the chosen rings are in the captures.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"
#include "words/filter/ring_filter.h"

namespace grtrace {

// Does the check of RingFilter::check() before any output is written: reads the captures
// only until each name was found, usually in the tables at their beginning. An input that
// cannot be read twice, or that has errors, is left to the check at the end.
Status find_rings(const RingFilter &rings, const std::string &directory,
		  const std::vector<std::string> &inputs);

} // namespace grtrace
