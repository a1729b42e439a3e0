// SPDX-License-Identifier: GPL-2.0
//
// Records contain the low halves of their numbers, and the head of the packet has the
// rest. So a packet ends when the next record's numbers are too far for 32 bits.
#include "words/packets/packet_bytes.h"

#include <cstring>

#include "format/byte_order.h"
#include "format/host_facts.h"

namespace grtrace {

// The uAPI requires a new packet if a record is this far from the previous one, in ts
// or in gseq.
static constexpr uint64_t widenable = 1 << 30;

// Compares a distance of either sign by unsigned arithmetic.
static bool near(uint64_t from, uint64_t to)
{
	return to - from + widenable < 2 * widenable;
}

void store_name(uint8_t *field, size_t room, std::string_view text)
{
	memset(field, 0, room);
	// An empty text may have no address, which memcpy() must not be given.
	text.copy(reinterpret_cast<char *>(field), room - 1);
}

void store_ring(uint8_t *record, const RingFacts &ring)
{
	using Ring = grtrace_rec_ring;

	store32(record + offsetof(Ring, ring), ring.id);
	store32(record + offsetof(Ring, engine_class), ring.engine_class);
	store_name(record + offsetof(Ring, device), GRTRACE_DEVICE_LEN, ring.device);
	store_name(record + offsetof(Ring, driver), GRTRACE_DRIVER_LEN, ring.driver);
	store_name(record + offsetof(Ring, name), GRTRACE_NAME_LEN, ring.name);
	store32(record + offsetof(Ring, flags), ring.flags);
	store32(record + offsetof(Ring, timeout_ms), ring.timeout_ms);
}

void PacketBytes::open(const PacketHead &head)
{
	using Packet = grtrace_rec_packet;

	uint8_t *record = add(GRTRACE_PACKET, sizeof(Packet));

	store32(record + offsetof(Packet, magic), GRTRACE_MAGIC);
	store16(record + offsetof(Packet, major), GRTRACE_VERSION_MAJOR);
	store16(record + offsetof(Packet, minor), GRTRACE_VERSION_MINOR);
	store32(record + offsetof(Packet, cpu), head.cpu);
	store64(record + offsetof(Packet, session), head.session);
	store64(record + offsetof(Packet, ts), head.ts);
	store64(record + offsetof(Packet, gseq), head.gseq);
	store64(record + offsetof(Packet, cseq), head.cseq);
	store64(record + offsetof(Packet, lost), head.lost);
	store32(record + offsetof(Packet, ctx_hi), head.ctx_hi);
	store32(record + offsetof(Packet, sample), head.weight > 1 ? head.weight : 0);
	head_ = head;
	open_ = true;
}

bool PacketBytes::takes(const PacketHead &next) const
{
	return open_ && next.cpu == head_.cpu && next.cseq == head_.cseq &&
	       next.ctx_hi == head_.ctx_hi && next.weight == head_.weight &&
	       near(head_.ts, next.ts) && near(head_.gseq, next.gseq);
}

uint8_t *PacketBytes::add(uint16_t type, size_t size)
{
	const size_t at = bytes_.size();

	size = (size + 7) & ~size_t(7);
	bytes_.resize(at + size);
	store16(&bytes_[at], type);
	store16(&bytes_[at + 2], static_cast<uint16_t>(size));
	return &bytes_[at];
}

uint8_t *PacketBytes::add_sequenced(uint16_t type, size_t size, const SeqFacts &seq)
{
	using Seq = grtrace_rec_seq;

	uint8_t *record = add(type, size);

	store32(record + offsetof(Seq, ts), static_cast<uint32_t>(seq.ts));
	store32(record + offsetof(Seq, seq), static_cast<uint32_t>(seq.gseq));
	store32(record + offsetof(Seq, pid), seq.pid);
	head_.ts = seq.ts;
	head_.gseq = seq.gseq;
	head_.cseq++;
	return record;
}

uint8_t *PacketBytes::add_ring(const RingFacts &ring)
{
	uint8_t *record = add(GRTRACE_RING, sizeof(grtrace_rec_ring));

	store_ring(record, ring);
	return record;
}

void PacketBytes::add_info(const InfoFacts &facts)
{
	using Info = grtrace_rec_stream_info;

	uint8_t *record = add(GRTRACE_STREAM_INFO, sizeof(Info));

	store32(record + offsetof(Info, clock), facts.clock);
	store64(record + offsetof(Info, session), facts.session);
	store64(record + offsetof(Info, features), facts.features);
	store64(record + offsetof(Info, start_ts), facts.start_ts);
	store64(record + offsetof(Info, start_real), facts.start_real);
	memcpy(record + offsetof(Info, boot_id), facts.boot_id, sizeof(facts.boot_id));
	store_name(record + offsetof(Info, release), GRTRACE_RELEASE_LEN, facts.release);
	store32(record + offsetof(Info, subbuf_size), facts.subbuf_size);
	store32(record + offsetof(Info, n_subbufs), facts.n_subbufs);
	store32(record + offsetof(Info, nr_cpus), facts.nr_cpus);
}

void PacketBytes::add_metadata(std::string_view text)
{
	constexpr size_t head = sizeof(grtrace_rec_metadata);
	uint8_t *record = add(GRTRACE_METADATA, head + text.size());

	text.copy(reinterpret_cast<char *>(record + head), text.size());
}

void PacketBytes::add_host(const HostFacts &host)
{
	const std::string records = host_metadata(host);

	bytes_.insert(bytes_.end(), records.begin(), records.end());
}

// A LOST uses up as many numbers as events are missing.
void PacketBytes::add_lost(const LostFacts &facts)
{
	using Lost = grtrace_rec_lost;

	uint8_t *record = add(GRTRACE_LOST, sizeof(Lost));

	store64(record + offsetof(Lost, events), facts.events);
	store64(record + offsetof(Lost, first_ts), facts.first_ts);
	store64(record + offsetof(Lost, last_ts), facts.last_ts);
	head_.cseq += facts.events;
	head_.lost += facts.events;
}

void PacketBytes::add_stop(const PacketHead &next)
{
	using Stop = grtrace_rec_stop;

	// It has no context and no weight, and its numbers are not widened.
	if (!open_ || next.cpu != head_.cpu)
		open(next);
	uint8_t *record = add(GRTRACE_STOP, sizeof(Stop));
	store64(record + offsetof(Stop, ts), next.ts);
	store64(record + offsetof(Stop, gseq), next.gseq);
	store64(record + offsetof(Stop, cseq), next.cseq);
	store64(record + offsetof(Stop, lost), next.lost);
	open_ = false;
}

void PacketBytes::copy(const uint8_t *record, size_t size, const PacketHead &next)
{
	bytes_.insert(bytes_.end(), record, record + size);
	head_.ts = next.ts;
	head_.gseq = next.gseq;
	head_.cseq = next.cseq;
	head_.lost = next.lost;
}

} // namespace grtrace
