// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "words/foreign/foreign_events.h"
#include "words/translate/kernel_event.h"

namespace grtrace {

// The names of rings in events that have only their addresses: kernels until 6.1 did not
// copy the names.
using AddressNames = std::map<uint64_t, std::string>;

// An event as the file describes it, with the places of its fields.
class DatEvent {
public:
	DatEvent(const ForeignEvent &from, struct tep_event *event);

	const ForeignEvent &from() const { return *from_; }
	// Returns whether the file has all fields that the event needs.
	bool is_usable() const { return usable_; }
	void read(std::span<const uint8_t> data, AddressNames &names, FieldValues *fields) const;

private:
	struct Place {
		Field field;
		tep_format_field *at;
		bool is_text;
		bool is_plain; // a number that has the order of bytes of this machine
	};

	static uint64_t number(const Place &place, std::span<const uint8_t> data);

	const ForeignEvent *from_;
	std::vector<Place> places_;
	bool usable_ = true;
};

} // namespace grtrace
