// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/wire_reader.h"

namespace grtrace {

// Seven bits in each byte, the lowest first; the last byte has no top bit.
bool WireReader::number(uint64_t *value)
{
	*value = 0;
	for (unsigned int i = 0; i < 10 && i < rest_.size(); i++) {
		const uint64_t byte = static_cast<uint8_t>(rest_[i]);

		*value |= (byte & 0x7f) << (7 * i);
		if (!(byte & 0x80)) {
			rest_.remove_prefix(i + 1);
			return true;
		}
	}
	return false;
}

bool WireReader::take(uint64_t size, std::string_view *bytes)
{
	if (size > rest_.size())
		return false;
	*bytes = rest_.substr(0, size);
	rest_.remove_prefix(size);
	return true;
}

bool WireReader::next(Field *field)
{
	uint64_t tag = 0, size = 0;

	*field = {};
	if (rest_.empty() || damaged_)
		return false;
	bool fine = number(&tag) && tag >> 3 && tag >> 3 <= UINT32_MAX;
	field->number = static_cast<uint32_t>(tag >> 3);
	switch (tag & 7) {
	case 0:
		fine = fine && number(&field->value);
		break;
	case 1: // 64 bits: no field that is read here has them
		fine = fine && take(8, &field->bytes);
		break;
	case 2:
		fine = fine && number(&size) && take(size, &field->bytes);
		field->is_bytes = true;
		break;
	case 5: // 32 bits
		fine = fine && take(4, &field->bytes);
		break;
	default:
		fine = false;
	}
	damaged_ = !fine;
	return fine;
}

} // namespace grtrace
