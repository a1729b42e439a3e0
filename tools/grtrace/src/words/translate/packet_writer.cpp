// SPDX-License-Identifier: GPL-2.0
#include "words/translate/packet_writer.h"

#include "format/byte_order.h"

#include <drm/grtrace_drm.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace grtrace {

namespace {

constexpr size_t packet_bytes = 64 * 1024;

} // namespace

size_t job_record_size(const NewRecord &from)
{
	if (from.type == GRTRACE_ERROR)
		return sizeof(grtrace_rec_error);
	if (from.type == GRTRACE_SUBMIT)
		return from.answered ? sizeof(grtrace_rec_command) : sizeof(grtrace_rec_submit);
	if (from.answered)
		return sizeof(grtrace_rec_response);
	if (from.type == GRTRACE_QUEUE)
		return sizeof(grtrace_rec_queue);
	return from.has_fence ? sizeof(grtrace_rec_job_fence) : sizeof(grtrace_rec_job);
}

void store_job(uint8_t *record, const NewRecord &from)
{
	using Job = grtrace_rec_job;
	using Fence = grtrace_rec_job_fence;
	using Error = grtrace_rec_error;
	using Command = grtrace_rec_command;
	using Queue = grtrace_rec_queue;

	store32(record + offsetof(Job, ctx), static_cast<uint32_t>(from.ctx));
	store32(record + offsetof(Job, seqno), from.seqno);
	store32(record + offsetof(Job, ring), from.ring);
	store16(record + offsetof(Job, flags), from.flags);
	store16(record + offsetof(Job, arg), from.arg);
	if (from.type == GRTRACE_ERROR) {
		store32(record + offsetof(Error, kind), from.kind);
		store32(record + offsetof(Error, code), static_cast<uint32_t>(from.code));
		store32(record + offsetof(Error, pid), from.guilty_pid);
		store_name(record + offsetof(Error, comm), GRTRACE_COMM_LEN, from.guilty_comm);
		store_name(record + offsetof(Error, text), GRTRACE_TEXT_LEN, from.text);
	} else if (from.type == GRTRACE_SUBMIT) {
		store64(record + offsetof(grtrace_rec_submit, client), from.client);
		if (!from.answered)
			return;
		store32(record + offsetof(Command, fence_ctx),
			static_cast<uint32_t>(from.fence_ctx));
		store32(record + offsetof(Command, fence_seqno), from.fence_seqno);
		store32(record + offsetof(Command, command), from.command);
	} else if (from.answered) {
		store32(record + offsetof(grtrace_rec_response, response), from.command);
	} else if (from.type == GRTRACE_QUEUE) {
		store32(record + offsetof(Queue, state), from.state);
		store32(record + offsetof(Queue, reason), from.reason);
		store64(record + offsetof(Queue, client), from.client);
	} else if (from.has_fence) {
		store32(record + offsetof(Fence, fence_ctx), static_cast<uint32_t>(from.fence_ctx));
		store32(record + offsetof(Fence, fence_seqno), from.fence_seqno);
	}
}

void store_fence_name(uint8_t *record, const FenceNameFacts &from)
{
	using Name = grtrace_rec_fence_name;

	store64(record + offsetof(Name, ctx), from.ctx);
	store_name(record + offsetof(Name, driver), GRTRACE_DRIVER_LEN, from.driver);
	store_name(record + offsetof(Name, timeline), GRTRACE_NAME_LEN, from.timeline);
}

PacketWriter::PacketWriter(uint64_t session, uint32_t cpus, Flush flush)
	: flush_(std::move(flush)), cpus_(cpus)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		cpus_[cpu].next.session = session;
		cpus_[cpu].next.cpu = cpu;
	}
}

// Returns a packet with room for a record, from which the record can be widened.
PacketBytes &PacketWriter::place(uint32_t number, size_t size, uint64_t ts, uint32_t ctx_hi)
{
	Cpu &cpu = cpus_[number];

	used_ = std::max(used_, number + 1);
	if (cpu.packet.bytes().size() + sizeof(grtrace_rec_packet) + size > packet_bytes)
		flush_cpu(number);
	cpu.next.ts = ts;
	cpu.next.gseq = gseq_;
	cpu.next.ctx_hi = ctx_hi;
	cpu.packet.go_to(cpu.next);
	return cpu.packet;
}

