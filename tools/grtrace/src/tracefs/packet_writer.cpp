// SPDX-License-Identifier: GPL-2.0
#include "tracefs/packet_writer.h"

#include "byte_order.h"

#include <drm/grtrace_drm.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace grtrace {

namespace {

constexpr size_t packet_bytes = 64 * 1024;

// The uAPI wants a new packet for a record this long after the one before it.
constexpr uint64_t packet_gap = 1 << 30;

void store_header(uint8_t *record, uint16_t type, size_t size)
{
	memset(record, 0, size);
	store16(record, type);
	store16(record + 2, static_cast<uint16_t>(size));
}

} // namespace

void store_name(uint8_t *field, size_t room, std::string_view text)
{
	memset(field, 0, room);
	memcpy(field, text.data(), std::min(text.size(), room - 1));
}

void store_ring(uint8_t *record, const RingFacts &ring)
{
	using Ring = grtrace_rec_ring;

	store_header(record, GRTRACE_RING, sizeof(Ring));
	store32(record + offsetof(Ring, ring), ring.id);
	store32(record + offsetof(Ring, engine_class), ring.engine_class);
	store_name(record + offsetof(Ring, device), GRTRACE_DEVICE_LEN,
		   ring.device);
	store_name(record + offsetof(Ring, driver), GRTRACE_DRIVER_LEN,
		   ring.driver);
	store_name(record + offsetof(Ring, name), GRTRACE_NAME_LEN, ring.name);
}

PacketWriter::PacketWriter(uint64_t session, uint32_t cpus, Flush flush)
	: session_(session), flush_(std::move(flush)), cpus_(cpus)
{
}

void PacketWriter::open_packet(uint32_t number, uint64_t ts, uint32_t ctx_hi)
{
	using Packet = grtrace_rec_packet;

	Cpu &cpu = cpus_[number];
	uint8_t *record = &cpu.packet[cpu.used];

	store_header(record, GRTRACE_PACKET, sizeof(Packet));
	store32(record + offsetof(Packet, magic), GRTRACE_MAGIC);
	store16(record + offsetof(Packet, major), GRTRACE_VERSION_MAJOR);
	store16(record + offsetof(Packet, minor), GRTRACE_VERSION_MINOR);
	store32(record + offsetof(Packet, cpu), number);
	store64(record + offsetof(Packet, session), session_);
	store64(record + offsetof(Packet, ts), ts);
	store64(record + offsetof(Packet, gseq), gseq_);
	store64(record + offsetof(Packet, cseq), cpu.cseq);
	store64(record + offsetof(Packet, lost), cpu.told_lost);
	store32(record + offsetof(Packet, ctx_hi), ctx_hi);
	cpu.used += sizeof(Packet);
	cpu.ctx_hi = ctx_hi;
	cpu.ts = ts;
}

// Room for a record, in a packet from which it can be widened.
uint8_t *PacketWriter::reserve(uint32_t number, size_t size, uint64_t ts,
			       uint32_t ctx_hi)
{
	Cpu &cpu = cpus_[number];

	if (cpu.used + sizeof(grtrace_rec_packet) + size > packet_bytes)
		flush_cpu(number);
	cpu.packet.resize(packet_bytes);
	if (!cpu.used || cpu.ctx_hi != ctx_hi ||
	    (ts > cpu.ts && ts - cpu.ts >= packet_gap))
		open_packet(number, ts, ctx_hi);
	uint8_t *record = &cpu.packet[cpu.used];
	cpu.used += size;
	cpu.ts = ts;
	return record;
}

uint8_t *PacketWriter::sequenced(uint32_t number, uint16_t type, size_t size,
				 uint64_t ts, uint32_t pid, uint32_t ctx_hi)
{
	using Seq = grtrace_rec_seq;

	uint8_t *record = reserve(number, size, ts, ctx_hi);

	store_header(record, type, size);
	store32(record + offsetof(Seq, ts), static_cast<uint32_t>(ts));
	store32(record + offsetof(Seq, seq), static_cast<uint32_t>(gseq_));
	store32(record + offsetof(Seq, pid), pid);
	cpus_[number].cseq++;
	gseq_++;
	return record;
}

