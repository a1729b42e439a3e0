// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <vector>

#include "read/filter/event_filter.h"

namespace grtrace {

// Keeps the losses that overlap the chosen interval.
inline std::vector<Gap> wanted_gaps(const EventFilter &filter, std::vector<Gap> gaps,
				    const Session &session)
{
	std::erase_if(gaps, [&](const Gap &gap) {
		return !filter.wants_span(gap.from_ts, gap.to_ts, session);
	});
	return gaps;
}

} // namespace grtrace
