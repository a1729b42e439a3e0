// SPDX-License-Identifier: GPL-2.0
#include "words/tracedat/dat_event.h"

#include <fmt/format.h>

#include "words/tracefs/field_value.h"

namespace grtrace {

DatEvent::DatEvent(const ForeignEvent &from, struct tep_event *event) : from_(&from)
{
	for (const FieldSpec &wanted : from.fields) {
		tep_format_field *field = tep_find_field(event, wanted.name);

		if (field)
			places_.push_back({wanted.field, field});
		else
			usable_ = usable_ && !wanted.needed;
	}
}

void DatEvent::read(std::span<const uint8_t> data, AddressNames &names, FieldValues *fields) const
{
	fields->clear();
	for (const Place &place : places_) {
		if (place.at->flags & TEP_FIELD_IS_STRING) {
			fields->set(place.field, field_text(place.at, data));
			continue;
		}
		const uint64_t number = field_number(place.at, data);
		if (place.field != Field::ring) {
			fields->set(place.field, number);
			continue;
		}
		std::string &name = names[number];
		if (name.empty())
			name = fmt::format("at_{:x}", number);
		fields->set(place.field, std::string_view(name));
	}
}

} // namespace grtrace
