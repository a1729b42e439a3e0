// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/field_value.h"

#include <cstring>

namespace grtrace {

uint64_t field_number(tep_format_field *field, std::span<const uint8_t> data)
{
	unsigned long long value = 0;

	if (!field || field->offset < 0 || field->size < 0 ||
	    size_t(field->offset) + size_t(field->size) > data.size())
		return 0;
	if (tep_read_number_field(field, data.data(), &value))
		return 0;
	return value;
}

// Returns a text up to its NUL.
static std::string_view text_at(size_t offset, size_t room, std::span<const uint8_t> data)
{
	if (!room || offset > data.size() || room > data.size() - offset)
		return {};
	const char *begin = reinterpret_cast<const char *>(data.data()) + offset;
	return {begin, strnlen(begin, room)};
}

// The field contains an offset in the record, and a length.
std::string_view placed_text(const tep_format_field &field, uint64_t place,
			     std::span<const uint8_t> data)
{
	size_t offset = place & 0xffff;

	if (field.flags & TEP_FIELD_IS_RELATIVE)
		offset += field.offset + field.size;
	return text_at(offset, place >> 16 & 0xffff, data);
}

std::string_view field_text(tep_format_field *field, std::span<const uint8_t> data)
{
	if (!field)
		return {};
	if (field->flags & TEP_FIELD_IS_DYNAMIC)
		return placed_text(*field, field_number(field, data), data);
	return text_at(field->offset, field->size, data);
}

} // namespace grtrace
