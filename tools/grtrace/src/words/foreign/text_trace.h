// SPDX-License-Identifier: GPL-2.0
//
// TextTrace: turns the lines of a trace in text form into a capture.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "words/foreign/event_text.h"
#include "words/foreign/foreign_capture.h"
#include "words/foreign/trace_line.h"

namespace grtrace {

class TextTrace {
public:
	// The capture must outlive it.
	explicit TextTrace(ForeignCapture &capture);

	void take(std::string_view line);

	// Returns how many lines had an event, and in how many of these the time is a
	// counter.
	uint64_t events() const { return events_; }
	uint64_t counters() const { return counters_; }

private:
	using Forms = std::vector<const EventText *>;

	void take_event(const TraceLine &line);
	void take_heading(std::string_view text);

	ForeignCapture &capture_;
	std::deque<EventText> known_;
	std::unordered_map<std::string_view, Forms> by_name_;
	FieldValues fields_; // of the current event
	uint64_t events_ = 0;
	uint64_t counters_ = 0;
	uint64_t overwritten_ = 0; // events before the first one
};

} // namespace grtrace
