// SPDX-License-Identifier: GPL-2.0
//
// ring_search: are the chosen rings in the captures?
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"
#include "words/filter/ring_filter.h"

namespace grtrace {

// RingFilter::check(), before anything of the captures is written: reads them up to
// where each name was met, as a rule the tables at their beginning. An input that
// cannot be read twice, or not without an error, is left to the check at the end.
Status find_rings(const RingFilter &rings, const std::string &directory,
		  const std::vector<std::string> &inputs);

} // namespace grtrace
