// SPDX-License-Identifier: GPL-2.0
#include "merge/merge_source.h"

namespace grtrace {

uint8_t *MergeRecord::make(uint16_t type, size_t size)
{
	bytes.assign(size, 0);
	store16(&bytes[0], type);
	store16(&bytes[2], static_cast<uint16_t>(size));
	event.type = type;
	event.size = static_cast<uint16_t>(size);
	event.raw = bytes.data();
	return bytes.data();
}

} // namespace grtrace
