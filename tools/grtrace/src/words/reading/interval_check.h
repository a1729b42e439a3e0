// SPDX-License-Identifier: GPL-2.0
//
// interval_check: whether the captures have anything in the chosen interval.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture_set.h"
#include "read/filter/event_filter.h"

namespace grtrace {

// The time of which a capture has events, or knows that it lost some. Tables, such as names of
// tasks, may be older.
class CoveredTime {
public:
	void add(const Event &event)
	{
		if (event.is_event())
			add(event.ts, event.ts);
		else if (event.type == GRTRACE_LOST)
			add(lost_of(event).first_ts, lost_of(event).last_ts);
	}
	void add(const std::vector<Gap> &gaps)
	{
		for (const Gap &gap : gaps)
			add(gap.from_ts, gap.to_ts);
	}
	// The recording lasted until then.
	void add_end(uint64_t ts)
	{
		if (first_ <= last_)
			last_ = std::max(last_, ts);
	}
	// first() > last(): there is none.
	uint64_t first() const { return first_; }
	uint64_t last() const { return last_; }

private:
	void add(uint64_t from, uint64_t to)
	{
		first_ = std::min(first_, from);
		last_ = std::max(last_, to);
	}

	uint64_t first_ = UINT64_MAX;
	uint64_t last_ = 0;
};

// To be called when everything was read. Returns an error, which names the time that each capture
// covers, if the interval is outside of all of them.
Status check_interval(const EventFilter &filter, const CaptureSet &captures,
		      const std::vector<CoveredTime> &covered);

} // namespace grtrace
