// SPDX-License-Identifier: GPL-2.0
//
// Every file of a capture repeats the tables, and the meaning of a ring never changes: the
// first record counts, except for a class and flags that were not known yet.
#include "read/stream/ring_table.h"

#include <iterator>

#include <fmt/format.h>

#include "lib/text/utf8_text.h"

namespace grtrace {

RingTable::RingTable()
{
	none_.name.push_back('-');
	rings_[GRTRACE_RING_NONE] = none_;
}

std::string ring_flags_text(uint32_t flags)
{
	static const char *const names[] = {"cpu", "shared", "device", "user", "mixed"};
	std::string text;

	for (size_t i = 0; i < std::size(names); i++)
		if (flags >> i & 1)
			text += fmt::format("{}{}", text.empty() ? "" : "+", names[i]);
	return text;
}

uint32_t RingTable::device_index(const std::string &device)
{
	const auto [found, is_new] =
		device_ids_.try_emplace(device, static_cast<uint32_t>(devices_.size()));

	if (is_new)
		devices_.push_back(device);
	return found->second;
}

void RingTable::learn(const uint8_t *record)
{
	uint32_t id = load32(record + offsetof(grtrace_rec_ring, ring));

	if (id == GRTRACE_RING_NONE)
		return;

	// The metadata repeats a ring. An id never changes its meaning, but its class
	// may become known.
	Ring &ring = rings_[id];
	const uint32_t engine_class = load32(record + offsetof(grtrace_rec_ring, engine_class));
	if (!ring.known || engine_class != GRTRACE_CLASS_UNKNOWN)
		ring.engine_class = engine_class;
	// A flag that is learnt later stays.
	ring.flags |= load32(record + offsetof(grtrace_rec_ring, flags));
	if (ring.known)
		return;

	ring.id = id;
	ring.known = true;
	ring.device_name = printable(
		text_field(record + offsetof(grtrace_rec_ring, device), GRTRACE_DEVICE_LEN));
	ring.driver = printable(
		text_field(record + offsetof(grtrace_rec_ring, driver), GRTRACE_DRIVER_LEN));
	ring.name =
		printable(text_field(record + offsetof(grtrace_rec_ring, name), GRTRACE_NAME_LEN));
	ring.timeout_ms = load32(record + offsetof(grtrace_rec_ring, timeout_ms));
	ring.device = device_index(ring.device_name);
}

} // namespace grtrace
