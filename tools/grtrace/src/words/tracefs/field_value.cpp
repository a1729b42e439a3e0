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

// Returns the content of a field up to its NUL.
std::string_view field_text(tep_format_field *field, std::span<const uint8_t> data)
{
	if (!field)
		return {};
	size_t offset = field->offset, room = field->size;
	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		// The field contains an offset in the record, and a length.
		const uint64_t place = field_number(field, data);

		offset = place & 0xffff;
		room = place >> 16 & 0xffff;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			offset += field->offset + field->size;
	}
	if (!room || offset > data.size() || room > data.size() - offset)
		return {};
	const char *begin = reinterpret_cast<const char *>(data.data()) + offset;
	return {begin, strnlen(begin, room)};
}

} // namespace grtrace
