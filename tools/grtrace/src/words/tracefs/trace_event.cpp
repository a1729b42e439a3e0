// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/trace_event.h"

#include "words/tracefs/field_value.h"

namespace grtrace {

TraceEvent::TraceEvent(const TraceEventSpec &spec, struct tep_event *event,
		       std::vector<std::string> *missing)
	: spec_(&spec), event_(event)
{
	for (const FieldSpec &wanted : spec.fields) {
		tep_format_field *field = tep_find_field(event, wanted.name);

		if (field) {
			places_.push_back({wanted.field, field});
			continue;
		}
		missing->push_back(wanted.name);
		usable_ = usable_ && !wanted.needed;
	}
}

void TraceEvent::read(std::span<const uint8_t> data, FieldValues *fields) const
{
	fields->clear();
	for (const Place &place : places_) {
		if (place.at->flags & TEP_FIELD_IS_STRING)
			fields->set(place.field, field_text(place.at, data));
		else
			fields->set(place.field, field_number(place.at, data));
	}
}

} // namespace grtrace
