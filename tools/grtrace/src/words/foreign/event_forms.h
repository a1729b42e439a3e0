// SPDX-License-Identifier: GPL-2.0
//
// EventForms: finds the form of an event by its name.
#pragma once

#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "words/foreign/event_text.h"

namespace grtrace {

// An event has several forms if kernels printed it in different ways.
class EventForms {
public:
	using Forms = std::vector<const EventText *>;

	EventForms();

	// Returns nullptr if no event of the table has the name.
	const Forms *find(std::string_view name) const;
	// Returns the event whose form fits the text; nullptr if none does.
	static const ForeignEvent *read(const Forms &forms, std::string_view text,
					FieldValues *fields);

private:
	std::deque<EventText> known_;
	std::unordered_map<std::string_view, Forms> by_name_;
};

} // namespace grtrace
