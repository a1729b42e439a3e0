// SPDX-License-Identifier: GPL-2.0
#include "words/merge/merge_source.h"

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

bool move_time(uint64_t &ts, int64_t offset_ns)
{
	const uint64_t moved = ts + static_cast<uint64_t>(offset_ns);

	if (offset_ns < 0 ? moved > ts : moved < ts)
		return false;
	ts = moved;
	return true;
}

std::optional<uint64_t> MergeRecord::move(int64_t offset_ns)
{
	using Lost = grtrace_rec_lost;

	if (!move_time(event.ts, offset_ns))
		return event.ts;
	if (event.type != GRTRACE_LOST)
		return {};
	for (size_t at : {offsetof(Lost, first_ts), offsetof(Lost, last_ts)}) {
		uint64_t ts = load64(&bytes[at]);

		if (!move_time(ts, offset_ns))
			return ts;
		store64(&bytes[at], ts);
	}
	return {};
}

} // namespace grtrace
