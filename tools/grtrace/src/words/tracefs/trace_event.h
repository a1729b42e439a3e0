// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/translate/kernel_event.h"

namespace grtrace {

// An event of this kernel, with the places of its fields. It is valid as long as the tep
// handle that parsed it.
class TraceEvent {
public:
	// @missing: names of fields that this kernel lacks
	TraceEvent(const TraceEventSpec &spec, struct tep_event *event,
		   std::vector<std::string> *missing);

	const TraceEventSpec &spec() const { return *spec_; }
	int id() const { return event_->id; }
	bool is_usable() const { return usable_; }

	// Reads the fields from a record's bytes, which must outlive them.
	void read(std::span<const uint8_t> data, FieldValues *fields) const;

private:
	struct Place {
		Field field;
		tep_format_field *at;
	};

	const TraceEventSpec *spec_;
	struct tep_event *event_;
	std::vector<Place> places_;
	bool usable_ = true;
};

} // namespace grtrace