void PacketWriter::event(uint32_t cpu, const NewRecord &from)
{
	using Job = grtrace_rec_job;
	using Fence = grtrace_rec_job_fence;
	using Error = grtrace_rec_error;

	const bool error = from.type == GRTRACE_ERROR;
	const size_t size = error          ? sizeof(Error) :
			    from.has_fence ? sizeof(Fence) :
					     sizeof(Job);
	uint8_t *record = sequenced(cpu, from.type, size, from.ts, from.pid,
				    static_cast<uint32_t>(from.ctx >> 32));

	store32(record + offsetof(Job, ctx), static_cast<uint32_t>(from.ctx));
	store32(record + offsetof(Job, seqno), from.seqno);
	store32(record + offsetof(Job, ring), from.ring);
	store16(record + offsetof(Job, flags), from.flags);
	store16(record + offsetof(Job, arg), from.arg);
	if (error) {
		store32(record + offsetof(Error, kind), from.kind);
		store32(record + offsetof(Error, code),
			static_cast<uint32_t>(from.code));
	} else if (from.has_fence) {
		store32(record + offsetof(Fence, fence_ctx),
			static_cast<uint32_t>(from.fence_ctx));
		store32(record + offsetof(Fence, fence_seqno),
			from.fence_seqno);
	}
	cpus_[cpu].counts.events++;
}

void PacketWriter::ring(uint32_t cpu, uint64_t ts, const RingFacts &ring)
{
	uint8_t facts[sizeof(grtrace_rec_ring)];
	uint8_t *record = sequenced(cpu, GRTRACE_RING, sizeof(facts), ts, 0,
				    cpus_[cpu].ctx_hi);

	store_ring(facts, ring);
	memcpy(record + sizeof(grtrace_rec_seq),
	       facts + sizeof(grtrace_rec_seq),
	       sizeof(facts) - sizeof(grtrace_rec_seq));
	cpus_[cpu].counts.notes++;
}

void PacketWriter::task(uint32_t cpu, uint64_t ts, const TaskFacts &task)
{
	using Task = grtrace_rec_task;

	uint8_t *record = sequenced(cpu, GRTRACE_TASK, sizeof(Task), ts,
				    task.pid, cpus_[cpu].ctx_hi);

	store32(record + offsetof(Task, tgid), task.tgid);
	store_name(record + offsetof(Task, comm), GRTRACE_COMM_LEN, task.comm);
	cpus_[cpu].counts.notes++;
}

void PacketWriter::message(uint32_t cpu, uint64_t ts, uint32_t pid,
			   std::string_view text)
{
	const size_t length =
		std::min<size_t>(text.size(), GRTRACE_MESSAGE_MAX);
	const size_t size = (sizeof(grtrace_rec_message) + length + 7) & ~7;
	uint8_t *record = sequenced(cpu, GRTRACE_MESSAGE, size, ts, pid,
				    cpus_[cpu].ctx_hi);

	memcpy(record + sizeof(grtrace_rec_message), text.data(), length);
	cpus_[cpu].counts.notes++;
}

void PacketWriter::lost(uint32_t number, uint64_t first_ts, uint64_t last_ts,
			uint64_t events)
{
	using Lost = grtrace_rec_lost;

	Cpu &cpu = cpus_[number];
	// It takes no number and no time: whatever comes next is near it.
	uint8_t *record = reserve(number, sizeof(Lost),
				  cpu.used ? cpu.ts : last_ts, cpu.ctx_hi);

	store_header(record, GRTRACE_LOST, sizeof(Lost));
	store64(record + offsetof(Lost, events), events);
	store64(record + offsetof(Lost, first_ts), first_ts);
	store64(record + offsetof(Lost, last_ts), last_ts);
	cpu.cseq += events;
	cpu.told_lost += events;
	cpu.counts.lost += events;
}

void PacketWriter::skip(uint32_t cpu, uint64_t events)
{
	flush_cpu(cpu);
	cpus_[cpu].cseq += events;
}

void PacketWriter::flush_cpu(uint32_t number)
{
	Cpu &cpu = cpus_[number];

	if (cpu.used)
		flush_(number, cpu.packet.data(), cpu.used);
	cpu.used = 0;
}

void PacketWriter::flush()
{
	for (uint32_t cpu = 0; cpu < cpus_.size(); cpu++)
		flush_cpu(cpu);
}

} // namespace grtrace
