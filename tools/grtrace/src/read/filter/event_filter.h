// SPDX-License-Identifier: GPL-2.0
//
// EventFilter: which events the user wants to see.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "read/stream/stream_stats.h"

namespace grtrace {

class CaptureSet;

// Chooses by type (-a, -A, --type) and by time (-w, --since, --until). Notes pass
// regardless of the types: losses must be seen, and names learned.
class EventFilter {
public:
	// Takes names or letters, separated by commas, in addition to earlier ones. option
	// is the option as the user typed it.
	Status add_types(std::string_view option, std::string_view words);
	// -A: a hexadecimal number, bit n is type n.
	Status set_types(std::string_view hex);
	// -w: [start:]end in seconds.
	Status set_interval(std::string_view text);
	// Takes a time since the start: 1.5, 1.5s, 200ms, 70us, 5ns.
	Status set_since(std::string_view text);
	Status set_until(std::string_view text);

	bool wants_type(const Event &event) const
	{
		return !event.is_event() || types_ >> event.type & 1;
	}
	bool has_types() const { return types_ != UINT64_MAX; }
	// Without an interval all times are wanted.
	bool has_interval() const { return has_interval_; }
	// A loss is wanted if part of it is in the interval.
	bool wants_time(const Event &event, const Session &session) const
	{
		if (!has_interval_)
			return true;
		uint64_t last_ts = event.type == GRTRACE_LOST ? lost_of(event).last_ts : event.ts;
		return wants_span(event.ts, last_ts, session);
	}
	bool wants_span(uint64_t first_ts, uint64_t last_ts, const Session &session) const
	{
		return since_start(last_ts, session) >= from_ns_ &&
		       since_start(first_ts, session) <= to_ns_;
	}

	// The bounds of the interval, in ns since the start.
	uint64_t from_ns() const { return from_ns_; }
	uint64_t to_ns() const { return to_ns_; }

	// To be called when everything was read: returns a sentence for each capture that
	// ends before the interval begins.
	std::vector<std::string> missing(const CaptureSet &captures) const;

	// Checks whether any event can pass; to be called when all options were read.
	Status check() const;

private:
	static uint64_t since_start(uint64_t ts, const Session &session)
	{
		return ts < session.start_ts ? 0 : ts - session.start_ts;
	}

	uint64_t types_ = UINT64_MAX;
	bool chosen_ = false;
	bool has_interval_ = false;
	uint64_t from_ns_ = 0;
	uint64_t to_ns_ = UINT64_MAX;
};

} // namespace grtrace
