// SPDX-License-Identifier: GPL-2.0
//
// Every file of a capture repeats the tables, and the meaning of a ring never changes: the
// first record counts, except for a class that was not known yet.
#include "read/stream/ring_table.h"

#include "lib/text/utf8_text.h"

namespace grtrace {

RingTable::RingTable() : rings_(1)
{
	rings_[0].name.push_back('-');
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

	if (id == GRTRACE_RING_NONE || id > max_id)
		return;
	// Grows by a quarter, because each of thousands of captures may have such a
	// table.
	if (id >= rings_.capacity())
		rings_.reserve(id + id / 4 + 1);
	if (id >= rings_.size())
		rings_.resize(id + 1);

	// The metadata repeats a ring. An id never changes its meaning, but its class
	// may become known.
	Ring &ring = rings_[id];
	const uint32_t engine_class = load32(record + offsetof(grtrace_rec_ring, engine_class));
	if (!ring.known || engine_class != GRTRACE_CLASS_UNKNOWN)
		ring.engine_class = engine_class;
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
	ring.device = device_index(ring.device_name);
}

} // namespace grtrace
