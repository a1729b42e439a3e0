// SPDX-License-Identifier: GPL-2.0
//
// PerfettoTrace: turns the ftrace events of a trace that Perfetto recorded into a
// capture.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "words/foreign/foreign_capture.h"

namespace grtrace {

// A packet has events of one CPU in order, but packets of different CPUs overlap for as
// long as the recorder let them wait. So all events that are wanted are put in order first:
// memory is 24 bytes for each, beside the file's pages.
class PerfettoTrace {
public:
	// Both must outlive it.
	PerfettoTrace(std::string_view bytes, ForeignCapture &capture)
		: bytes_(bytes), capture_(capture)
	{
	}

	// Returns whether the bytes can be the beginning of such a file.
	static bool is_one(std::string_view first_bytes);

	// Returns false if the file ends within a packet.
	bool read();

private:
	struct Item {
		uint64_t ts;
		uint64_t at; // of the event's bytes in the file
		uint32_t size;
		uint16_t cpu;
		bool is_loss; // of events before it on its CPU
	};

	void index_bundle(std::string_view bundle);
	bool wants(std::string_view event) const;
	void take(const Item &item);
	void take_known(uint32_t number, std::string_view message, KernelEvent &event);
	void take_generic(std::string_view message, KernelEvent &event);
	void take_switch(const FieldValues &fields, std::string_view from, std::string_view to);

	std::string_view bytes_;
	ForeignCapture &capture_;
	std::vector<Item> items_;
	FieldValues fields_; // of the current event
};

} // namespace grtrace
