// SPDX-License-Identifier: GPL-2.0
//
// TextTrace: turns the lines of a trace in text form into a capture.
#pragma once

#include <cstdint>
#include <string_view>

#include "words/foreign/event_forms.h"
#include "words/foreign/foreign_capture.h"
#include "words/foreign/trace_line.h"

namespace grtrace {

class TextTrace {
public:
	// The capture must outlive it.
	explicit TextTrace(ForeignCapture &capture) : capture_(capture) {}

	void take(std::string_view line);

	// Returns how many lines had an event, and in how many of these the time is a
	// counter.
	uint64_t events() const { return events_; }
	uint64_t counters() const { return counters_; }
	// Returns whether there was a heading of ftrace.
	bool has_heading() const { return has_heading_; }

private:
	void take_event(const TraceLine &line);
	void take_heading(std::string_view text);
	void take_unknown(std::string_view text);

	ForeignCapture &capture_;
	const EventForms known_;
	FieldValues fields_; // of the current event
	bool has_heading_ = false;
	uint64_t events_ = 0;
	uint64_t counters_ = 0;
	uint64_t overwritten_ = 0; // events before the first one
};

} // namespace grtrace
