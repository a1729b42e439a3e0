// SPDX-License-Identifier: GPL-2.0
#include "words/tracedat/dat_event.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "words/tracefs/field_value.h"

namespace grtrace {

DatHead::DatHead(struct tep_handle *tep) : tep_(tep)
{
	struct tep_event *event = tep_get_first_event(tep);

	if (!event || tep_is_file_bigendian(tep) || tep_is_local_bigendian(tep))
		return;
	find(event, "common_type", 2, &type_);
	find(event, "common_flags", 1, &flags_);
	find(event, "common_pid", 4, &pid_);
	if (is_odd_)
		size_ = 0;
}

void DatHead::find(struct tep_event *event, const char *name, int size, int *offset)
{
	tep_format_field *field = tep_find_common_field(event, name);

	is_odd_ = is_odd_ || !field || field->size != size || field->offset < 0;
	if (!is_odd_)
		*offset = field->offset;
	size_ = std::max(size_, *offset + size);
}

DatEvent::DatEvent(const ForeignEvent &from, struct tep_event *event) : from_(&from)
{
	const bool is_native =
		tep_is_file_bigendian(event->tep) == tep_is_local_bigendian(event->tep);

	for (const FieldSpec &wanted : from.fields) {
		tep_format_field *field = tep_find_field(event, wanted.name);

		if (field)
			places_.push_back({wanted.field, field,
					   (field->flags & TEP_FIELD_IS_STRING) != 0,
					   is_native && field->offset >= 0 &&
						   (field->size == 4 || field->size == 8)});
		else
			usable_ = usable_ && !wanted.needed;
	}
}

// The library looks at the order of bytes for each number.
uint64_t DatEvent::number(const Place &place, std::span<const uint8_t> data)
{
	const size_t at = static_cast<size_t>(place.at->offset);
	uint32_t low = 0;
	uint64_t whole = 0;

	if (!place.is_plain || at > data.size() ||
	    static_cast<size_t>(place.at->size) > data.size() - at)
		return field_number(place.at, data);
	if (place.at->size == 8)
		memcpy(&whole, &data[at], 8);
	else
		memcpy(&low, &data[at], 4);
	return place.at->size == 8 ? whole : low;
}

std::string_view DatEvent::text(const Place &place, std::span<const uint8_t> data)
{
	if (place.is_plain && place.at->flags & TEP_FIELD_IS_DYNAMIC)
		return placed_text(*place.at, number(place, data), data);
	return field_text(place.at, data);
}

void DatEvent::read(std::span<const uint8_t> data, AddressNames &names, FieldValues *fields) const
{
	fields->clear();
	for (const Place &place : places_) {
		if (place.is_text) {
			fields->set(place.field, text(place, data));
			continue;
		}
		const uint64_t value = number(place, data);
		if (place.field != Field::ring) {
			fields->set(place.field, value);
			continue;
		}
		std::string &name = names[value];
		if (name.empty())
			name = fmt::format("at_{:x}", value);
		fields->set(place.field, std::string_view(name));
	}
}

} // namespace grtrace
