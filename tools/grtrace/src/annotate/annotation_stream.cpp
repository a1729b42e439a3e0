// SPDX-License-Identifier: GPL-2.0
#include "annotate/annotation_stream.h"

#include "annotate/handle_count.h"
#include "byte_order.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace grtrace {

namespace {

// A distance in time that a reader can widen, with room to spare.
constexpr uint64_t widenable_ns = 1 << 30;

// More than any machine has: a number beyond it is no CPU's.
constexpr uint32_t max_cpus = 65536;

void put_text(uint8_t *field, size_t room, std::string_view text)
{
	memcpy(field, text.data(), std::min(text.size(), room - 1));
}

std::string_view text_of(const char *field, size_t room)
{
	return {field, strnlen(field, room)};
}

} // namespace

AnnotationStream::AnnotationStream(const StreamFacts &facts)
	: session_(facts.session)
{
	write_tables(facts);
}

// Room for a record, zeroed but for its header.
uint8_t *AnnotationStream::append(uint16_t type, size_t size)
{
	const size_t at = bytes_.size();

	bytes_.resize(at + size);
	store16(&bytes_[at], type);
	store16(&bytes_[at + 2], static_cast<uint16_t>(size));
	return &bytes_[at];
}

void AnnotationStream::open_packet(uint32_t cpu, uint64_t ts, uint32_t ctx_hi)
{
	using Packet = grtrace_rec_packet;

	const Cpu none;
	const Cpu &state = cpu == GRTRACE_CPU_NONE ? none : cpus_[cpu];
	uint8_t *record = append(GRTRACE_PACKET, sizeof(Packet));

	store32(record + offsetof(Packet, magic), GRTRACE_MAGIC);
	store16(record + offsetof(Packet, major), GRTRACE_VERSION_MAJOR);
	store16(record + offsetof(Packet, minor), GRTRACE_VERSION_MINOR);
	store32(record + offsetof(Packet, cpu), cpu);
	store64(record + offsetof(Packet, session), session_);
	store64(record + offsetof(Packet, ts), ts);
	store64(record + offsetof(Packet, gseq), gseq_);
	store64(record + offsetof(Packet, cseq), state.cseq);
	store64(record + offsetof(Packet, lost), state.lost);
	store32(record + offsetof(Packet, ctx_hi), ctx_hi);
	open_ = true;
	cpu_ = cpu;
	ts_ = ts;
	ctx_hi_ = ctx_hi;
}

void AnnotationStream::write_tables(const StreamFacts &facts)
{
	using Info = grtrace_rec_stream_info;

	open_packet(GRTRACE_CPU_NONE, facts.start_ts, 0);
	uint8_t *info = append(GRTRACE_STREAM_INFO, sizeof(Info));
	store32(info + offsetof(Info, clock), GRTRACE_CLOCK_MONOTONIC);
	store64(info + offsetof(Info, session), facts.session);
	store64(info + offsetof(Info, features), GRTRACE_FEATURE_SIZE_SKIP);
	store64(info + offsetof(Info, start_ts), facts.start_ts);
	store64(info + offsetof(Info, start_real), facts.start_real);
	memcpy(info + offsetof(Info, boot_id), facts.boot_id,
	       sizeof(facts.boot_id));
	put_text(info + offsetof(Info, release), GRTRACE_RELEASE_LEN,
		 facts.release);
	store32(info + offsetof(Info, nr_cpus), facts.nr_cpus);

	const std::string text = fmt::format("source annotate {} {}\n",
					     facts.probes, facts.known_probes);
	uint8_t *metadata =
		append(GRTRACE_METADATA, sizeof(grtrace_rec_metadata) +
						 (text.size() + 7) / 8 * 8);
	memcpy(metadata + sizeof(grtrace_rec_metadata), text.data(),
	       text.size());
}