uint8_t *PacketWriter::sequenced(uint32_t cpu, uint16_t type, size_t size, uint64_t ts,
				 uint32_t pid, uint32_t ctx_hi)
{
	uint8_t *record = place(cpu, size, ts, ctx_hi).add_sequenced(type, size, {ts, gseq_, pid});

	cpus_[cpu].next.cseq++;
	gseq_++;
	return record;
}

void PacketWriter::event(uint32_t cpu, const NewRecord &from)
{
	store_job(sequenced(cpu, from.type, job_record_size(from), from.ts, from.pid,
			    static_cast<uint32_t>(from.ctx >> 32)),
		  from);
	cpus_[cpu].counts.events++;
}

void PacketWriter::ring(uint32_t cpu, uint64_t ts, const RingFacts &ring)
{
	uint8_t *record = sequenced(cpu, GRTRACE_RING, sizeof(grtrace_rec_ring), ts, 0,
				    cpus_[cpu].next.ctx_hi);

	store_ring(record, ring);
	cpus_[cpu].counts.notes++;
}

void PacketWriter::task(uint32_t cpu, uint64_t ts, const TaskFacts &task)
{
	using Task = grtrace_rec_task;

	uint8_t *record =
		sequenced(cpu, GRTRACE_TASK, sizeof(Task), ts, task.pid, cpus_[cpu].next.ctx_hi);

	store32(record + offsetof(Task, tgid), task.tgid);
	store_name(record + offsetof(Task, comm), GRTRACE_COMM_LEN, task.comm);
	cpus_[cpu].counts.notes++;
}

void PacketWriter::fence_name(uint32_t cpu, uint64_t ts, const FenceNameFacts &fence)
{
	store_fence_name(sequenced(cpu, GRTRACE_FENCE_NAME, sizeof(grtrace_rec_fence_name), ts,
				   fence.pid, cpus_[cpu].next.ctx_hi),
			 fence);
	cpus_[cpu].counts.notes++;
}

void PacketWriter::message(uint32_t cpu, uint64_t ts, uint32_t pid, std::string_view text)
{
	const size_t length = std::min<size_t>(text.size(), GRTRACE_MESSAGE_MAX);
	uint8_t *record = sequenced(cpu, GRTRACE_MESSAGE, sizeof(grtrace_rec_message) + length, ts,
				    pid, cpus_[cpu].next.ctx_hi);

	text.copy(reinterpret_cast<char *>(record + sizeof(grtrace_rec_message)), length);
	cpus_[cpu].counts.notes++;
}

void PacketWriter::lost(uint32_t number, uint64_t first_ts, uint64_t last_ts, uint64_t events)
{
	Cpu &cpu = cpus_[number];
	// A LOST takes no number and no time, so the next record can still be widened.
	const bool fresh = cpu.packet.bytes().empty();

	place(number, sizeof(grtrace_rec_lost), fresh ? last_ts : cpu.next.ts, cpu.next.ctx_hi)
		.add_lost({events, first_ts, last_ts});
	cpu.next.cseq += events;
	cpu.next.lost += events;
	cpu.counts.lost += events;
}

void PacketWriter::skip(uint32_t cpu, uint64_t events)
{
	flush_cpu(cpu);
	cpus_[cpu].next.cseq += events;
}

void PacketWriter::flush_cpu(uint32_t number)
{
	PacketBytes &packet = cpus_[number].packet;

	if (!packet.bytes().empty())
		flush_(number, packet.bytes().data(), packet.bytes().size());
	packet.clear();
	packet.close();
}

void PacketWriter::stop(uint64_t ts)
{
	for (uint32_t number = 0; number < used_; number++) {
		PacketHead next = cpus_[number].next;

		if (!next.cseq)
			continue;
		next.ts = std::max(next.ts, ts);
		next.gseq = gseq_;
		cpus_[number].packet.add_stop(next);
	}
	flush();
}

void PacketWriter::flush()
{
	for (uint32_t cpu = 0; cpu < used_; cpu++)
		flush_cpu(cpu);
}

} // namespace grtrace
