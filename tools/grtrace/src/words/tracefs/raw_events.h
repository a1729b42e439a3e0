// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/tracefs/trace_event.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace grtrace {

class Translator;

// An event in the form in which a CPU's buffer holds it.
struct RawEvent {
	uint64_t ts = 0;
	uint32_t cpu = 0;
	std::span<const uint8_t> data;
};

// Reads raw events and passes them to a translator.
class RawEvents {
public:
	// Both arguments must outlive it.
	RawEvents(tep_handle *tep, Translator &translator) : tep_(tep), translator_(translator) {}

	// Events of this kind may come from now on.
	void add(const TraceEvent &event);
	// The event of lines that user space writes into the trace, or nullptr.
	void add_markers(tep_event *event);
	void take(const RawEvent &raw);

private:
	void take_marker(const KernelEvent &event, std::span<const uint8_t> data);

	tep_handle *tep_;
	Translator &translator_;
	std::deque<TraceEvent> known_;
	std::vector<const TraceEvent *> by_id_;
	size_t marker_id_ = SIZE_MAX;
	size_t marker_text_ = 0; // its place in the record
	FieldValues fields_; // of the current event
};

} // namespace grtrace