uint8_t *AnnotationStream::append_sequenced(uint16_t type, size_t size,
					    const annotate_head &head,
					    uint32_t ctx_hi)
{
	using Seq = grtrace_rec_seq;

	const uint32_t cpu = std::min(head.cpu, max_cpus);

	if (cpu >= cpus_.size())
		cpus_.resize(cpu + 1);
	// A difference of either sign, as unsigned arithmetic.
	if (!open_ || cpu != cpu_ || ctx_hi != ctx_hi_ ||
	    head.ts - ts_ + widenable_ns >= 2 * widenable_ns)
		open_packet(cpu, head.ts, ctx_hi);

	uint8_t *record = append(type, size);
	store32(record + offsetof(Seq, ts), static_cast<uint32_t>(head.ts));
	store32(record + offsetof(Seq, seq), static_cast<uint32_t>(gseq_));
	store32(record + offsetof(Seq, pid), head.tid);
	ts_ = head.ts;
	gseq_++;
	cpus_[cpu].cseq++;
	return record;
}

void AnnotationStream::introduce(const annotate_head &head)
{
	using Record = grtrace_rec_task;

	const auto [found, is_new] = tasks_.try_emplace(head.tid);
	Task &task = found->second;

	if (!is_new && task.tgid == head.tgid &&
	    !memcmp(task.comm, head.comm, sizeof(task.comm)))
		return;
	task.tgid = head.tgid;
	memcpy(task.comm, head.comm, sizeof(task.comm));

	uint8_t *record =
		append_sequenced(GRTRACE_TASK, sizeof(Record), head, ctx_hi_);
	store32(record + offsetof(Record, tgid), head.tgid);
	put_text(record + offsetof(Record, comm), GRTRACE_COMM_LEN,
		 text_of(head.comm, sizeof(head.comm)));
}

void AnnotationStream::add(const annotate_ioctl &call)
{
	using Record = grtrace_rec_ioctl;

	const std::string_view driver =
		text_of(call.driver, sizeof(call.driver));
	const size_t argument =
		std::min(size_t(call.argument_size), sizeof(call.argument));

	introduce(call.head);
	uint8_t *record = append_sequenced(GRTRACE_IOCTL, sizeof(Record),
					   call.head, ctx_hi_);
	store64(record + offsetof(Record, duration), call.duration);
	store64(record + offsetof(Record, result),
		static_cast<uint64_t>(call.result));
	store64(record + offsetof(Record, cgroup), call.cgroup);
	store32(record + offsetof(Record, cmd), call.cmd);
	store32(record + offsetof(Record, minor), call.minor);
	store32(record + offsetof(Record, handles),
		count_handles(driver, call.cmd, call.argument, argument));
	put_text(record + offsetof(Record, driver), GRTRACE_DRIVER_LEN, driver);
	ioctls_++;
}

void AnnotationStream::add(const annotate_wait &wait)
{
	using Job = grtrace_rec_job;

	const bool enter = wait.head.kind == ANNOTATE_WAIT_ENTER;

	introduce(wait.head);
	uint8_t *record = append_sequenced(
		enter ? GRTRACE_SYNC_WAIT_ENTER : GRTRACE_SYNC_WAIT_EXIT,
		sizeof(Job), wait.head, static_cast<uint32_t>(wait.ctx >> 32));
	store32(record + offsetof(Job, ctx), static_cast<uint32_t>(wait.ctx));
	store32(record + offsetof(Job, seqno),
		static_cast<uint32_t>(wait.seqno));
	store16(record + offsetof(Job, flags),
		GRTRACE_TIME_SOFTWARE | GRTRACE_IN_TASK);
	waits_ += enter;
}

void AnnotationStream::lose(uint32_t cpu, const annotate_loss &loss)
{
	using Lost = grtrace_rec_lost;

	cpu = std::min(cpu, max_cpus);
	if (cpu >= cpus_.size())
		cpus_.resize(cpu + 1);
	if (!open_ || cpu != cpu_)
		open_packet(cpu, loss.first_ts, ctx_hi_);
	uint8_t *record = append(GRTRACE_LOST, sizeof(Lost));
	store64(record + offsetof(Lost, events), loss.records);
	store64(record + offsetof(Lost, first_ts), loss.first_ts);
	store64(record + offsetof(Lost, last_ts), loss.last_ts);
	cpus_[cpu].cseq += loss.records;
	cpus_[cpu].lost += loss.records;
	lost_ += loss.records;
	// Whatever follows is widened from a packet of its own.
	open_ = false;
}

} // namespace grtrace
