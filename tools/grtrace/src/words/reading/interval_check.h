// SPDX-License-Identifier: GPL-2.0
//
// interval_check: whether the captures have anything in the chosen interval.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture_set.h"
#include "read/filter/event_filter.h"

namespace grtrace {

// To be called when everything was read. Returns an error, which names the time that each capture
// covers, if the interval is outside of all of them. first_ts: the time of the
// first record of each capture, 0 if it has none.
Status check_interval(const EventFilter &filter, const CaptureSet &captures,
		      const std::vector<uint64_t> &first_ts);

} // namespace grtrace
